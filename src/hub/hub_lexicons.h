#pragma once
#include <cstdint>
#include <string>
#include <vector>

#include "hub/language_list.h"
#include "lexicon/word_pairs.h"

namespace wordbridge {

/// Of the words of a train lexicon, this share is held out where there is neither a validation nor a test lexicon.
constexpr double kHeldOutShare = 0.1;

/// The part of a file that is meant. Words are held out by a digest of their spelling alone, so that every reader of
/// the file cuts it in the same way.
enum class LexiconPart { all, learned, held_out };

/// A file, read from the source language to the target language of a question.
struct LexiconFile {
  std::string path;
  bool swapped = false;  // its target words come first in this direction
  LexiconPart part = LexiconPart::all;
  bool by_target = false;  // words of the target language decide what is held out
};

/// The pairs between two languages: those of some files, or joined through the pivot, where x -> z is in `files` and
/// z -> y in `onward`.
struct LexiconChoice {
  std::vector<LexiconFile> files = {};
  std::vector<LexiconFile> onward = {};

  bool empty() const { return files.empty(); }
  bool joined() const { return !onward.empty(); }
  /// "given", "reversed" or "joined"; with ", held out" behind it where it is a part of a train lexicon.
  std::string origin() const;
  /// All files.
  std::vector<std::string> paths() const;
  /// Everything that decides the pairs, but for the content of the files.
  std::string description() const;
};

/// What a map between two languages is learned from; nothing where there is no train lexicon in either direction.
LexiconChoice train_lexicon(const LanguageList& list, const std::string& source, const std::string& target);
/// The same, joined through the pivot where there is none.
LexiconChoice train_lexicon_or_joined(const LanguageList& list, const std::string& source, const std::string& target);
/// What translations are reported on: the test lexicon, else the validation lexicon, else words held out, in this
/// direction or the other; else, between two languages that are not the pivot, joined: the words are those that are
/// asked of the source language and the pivot, their translations by all lexicons of the pivot and the target language.
LexiconChoice test_lexicon(const LanguageList& list, const std::string& source, const std::string& target);
/// The same by which maps are chosen: the validation lexicon comes first.
LexiconChoice selection_lexicon(const LanguageList& list, const std::string& source, const std::string& target);

/// Distinct pairs, in order. InputError for a file that is no lexicon.
WordPairs read_pairs(const LexiconChoice& choice, bool lenient);

/// Whether the word is held out.
bool is_held_out(std::string_view word);

}  // namespace wordbridge
