#pragma once
#include <string>
#include <vector>

#include "wordbridge/lexicon.h"

namespace wordbridge::cli {

class Arguments;

/// Pairs that are known before anything is guessed: --known and --ignore-known, beside those that mappings carry.
class KnownOptions {
 public:
  void declare(Arguments& arguments);
  const std::vector<std::string>& paths() const { return paths_; }
  /// Reads the files. To be called before the vectors are read: errors come early then.
  void read();

  const std::vector<Lexicon::WrittenPair>& pairs() const { return pairs_; }
  /// What the mapping carries does not count either.
  bool ignored() const { return ignore_; }

 private:
  std::vector<std::string> paths_;
  std::vector<Lexicon::WrittenPair> pairs_;
  bool ignore_ = false;
};

}  // namespace wordbridge::cli
