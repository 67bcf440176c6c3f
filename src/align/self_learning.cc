#include "align/self_learning.h"

#include <cmath>
#include <map>
#include <unordered_set>
#include <utility>
#include <vector>

#include "lexicon/identical_words.h"
#include "wordbridge/error.h"

namespace wordbridge {

namespace {

constexpr std::size_t kSmallLexicon = 3000;  // source words, below which equal words count for more
constexpr double kIdenticalWeight = 0.25, kIdenticalWeightWithFew = 0.5;
constexpr std::size_t kIdenticalRank = 20'000;
constexpr std::size_t kIdenticalLetters = 4;

/// Words that both languages write alike and that the lexicon says nothing of.
std::vector<Lexicon::Pair> identical_pairs(const AlignmentProblem& problem, double weight) {
  std::unordered_set<WordId> known;
  for (const Lexicon::Pair& pair : problem.lexicon.pairs()) known.insert(pair.source);
  std::vector<Lexicon::Pair> pairs;
  const Lexicon alike = identical_letter_words(problem.source.vocabulary(), problem.target.vocabulary(), kIdenticalRank,
                                               kIdenticalLetters);
  for (const Lexicon::Pair& pair : alike.pairs())
    if (!known.contains(pair.source) && !is_zero(problem.source.table().row(pair.source)) &&
        !is_zero(problem.target.table().row(pair.target)))
      pairs.push_back({pair.source, pair.target, weight});
  return pairs;
}

}  // namespace

std::vector<Lexicon::Pair> spread_weights(std::span<const Lexicon::Pair> pairs, double spread) {
  std::vector<Lexicon::Pair> result(pairs.begin(), pairs.end());
  if (spread == 0) return result;
  std::map<WordId, double> of_source, of_target;
  for (const Lexicon::Pair& pair : pairs) {
    ++of_source[pair.source];
    ++of_target[pair.target];
  }
  for (Lexicon::Pair& pair : result) pair.weight *= std::pow(of_source[pair.source] * of_target[pair.target], -spread);
  return result;
}

void check(const SelfLearningOptions& options) {
  const auto is_weight = [](double weight) { return weight >= 0 && std::isfinite(weight); };
  if (options.rounds < 0) throw UsageError("the rounds of self-learning are 0 or more");
  if (options.words == 0) throw UsageError("self-learning needs one word at least of each language");
  if (!(options.weight > 0) || !std::isfinite(options.weight))
    throw UsageError("the weight of the pairs that self-learning finds must be above 0");
  if (options.identical && !is_weight(*options.identical))
    throw UsageError("the weight of equal words in self-learning must be 0 or more");
  if (!is_weight(options.spread)) throw UsageError("the spread of self-learning must be 0 or more");
  if (options.neighbors == 0) throw UsageError("self-learning needs one neighbor at least");
}

const OptionList<SelfLearningOptions>& self_learning_options() {
  static const OptionList<SelfLearningOptions> kList = [] {
    using Options = SelfLearningOptions;
    OptionList<Options> list;
    list.add("self-learn-rounds", &Options::rounds, "Rounds in which words that are each other's best join the lexicon")
        .range(0, 1000);
    list.add("self-learn-words", &Options::words, "Most frequent words of each language among which these are found")
        .at_least(1);
    list.add("self-learn-weight", &Options::weight, "Their weight; a pair of the lexicon has 1").above(0);
    list.add("self-learn-identical", &Options::identical,
             "Weight in the first fit of words that both languages write alike; auto: 0.25, or 0.5 with fewer than "
             "3000 words in the lexicon; 0: none")
        .at_least(0);
    list.add("self-learn-spread", &Options::spread,
             "Pairs of words with several translations lose weight: it is divided by the numbers of translations of "
             "both words to this power")
        .at_least(0);
    return list;
  }();
  return kList;
}

SelfLearningAligner::SelfLearningAligner(std::unique_ptr<const Aligner> rounds, std::unique_ptr<const Aligner> last,
                                         SelfLearningOptions options)
    : SelfLearningAligner(nullptr, std::move(rounds), std::move(last), options) {}

SelfLearningAligner::SelfLearningAligner(std::unique_ptr<const Aligner> start, std::unique_ptr<const Aligner> rounds,
                                         std::unique_ptr<const Aligner> last, SelfLearningOptions options)
    : start_(std::move(start)), rounds_(std::move(rounds)), last_(std::move(last)), options_(options) {
  check(options_);
}

std::map<std::string, std::string> SelfLearningAligner::options() const {
  if (start_) return start_->options();
  auto all = last_->options();
  all.merge(self_learning_options().describe(options_));
  return all;
}

InductionRoundsResult SelfLearningAligner::learn(const AlignmentProblem& problem, AlignmentResult start,
                                                 const Lexicon& first, const std::vector<Lexicon::Pair>& given) const {
  InductionRounds rounds{.name = "self-learning",
                         .rounds = options_.rounds,
                         .induction = {.criterion_options = {.neighbors = options_.neighbors},
                                       .direction = InductionDirection::intersection},
                         .words = options_.words,
                         .choose = [](std::vector<InducedPair> pairs) { return pairs; },
                         .teach = nullptr};
  rounds.teach = [&](const std::vector<InducedPair>& pairs) {
    // Pairs that come again are set aside: those of the lexicon keep their weight.
    std::vector<Lexicon::Pair> all = given;
    for (const InducedPair& pair : pairs) all.push_back({pair.source, pair.target, options_.weight});
    return Lexicon(std::move(all));
  };
  return run_rounds(rounds, problem, std::move(start), first, *rounds_, *last_);
}

AlignmentResult SelfLearningAligner::solve(const AlignmentProblem& problem) const {
  if (start_) {
    AlignmentResult start = start_->solve(problem);
    AlignmentReport report = start.report;
    const std::map<std::string, double> metrics = start.metrics;
    InductionRoundsResult learned = learn(problem, std::move(start), Lexicon(), {});
    report.warnings = std::move(learned.result.report.warnings);
    report.self_learning = SelfLearningReport{0, std::move(learned.rounds)};
    learned.result.report = std::move(report);
    learned.result.metrics.insert(metrics.begin(), metrics.end());
    return std::move(learned.result);
  }
  const bool small = problem.lexicon.source_words().size() < kSmallLexicon;
  const double identical = options_.identical.value_or(small ? kIdenticalWeightWithFew : kIdenticalWeight);
  const std::vector<Lexicon::Pair> given = spread_weights(problem.lexicon.pairs(), options_.spread);
  std::vector<Lexicon::Pair> start = given;
  if (identical > 0 && !given.empty())
    for (const Lexicon::Pair& pair : identical_pairs(problem, identical)) start.push_back(pair);
  const Lexicon first(start);
  const Aligner& starter = options_.rounds == 0 ? *last_ : *rounds_;
  AlignmentResult result = starter.solve({problem.source, problem.target, first, problem.seed});
  InductionRoundsResult learned = learn(problem, std::move(result), first, given);
  learned.result.report.self_learning = SelfLearningReport{start.size() - given.size(), std::move(learned.rounds)};
  return std::move(learned.result);
}

}  // namespace wordbridge
