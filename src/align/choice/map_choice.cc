#include "align/choice/map_choice.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <optional>
#include <utility>

#include "align/choice/paired_outcomes.h"
#include "align/held_out_translations.h"
#include "align/registry.h"
#include "lexicon/identical_words.h"
#include "lexicon/split.h"
#include "wordbridge/common_space.h"
#include "wordbridge/context.h"

namespace wordbridge {

namespace {

constexpr std::size_t kFewestWords = 100;  // source words of a lexicon that can give some away
constexpr double kMostHeldOut = 1000;      // words
constexpr double kLargestShare = 0.3;
constexpr double kEvident = 0.01;  // p-value below which a difference is none of chance
constexpr std::size_t kNeighbors = 10;

const std::string kVecmap = "VecMap's map", kLearned = "VecMap's map, self-learned", kRcsls = "RCSLS from Procrustes";

std::vector<MapKind> make_kinds() {
  const std::string whitened = "unit,center,unit", unit = "unit";
  const AlignOptions from_procrustes{"rcsls", {{"learning-rate", 25}, {"epochs", 5}}, unit};
  AlignOptions from_procrustes_learned = from_procrustes;
  from_procrustes_learned.options.insert({"self-learn", true});
  return {
      {"RCSLS on VecMap's map, self-learned", {"rcsls", {{"init", "vecmap"}, {"self-learn", true}}, whitened}},
      {kLearned, {"vecmap", {{"self-learn", true}}, whitened}},
      {kVecmap, {"vecmap", {}, whitened}},
      {kRcsls, from_procrustes},
      {"VecMap's map, self-learned without equal words",
       {"vecmap", {{"self-learn", true}, {"self-learn-identical", 0}}, whitened},
       true,
       kVecmap,
       kLearned},
      {"RCSLS on VecMap's map", {"rcsls", {{"init", "vecmap"}}, whitened}, false, kVecmap, kLearned},
      {"RCSLS from Procrustes, self-learned", from_procrustes_learned, false, kRcsls, kLearned},
  };
}

using Outcome = std::vector<std::uint8_t>;  // of each held-out word, 1 where it is right

/// One choose_map(): what came out of the kinds so far.
class Comparison {
 public:
  Comparison(const PreparedProblem& problem, const LexiconSplit& split)
      : problem_(problem),
        train_(split.train),
        words_(split.validation),
        shares_words_(!identical_letter_words(problem.source().vocabulary(), problem.target().vocabulary()).empty()) {}

  bool worth_a_try(const MapKind& kind) const {
    if (kind.without_identical && !shares_words_) return false;
    const auto worse = outcomes_.find(kind.worse), better = outcomes_.find(kind.better);
    if (worse == outcomes_.end() || better == outcomes_.end()) return true;
    return PairedOutcomes::of(worse->second, better->second).p_value() >= kEvident;
  }

  void attempt(const MapKind& kind) {
    Outcome right = outcome_of(kind, problem_for(kind));
    const Outcome& first = outcomes_.empty() ? right : outcomes_.at(kinds_.front()->name);
    const PairedOutcomes paired = PairedOutcomes::of(first, right);
    rows_.push_back({kind.name, percent(right), paired.gained, paired.lost, paired.p_value()});
    kinds_.push_back(&kind);
    outcomes_.emplace(kind.name, std::move(right));
  }

  MapChoice choice() const {
    std::size_t best = 0;
    for (std::size_t i = 1; i < rows_.size(); ++i)
      if (rows_[i].score > rows_[best].score) best = i;
    const std::size_t chosen = rows_[best].p_value < kEvident ? best : 0;
    const Outcome& right = outcomes_.at(rows_[chosen].map);
    const ShareInterval expected = ShareInterval::of(count(right), right.size());
    return {kinds_[chosen], {right.size(), rows_, chosen, 100 * expected.low, 100 * expected.high}};
  }

 private:
  static std::size_t count(const Outcome& right) { return static_cast<std::size_t>(std::ranges::count(right, 1)); }
  static double percent(const Outcome& right) {
    return 100.0 * static_cast<double>(count(right)) / static_cast<double>(right.size());
  }

  /// The same inputs as the kind wants them normalized.
  const PreparedProblem& problem_for(const MapKind& kind) {
    const std::string& steps = kind.options.normalization;
    if (!problem_.keeps_raw() || steps == problem_.normalizer(Side::source).name()) return problem_;
    if (!other_ || steps != other_->normalizer(Side::source).name()) {
      other_.reset();
      other_.emplace(problem_.normalized_as(Normalizer::parse(steps)));
    }
    return *other_;
  }

  Outcome outcome_of(const MapKind& kind, const PreparedProblem& problem) const {
    AlignSettings settings;
    set_options(settings, kind.options.options);
    const Lexicon usable = problem.usable(train_);
    AlignmentResult maps = make_aligner(align_method(kind.options.method), settings)->solve(problem.problem(usable));
    const Mapping mapping(std::move(maps.source_map), {}, {}, std::move(maps.target_map));
    return words_.translated_right(CommonSpace::mapped(mapping, problem.source(), problem.target()), kNeighbors);
  }

  const PreparedProblem& problem_;
  std::optional<PreparedProblem> other_;  // after other steps
  const Lexicon& train_;
  HeldOutTranslations words_;
  bool shares_words_;  // words alike in both languages
  std::vector<ChoiceReport::Row> rows_;
  std::vector<const MapKind*> kinds_;  // of the rows
  std::map<std::string, Outcome> outcomes_;
};

}  // namespace

const std::vector<MapKind>& map_kinds() {
  static const std::vector<MapKind> kKinds = make_kinds();
  return kKinds;
}

MapChoice choose_map(const PreparedProblem& problem) {
  const Lexicon& lexicon = problem.lexicon();
  const std::size_t words = lexicon.source_words().size();
  const MapKind& usual = map_kinds().front();
  if (words < kFewestWords) return {&usual, {.words = 0, .rows = {{.map = usual.name}}, .expected_high = 100}};
  const double share = std::min(kLargestShare, kMostHeldOut / static_cast<double>(words));
  const LexiconSplit split = split_off_rare(lexicon, share, Context::current().seed());
  Comparison comparison(problem, split);
  Stage stage("choosing a map");
  const auto total = static_cast<std::uint64_t>(map_kinds().size());
  std::uint64_t done = 0;
  for (const MapKind& kind : map_kinds()) {
    stage.update(done++, total, kind.name);
    if (comparison.worth_a_try(kind)) comparison.attempt(kind);
  }
  return comparison.choice();
}

}  // namespace wordbridge
