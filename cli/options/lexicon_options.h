#pragma once
#include <optional>
#include <string>

#include "cli/session.h"
#include "lexicon/lexicon_reader.h"

namespace wordbridge::cli {

class Arguments;

/// The lexicon that a command works with: a file, or words that both vocabularies share.
class LexiconOptions {
 public:
  enum class Sources { file, file_or_shared_words };

  void declare(Arguments& arguments, Sources sources);
  /// A file, without a command line.
  static LexiconOptions of(const std::string& path, const std::string& case_policy);

  /// The file, empty where there is none.
  const std::string& path() const { return path_; }
  bool given() const { return !path_.empty() || identical_ || numerals_; }
  /// As it goes into the provenance: "train.txt", "identical words", "numerals".
  std::string name() const;

  /// Reads the file, where there is one. To be called before the vectors are read: its errors come early then.
  void read(bool lenient, bool drop_identical = false);
  /// The pairs in both vocabularies; says how many there are.
  Lexicon find(Session& session, const Vocabulary& source, const Vocabulary& target) const;
  GoldLexicon find_gold(Session& session, const Vocabulary& source, const Vocabulary& target) const;

 private:
  void note_coverage(Session& session, const LexiconCoverage& coverage) const;

  std::string path_;
  bool identical_ = false, numerals_ = false;
  std::string case_policy_ = "exact";
  std::optional<WordPairs> pairs_;
};

}  // namespace wordbridge::cli
