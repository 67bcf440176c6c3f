#pragma once
#include <memory>
#include <span>
#include <string_view>
#include <vector>

#include "mapping/rerank_model.h"
#include "retrieval/rerank/alphabet.h"
#include "retrieval/rerank/spelling_resources.h"
#include "retrieval/rerank/suffix_pairs.h"
#include "retrieval/rerank/transducer.h"

namespace wordbridge {

/// How cognates of two languages are spelled: a transducer learned from a lexicon, most of whose pairs are no cognates.
///
/// EM over the pairs, each counted r = sigmoid(log T(x, y) - log U(x) - log U(y) + log(0.2 / 0.8)) times, where U are
/// the letter bigrams of either language: the filter of cognates. r is updated in the first iterations only; left free
/// it goes to 1, and the model learns noise. It starts with 0.8 for equal letters, 0.1 for any two, 0.05 each for a
/// letter that is left out or put in. Long units come in later, from pairs that are likely cognates. Where that finds
/// no cognates, as between scripts, it starts again from any two letters, and looks at all pairs before it filters:
/// what letters stand for each other shows in the pairs alone.
class SpellingModel {
 public:
  using LetterPair = wordbridge::LetterPair;

  /// nullptr where the pairs hold too few cognates.
  static std::shared_ptr<const SpellingModel> fit(std::span<const LetterPair> pairs,
                                                  const SpellingResources& resources);
  /// As it was stored.
  SpellingModel(const RerankModel::Spelling& stored, const SpellingResources& resources);
  RerankModel::Spelling stored() const;

  /// A word x of the source side, ready to be compared with many.
  class Word {
   public:
    Word(const SpellingModel& model, std::u32string_view letters);
    /// log T(x, y) - log U(x) - log U(y): how much more likely the two are cognates than strangers.
    double log_ratio(std::u32string_view target) const;
    /// log T(x, y) - log U(x).
    double log_given(std::u32string_view target) const;
    /// Both at once, of several words.
    struct Logs {
      double ratio, given;
    };
    std::vector<Logs> logs_of(std::span<const std::u32string_view> targets) const;

   private:
    const SpellingModel& model_;
    std::vector<Alphabet::Symbol> symbols_;
    double log_probability_;
  };

 private:
  friend class SpellingModelFit;
  explicit SpellingModel(const SpellingResources& resources);
  SpellingModel(Alphabet source, Alphabet target, const SpellingResources& resources);

  Alphabet source_, target_;
  LetterBigrams source_bigrams_, target_bigrams_;
  Transducer transducer_;
};

}  // namespace wordbridge
