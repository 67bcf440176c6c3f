#pragma once
#include <set>
#include <string>
#include <string_view>
#include <utility>

#include "lexicon/word_pairs.h"

namespace wordbridge {

/// Which of the pairs that were found are wanted, beside those that are known already.
enum class PairKind {
  all,
  fresh,      // "new": the source word is not in the known lexicon
  identical,  // two equal strings
  cognates,   // two strings that are written alike, and are not equal
};

/// "all", "new", "identical" or "cognates"; UsageError for anything else.
PairKind parse_pair_kind(std::string_view name);

/// Keeps the pairs of a kind that are not in a lexicon.
class PairFilter {
 public:
  /// Without a lexicon.
  explicit PairFilter(PairKind kind = PairKind::all) : kind_(kind) {}
  PairFilter(PairKind kind, const WordPairs& known);

  bool wants(std::string_view source, std::string_view target) const;
  bool knows(std::string_view source, std::string_view target) const;

 private:
  PairKind kind_;
  std::set<std::string, std::less<>> sources_;
  std::set<std::pair<std::string, std::string>> pairs_;
};

}  // namespace wordbridge
