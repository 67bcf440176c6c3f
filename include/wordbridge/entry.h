#pragma once
#include <cstddef>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "wordbridge/translate.h"

namespace wordbridge {
class WordForms;  // hidden
}

namespace [[gnu::visibility("default")]] wordbridge {

/// A word of an entry: a translation that is known, or likely enough.
struct EntryForm {
  std::string word;
  std::optional<WordId> id = std::nullopt;  // in the target vocabulary, where that has it
  double p_first = 0;                       // that it is the one translation to be named first
  double p_translation = 0;                 // that it is a translation at all
  std::size_t rank = 0;                     // among the candidates of the source word, from 1
  bool known = false;                       // a lexicon says so

  /// In the target vocabulary, from 1; 0: it is not there.
  std::size_t frequency_rank() const { return id ? std::size_t{*id} + 1 : 0; }
};

/// The forms of one word (banque, banques), the likeliest first.
struct EntryLine {
  std::vector<EntryForm> forms;
  const EntryForm& leading() const { return forms.front(); }
};

/// What a dictionary says of a source word: known translations first, then the likeliest. It may have no lines: none of
/// the candidates is likely.
struct Entry {
  std::string query;                        // as asked
  std::string word;                         // as the vocabulary spells it; empty: not there
  std::optional<WordId> id = std::nullopt;  // in the source vocabulary
  Translations::Origin origin = Translations::Origin::none;
  std::vector<EntryLine> lines;
};

struct EntryOptions {
  /// The balance: the share of all that is named which shall be right, or the share of all translations which shall be
  /// named. Neither: what makes F1 largest. Both are from 0 to 1, and only one can be asked for.
  std::optional<double> precision = std::nullopt, recall = std::nullopt;
  bool forms_apart = false;     // every form has a line of its own
  std::size_t candidates = 20;  // of each word that are looked at
};

/// From which probability a candidate is taken into an entry, and what that leads to, in percent of translations.
struct EntryBalance {
  double threshold = 0.5;  // of p_translation
  double precision = 0, recall = 0, f1 = 0;
  std::size_t words = 0;  // held out, on which this was measured; 0: measured on other languages
  bool reached = true;    // what was asked for; otherwise this is what comes nearest
};

/// UsageError for a balance that cannot be.
void check_balance(const EntryOptions& options);
/// The balance that the re-ranker of a space leads to. UsageError where it has none, and for one that cannot be.
EntryBalance entry_balance(const CommonSpace& space, const EntryOptions& options = {});

/// Makes entries. Several threads may ask at once.
class EntryMaker {
 public:
  /// UsageError where the translator gives no probabilities (its criterion is another than "rerank"), and for a balance
  /// that cannot be. The translator must live as long.
  explicit EntryMaker(const Translator& translator, const EntryOptions& options = {});

  const EntryBalance& balance() const { return balance_; }
  /// In the order asked.
  std::vector<Entry> entries(std::span<const std::string> words) const;
  /// Hands over the entries of all words from one frequency rank to another (first <= id < last), the most frequent
  /// first; memory does not grow with them.
  void induce(std::size_t first, std::size_t last, const std::function<void(Entry)>& take) const;
  /// What becomes of translations that were looked up already.
  Entry entry_of(const Translations& translations) const;

 private:
  const Translator& translator_;
  EntryLine& line_for(Entry& entry, WordId word) const;

  EntryOptions options_;
  EntryBalance balance_;
  std::shared_ptr<const WordForms> forms_;  // nullptr: apart
};

}  // namespace wordbridge
