#pragma once
#include <limits>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "wordbridge/common_space.h"
#include "wordbridge/criterion.h"
#include "wordbridge/lexicon.h"

namespace wordbridge {
class KnownTranslations;  // hidden
}

namespace [[gnu::visibility("default")]] wordbridge {

struct TranslatorOptions {
  std::string criterion = {};                  // see criterion_names(); empty: the one that goes with the mapping
  CriterionOptions criterion_options = {};     // k and the like
  CasePolicy case_policy = CasePolicy::title;  // people type words in any case
  bool use_subwords = true;                    // words outside the vocabulary by their subwords, where the model can
  Side asking = Side::source;                  // the language that is translated from
  /// Pairs that are known, beside those that the mapping carries: they come first, before what is guessed.
  std::vector<Lexicon::WrittenPair> known = {};
  bool ignore_known = false;  // guess what is known, too, as measurements must
};

/// What came out for one word: the candidates, those that are known before those that are guessed, best first.
struct Translations {
  /// Where the vector of the word came from.
  enum class Origin {
    vocabulary,
    subwords,
    phrase,  // composed: the mean of those of its words
    known,   // it has none, but translations of it are known
    none,    // unknown, or its vector is zero: there are no candidates
  };
  static constexpr WordId kNoId = std::numeric_limits<WordId>::max();
  struct Candidate {
    std::string word;
    WordId id;     // kNoId for a known translation that the vocabulary does not have
    double score;  // not a number for a known translation that the criterion does not rank
    /// Where the criterion gives probabilities (re-ranked): that this is the one translation that it would name, and
    /// that it is a translation at all. The first are shared out among the candidates, the second are not.
    std::optional<double> p_first = std::nullopt, p_translation = std::nullopt;
    bool known = false;     // not guessed: a lexicon says so
    bool composed = false;  // of the translations of a phrase's words
  };

  std::string query;  // as asked
  std::string word;   // as the vocabulary spells it; empty where it does not have it
  Origin origin = Origin::none;
  std::vector<Candidate> candidates;  // what is known first, then best first

  auto begin() const { return candidates.begin(); }
  auto end() const { return candidates.end(); }
};

/// Translates words between two languages that share a space. Several threads may ask at once.
class Translator {
 public:
  /// UsageError where the criterion is unknown.
  explicit Translator(CommonSpace space, const TranslatorOptions& options = {});

  /// The `count` best translations of each word, in the order asked.
  std::vector<Translations> translate(std::span<const std::string> words, std::size_t count) const;
  Translations translate(const std::string& word, std::size_t count) const;

  const Criterion& criterion() const { return *criterion_; }
  /// How many pairs are known.
  std::size_t known_pairs() const;
  const CommonSpace& space() const { return space_; }
  Side asking() const { return options_.asking; }

 private:
  void put_composed_first(const std::vector<WordId>& phrase, std::vector<Translations::Candidate>& candidates) const;

  CommonSpace space_;
  TranslatorOptions options_;
  std::unique_ptr<const Criterion> criterion_;
  std::shared_ptr<const KnownTranslations> known_;
};

}  // namespace wordbridge
