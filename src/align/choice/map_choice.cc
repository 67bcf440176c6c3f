#include "align/choice/map_choice.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <optional>
#include <utility>

#include "align/choice/paired_outcomes.h"
#include "align/held_out_translations.h"
#include "lexicon/identical_words.h"
#include "retrieval/rerank/candidates.h"
#include "retrieval/rerank/cross_fitting.h"
#include "wordbridge/common_space.h"
#include "wordbridge/context.h"

namespace wordbridge {

namespace {

constexpr std::size_t kFewestWords = 100;  // source words of a lexicon that can give some away
constexpr double kEvident = 0.01;          // p-value below which a difference is none of chance
constexpr double kSuspicious = 0.05;       // and below which it is worth a closer look
constexpr std::size_t kNeighbors = 10;

const std::string kVecmap = "VecMap's map", kRcsls = "RCSLS from Procrustes";

std::vector<MapKind> make_kinds() {
  const std::string whitened = "unit,center,unit", unit = "unit";
  const AlignOptions from_procrustes{"rcsls", {{"learning-rate", 25}, {"epochs", 5}}, unit};
  AlignOptions from_procrustes_learned = from_procrustes;
  from_procrustes_learned.options.insert({"self-learn", true});
  return {
      {.name = "RCSLS on VecMap's map, self-learned",
       .options = {"rcsls", {{"init", "vecmap"}, {"self-learn", true}}, whitened}},
      {.name = kVecmap, .options = {"vecmap", {}, whitened}, .cheap = true},
      {.name = "VecMap's map, self-learned", .options = {"vecmap", {{"self-learn", true}}, whitened}},
      {.name = kRcsls, .options = from_procrustes},
      {.name = "VecMap's map, self-learned without equal words",
       .options = {"vecmap", {{"self-learn", true}, {"self-learn-identical", 0}}, whitened},
       .without_identical = true,
       .follows = kVecmap},
      {.name = "RCSLS on VecMap's map", .options = {"rcsls", {{"init", "vecmap"}}, whitened}, .follows = kVecmap},
      {.name = "RCSLS from Procrustes, self-learned", .options = from_procrustes_learned, .follows = kRcsls},
  };
}

std::size_t count_right(const MapOutcome& outcome) { return static_cast<std::size_t>(std::ranges::count(outcome, 1)); }

double percent_right(const MapOutcome& outcome) {
  return 100.0 * static_cast<double>(count_right(outcome)) / static_cast<double>(outcome.size());
}

/// How the kinds of a problem translate the words that a fold holds out.
class KindJudge {
 public:
  KindJudge(const PreparedProblem& problem, const Fold& fold, const MapChoiceOptions& options, const MakeKind& make)
      : problem_(problem), fold_(fold), words_(fold.held_out), options_(options), make_(make) {}

  MapOutcome judge(const MapKind& kind) {
    space_of_usual_.reset();
    const bool usual = &kind == &map_kinds().front();
    const PreparedProblem& problem = problem_for(kind);
    AlignmentResult maps = make_(kind).solve(problem.problem(fold_.known));
    const Mapping mapping(std::move(maps.source_map), {}, {}, std::move(maps.target_map));
    const CommonSpace space = CommonSpace::mapped(mapping, problem.source(), problem.target());
    MapOutcome outcome = usual && options_.reranks
                             ? words_.translated_right(CandidateFinder(space, nullptr).by_csls(words_.words()))
                             : words_.translated_right(space, kNeighbors);
    if (usual) space_of_usual_ = space;
    return outcome;
  }

  std::optional<CommonSpace> take_space_of_usual() { return std::exchange(space_of_usual_, std::nullopt); }

 private:
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

  const PreparedProblem& problem_;
  std::optional<PreparedProblem> other_;  // after other steps
  const Fold& fold_;
  HeldOutTranslations words_;
  MapChoiceOptions options_;
  const MakeKind& make_;
  std::optional<CommonSpace> space_of_usual_;  // while no other is judged
};

}  // namespace

const std::vector<MapKind>& map_kinds() {
  static const std::vector<MapKind> kKinds = make_kinds();
  return kKinds;
}

RaceResult race(std::span<const MapKind* const> kinds, ComparedKinds compared, const MapJudge& judge) {
  std::map<const MapKind*, MapOutcome> outcomes;
  Stage stage("choosing a map");
  const auto learn = [&](const MapKind* kind) {
    stage.update(outcomes.size(), kinds.size(), kind->name);
    outcomes.emplace(kind, judge(*kind));
  };
  const auto is_behind = [&](const MapKind* kind, double p_value) {
    return std::ranges::any_of(outcomes, [&](const auto& other) {
      return PairedOutcomes::of(outcomes.at(kind), other.second).p_value() < p_value;
    });
  };
  const MapKind* const usual = kinds.front();
  for (const MapKind* kind : kinds)
    if (kind->cheap) learn(kind);
  learn(usual);
  const bool all = compared == ComparedKinds::all || is_behind(usual, kSuspicious);
  for (const MapKind* kind : kinds) {
    if (!all || outcomes.contains(kind)) continue;
    const auto before = std::ranges::find(kinds, kind->follows, &MapKind::name);
    if (before == kinds.end() || (outcomes.contains(*before) && !is_behind(*before, kEvident))) learn(kind);
  }
  RaceResult result{.report = {.words = outcomes.at(usual).size()}};
  std::vector<ChoiceReport::Row>& rows = result.report.rows;
  std::vector<const MapKind*> learned;
  for (const MapKind* kind : kinds)
    if (const auto outcome = outcomes.find(kind); outcome != outcomes.end()) {
      const PairedOutcomes paired = PairedOutcomes::of(outcomes.at(usual), outcome->second);
      rows.push_back({kind->name, percent_right(outcome->second), paired.gained, paired.lost, paired.p_value()});
      learned.push_back(kind);
    }
  const auto best =
      static_cast<std::size_t>(std::ranges::max_element(rows, {}, &ChoiceReport::Row::score) - rows.begin());
  result.report.chosen = rows[best].p_value < kEvident ? best : 0;
  result.kind = learned[result.report.chosen];
  const MapOutcome& right = outcomes.at(result.kind);
  const ShareInterval expected = ShareInterval::of(count_right(right), right.size());
  result.report.expected_low = 100 * expected.low;
  result.report.expected_high = 100 * expected.high;
  return result;
}

MapChoice choose_map(const PreparedProblem& problem, const MapChoiceOptions& options, const MakeKind& make) {
  const Lexicon& lexicon = problem.problem().lexicon;
  const MapKind& usual = map_kinds().front();
  if (lexicon.source_words().size() < kFewestWords)
    return {{&usual, {.words = 0, .rows = {{.map = usual.name}}, .expected_high = 100}}};
  const bool shares_words =
      !identical_letter_words(problem.source().vocabulary(), problem.target().vocabulary()).empty();
  const bool any_normalization = options.any_normalization || problem.keeps_raw();
  std::vector<const MapKind*> kinds;
  for (const MapKind& kind : map_kinds())
    if ((shares_words || !kind.without_identical) &&
        (any_normalization || kind.options.normalization == usual.options.normalization))
      kinds.push_back(&kind);
  const std::vector<Fold> folds = make_folds(lexicon, {.seed = Context::current().seed()});
  KindJudge judge(problem, folds.front(), options, make);
  MapChoice choice{race(kinds, options.compared, [&](const MapKind& kind) { return judge.judge(kind); })};
  if (choice.kind == &usual) choice.space = judge.take_space_of_usual();
  return choice;
}

}  // namespace wordbridge
