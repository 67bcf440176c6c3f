#pragma once
#include <cstddef>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "wordbridge/align.h"
#include "wordbridge/formats.h"

namespace wordbridge {

/// A language of a hub.
struct LanguageEntry {
  std::string name;                                 // "es"; part of the names of files
  std::string vectors;                              // a file
  std::string method = {};                          // empty: that of the hub
  std::map<std::string, OptionValue> options = {};  // of the method; they come before those of the hub
};

/// The lexicons from one language to another; an empty path: there is none.
struct PairLexicons {
  std::string train = {};
  std::string validation = {};  // by which the star and the joint maps are compared
  std::string test = {};        // which is reported
};

/// How the maps of all languages are learned together (joint_learner.h).
struct JointOptions {
  /// What the pairs of two languages, joined through the pivot where they have no lexicon, count for; those of a
  /// lexicon count 1.
  double joined_weight = 0.3;
  int rounds = 1;  // of RCSLS over all languages; 0: least squares alone
  int epochs = 5;  // of each language in a round
  double learning_rate = 10;
  std::string constraint = "orthogonal";  // of its maps, as in --method rcsls
};

/// Two languages, in the direction of a lexicon.
using LanguagePair = std::pair<std::string, std::string>;

/// What a hub is made of: languages, one of which is the pivot, lexicons between them, and how they are aligned.
struct LanguageList {
  std::string path = {};  // of the file, for messages
  std::string pivot = {};
  std::string method = "procrustes";  // rotations, which go together best
  std::map<std::string, OptionValue> options = {};
  std::string normalization = {};       // of all languages, because the space is one; empty: the method's
  std::size_t max_words = kUsualWords;  // of each table; 0: all
  bool joint = false;                   // learn all maps together, too
  JointOptions joint_options = {};
  std::vector<LanguageEntry> languages = {};  // by name, the pivot among them
  std::map<LanguagePair, PairLexicons> lexicons = {};

  /// Of a list that was checked.
  const LanguageEntry* find(const std::string& name) const;
  /// nullptr where there is none in that direction.
  const PairLexicons* lexicons_of(const std::string& source, const std::string& target) const;

  /// What a language is aligned by: its own settings over those of the hub.
  AlignOptions options_of(const LanguageEntry& language) const;

  /// Brings languages into the order of their names. UsageError where there is no pivot, or nothing beside it, where a
  /// name comes twice or cannot be one of a file, and where a lexicon is between languages that are not in the list.
  void check();
};

/// Reads a list of languages (TOML, defined in docs/many-languages.md); paths in it are relative to its folder.
/// InputError, with the line, for a file that is none.
LanguageList read_language_list(const std::string& path);
/// The same from its text; `path` is for messages, and for the folder.
LanguageList parse_language_list(const std::string& text, const std::string& path);

/// The two languages of a name such as "es-en" among some, by name; languages may have dashes in their names
/// themselves. nullopt if it is no such name.
std::optional<LanguagePair> parse_pair_name(const std::string& name, const std::vector<LanguageEntry>& languages);

/// A list of languages by the names of files, without a file of its own:
///   vectors   es.vec, wiki.es.vec, cc.es.300.vec.gz, es.wbvec: the language is what is left of the name without the
///             extension, `wiki`, `cc`, `crawl` and numbers. Of several files of a language the .wbvec is taken.
///   lexicons  es-en.train.txt (or es-en.0-5000.txt, es-en.txt), es-en.validation.txt, es-en.test.txt (or
///             es-en.5000-6500.txt), .tsv as well.
/// `pivot` is the file of the pivot's vectors, which need not be in the folder, or the name of one of its languages.
/// Other files are left alone. UsageError where the two folders do not make a list.
LanguageList find_languages(const std::string& pivot, const std::string& vectors, const std::string& lexicons);

/// The language that the name of a file of vectors tells; empty for other files.
std::string language_of_file(const std::string& path);

}  // namespace wordbridge
