#pragma once
#include <cstddef>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/atomic_file.h"

namespace wordbridge {

/// A bilingual dictionary in one direction: whole entries, as other programs are to show them.
struct Dictionary {
  struct Translation {
    std::string word;
    /// That it is the best one, that it is one at all; absent: nobody asked, or it is known.
    std::optional<double> p_first = std::nullopt, p_translation = std::nullopt;
    std::size_t frequency_rank = 0;       // in the target vocabulary, from 1; 0: not in it
    bool known = false;                   // somebody has said so
    std::vector<std::string> forms = {};  // of the same word, without `word` itself
  };
  struct Entry {
    std::string word;
    std::size_t frequency_rank = 0;         // in the source vocabulary, from 1; 0: not in it
    std::vector<Translation> translations;  // best first; at least one
  };

  std::string source_language, target_language;  // BCP 47: "en", "x-source"
  std::vector<Entry> entries;                    // by frequency

  std::string pair() const { return source_language + "-" + target_language; }
};

enum class DictionaryKind { tsv, csv, json_lines, stardict, dictd, apertium, tmx, lift, tei };

/// A format that dictionaries are written in.
struct DictionaryFormat {
  DictionaryKind kind;
  std::string name;                     // "stardict"
  std::vector<std::string> extensions;  // of the file that names the others, the usual one first: ".ifo"
  std::vector<std::string> beside;      // of the files that go with it: ".idx", ".dict"
  bool both_ways;                       // one file holds both directions
  std::string summary;                  // a few words
};

const std::vector<DictionaryFormat>& dictionary_formats();
/// UsageError for a name that is none.
const DictionaryFormat& dictionary_format(std::string_view name);
/// By the extension of a path; nullptr where it tells nothing.
const DictionaryFormat* dictionary_format_of_path(std::string_view path);

/// What was written, and what was not.
struct DictionarySummary {
  std::size_t entries = 0, translations = 0;
  std::size_t left_out = 0;  // entries whose headword the format cannot hold
};

/// The files of a dictionary, opened before the work. Words hold anything: bytes that are not UTF-8 become U+FFFD,
/// control characters blanks, and the `_` between the words of a phrase too, but for tables, where words are as they
/// are in the vectors. What markup means is escaped.
class DictionaryFiles {
 public:
  /// `path` names the main file. With two languages' both directions in files of their own, `.en-es` and `.es-en` go
  /// before its extension. `-` is standard output, for formats of one file. UsageError for what cannot be.
  DictionaryFiles(const DictionaryFormat& format, const std::string& path, const std::string& source_language,
                  const std::string& target_language, bool both_ways);

  /// The paths of all files, without opening any; what cannot be is left to the constructor.
  static std::vector<std::string> names(const DictionaryFormat& format, const std::string& path,
                                        const std::string& source_language, const std::string& target_language,
                                        bool both_ways);
  /// All that will be written.
  std::vector<std::string> paths() const;
  /// The first direction and, where both are wanted, the way back. All files appear, or none.
  DictionarySummary write(std::span<const Dictionary> directions);

 private:
  struct Group {
    std::vector<std::unique_ptr<AtomicFile>> files;  // the main one first
  };
  const DictionaryFormat& format_;
  std::vector<Group> groups_;  // one a direction, or one for both
};

/// A language tag from what a user or a file name says ("en", "wiki.es"); `other` where it is none.
std::string language_tag(std::string_view text, std::string_view other);

// The writers, each from dictionaries to the bytes of the files of a format.

/// Words for people, programs and markup: valid UTF-8, without control characters. `phrases`: `_` becomes a blank.
std::string readable_word(std::string_view word, bool phrases = true);
std::string percent_text(double probability);

std::string to_tsv(const Dictionary& dictionary);
std::string to_csv(const Dictionary& dictionary);
std::string to_json_lines(const Dictionary& dictionary);
/// .ifo, .idx and .dict.
std::vector<std::string> to_stardict(const Dictionary& dictionary, DictionarySummary& summary);
/// .index and .dict.
std::vector<std::string> to_dictd(const Dictionary& dictionary, DictionarySummary& summary);
std::string to_apertium(std::span<const Dictionary> directions);
std::string to_tmx(std::span<const Dictionary> directions);
std::string to_lift(const Dictionary& dictionary);
std::string to_tei(const Dictionary& dictionary);

}  // namespace wordbridge
