#pragma once
#include <optional>
#include <string>

#include "cli/session.h"
#include "lexicon/lexicon_reader.h"

namespace wordbridge::cli {

class Arguments;

/// The section of help for what is seldom wanted.
inline constexpr const char* kLexiconDetails = "Reading the lexicon";

/// The lexicon that a command works with: a file, or words that both vocabularies share.
class LexiconOptions {
 public:
  enum class Sources { file, optional_file, file_or_shared_words };

  void declare(Arguments& arguments, Sources sources);
  /// Only --swap-lexicon and --unchecked-lexicon, for commands that say by use() what to read.
  void declare_details(Arguments& arguments);
  /// A file (or none) and a case policy (empty: the usual one) that the command has options of its own for.
  void use(const std::string& path, const std::string& case_policy);

  /// The file, empty where there is none.
  const std::string& path() const { return path_; }
  bool given() const { return !path_.empty() || identical_ || numerals_; }
  /// As it goes into the provenance: "train.txt", "identical words", "numerals".
  std::string name() const;

  /// Reads the file, where there is one. To be called before the vectors are read: its errors come early then.
  void read(bool lenient, bool drop_identical = false);
  /// The pairs in both vocabularies; says how many there are. InputError for a lexicon that is not one for these two.
  Lexicon find(Session& session, const Vocabulary& source, const Vocabulary& target) const;
  GoldLexicon find_gold(Session& session, const Vocabulary& source, const Vocabulary& target) const;

 private:
  void note_coverage(Session& session, const LexiconCoverage& coverage) const;
  CasePolicy case_policy() const { return parse_case_policy(case_policy_.empty() ? "exact" : case_policy_); }
  LexiconChecks checks() const;
  /// The mistake and the option that helps.
  [[noreturn]] void refuse(const LexiconMistakeError& error) const;

  std::string path_;
  bool identical_ = false, numerals_ = false;
  bool swap_ = false, unchecked_ = false;
  std::string case_policy_;  // empty: exact, unless that finds far too little
  std::optional<WordPairs> pairs_;
};

}  // namespace wordbridge::cli
