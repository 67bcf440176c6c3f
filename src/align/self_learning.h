#pragma once
#include <memory>
#include <optional>

#include "align/aligner.h"
#include "align/induction_rounds.h"
#include "base/option_list.h"

namespace wordbridge {

struct SelfLearningOptions {
  int rounds = 3;
  std::size_t words = 15'000;  // most frequent words of each language among which pairs are found
  double weight = 1;           // of the pairs that are found
  /// Of words that both languages write alike, in the first fit; absent: 0.25, or 0.5 with fewer than 3,000 words in
  /// the lexicon; 0: they take no part.
  std::optional<double> identical = std::nullopt;
  /// The weight of a given pair is divided by (m_s m_t)^spread, m_s the pairs of its source word and m_t those of its
  /// target word: one of many translations says less of where a word belongs than the only one.
  double spread = 0.5;
  std::size_t neighbors = 10;  // k of CSLS
};

/// Its options, as users set them.
const OptionList<SelfLearningOptions>& self_learning_options();

/// UsageError for invalid options, before any work is done.
void check(const SelfLearningOptions& options);

/// A method that learns from the lexicon and from what it finds by it: the lexicon and words that both languages write
/// alike make the first fit; then, several times, frequent words that are each other's best by CSLS join the lexicon
/// (and the equal words leave it) for another one. With a small lexicon it gains most.
///
/// AlignmentReport::self_learning tells of the rounds; the rest of the report is that of the last fit, with the
/// warnings of all. Metrics are those of the last fit, on all of its pairs.
class SelfLearningAligner final : public Aligner {
 public:
  /// `rounds` fits the map of all rounds but the last, `last` that one (which may train for long, from the same start).
  /// Both take weights. UsageError for invalid options.
  SelfLearningAligner(std::unique_ptr<const Aligner> rounds, std::unique_ptr<const Aligner> last,
                      SelfLearningOptions options = {});

  /// The first map is that of `start`, which learns without a lexicon: then neither a lexicon nor equal words take
  /// part, and the report is that of the start with the rounds.
  SelfLearningAligner(std::unique_ptr<const Aligner> start, std::unique_ptr<const Aligner> rounds,
                      std::unique_ptr<const Aligner> last, SelfLearningOptions options = {});

  std::string name() const override { return start_ ? start_->name() : last_->name() + "+self-learn"; }
  std::map<std::string, std::string> options() const override;
  AlignmentResult solve(const AlignmentProblem& problem) const override;

 private:
  InductionRoundsResult learn(const AlignmentProblem& problem, AlignmentResult start, const Lexicon& first,
                              const std::vector<Lexicon::Pair>& given) const;

  std::unique_ptr<const Aligner> start_, rounds_, last_;
  SelfLearningOptions options_;
};

/// The pairs with weights divided as `spread` says.
std::vector<Lexicon::Pair> spread_weights(std::span<const Lexicon::Pair> pairs, double spread);

}  // namespace wordbridge
