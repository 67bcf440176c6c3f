#include "align/choice/map_choice.h"

#include <gmock/gmock.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <set>

#include "align/aligner_test_support.h"
#include "align/alignment_plan.h"
#include "align/held_out_translations.h"
#include "base/random.h"
#include "retrieval/rerank/cross_fitting.h"
#include "wordbridge/error.h"

namespace wordbridge::map_choice_test {
namespace {

struct Chosen {
  MapChoice choice;
  std::vector<std::string> learned;  // the kinds, in order
};

Chosen choice_for(const SyntheticPair& data, MapChoiceOptions options = {}) {
  using enum Normalizer::Step;
  const PreparedProblem problem(data.source, data.target, data.lexicon, {unit, center, unit}, {},
                                options.compared == ComparedKinds::all);
  std::vector<std::unique_ptr<const Aligner>> aligners;
  Chosen result;
  result.choice = choose_map(problem, options, [&](const MapKind& kind) -> const Aligner& {
    AlignSettings settings;
    set_options(settings, kind.options.options);
    result.learned.push_back(kind.name);
    return *aligners.emplace_back(make_aligner(align_method(kind.options.method), settings));
  });
  return result;
}

TEST(MapChoice, EveryKindCanBeAskedForByName) {
  std::set<std::string> names;
  for (const MapKind& kind : map_kinds()) {
    EXPECT_TRUE(names.insert(kind.name).second) << kind.name;
    EXPECT_NO_THROW(AlignmentPlan{kind.options}) << kind.name;
  }
  std::set<std::string> before;
  for (const MapKind& kind : map_kinds()) {
    EXPECT_TRUE(kind.follows.empty() || before.contains(kind.follows)) << kind.name;
    before.insert(kind.name);
  }
}

TEST(MapChoice, AutosOwnAlignerIsTheFirstKind) {
  const AlignMethod& method = align_method("auto");
  EXPECT_TRUE(method.chooses);
  const SyntheticPair data = synthetic_pair({.noise = 0.1});
  const Mapping first = align(data.source, data.target, data.lexicon, map_kinds().front().options);
  const Mapping automatic = align(data.source, data.target, diagonal_lexicon(99));
  EXPECT_EQ(automatic.provenance.report.choice.value().words, 0u);
  EXPECT_EQ(automatic.provenance.method, "auto");
  EXPECT_EQ(automatic.provenance.options.at("map"), first.provenance.method);
  const auto made = method.make({})->options();
  for (const auto& [name, value] : made) EXPECT_EQ(first.provenance.options.at(name), value) << name;
}

TEST(MapChoice, TheUsualKindIsComparedWithTheCheapOne) {
  const SyntheticPair data = synthetic_pair({.words = 600, .pairs = 400, .noise = 0.02});
  const Chosen chosen = choice_for(data);
  const ChoiceReport& report = chosen.choice.report;
  EXPECT_THAT(chosen.learned, testing::ElementsAre("VecMap's map", map_kinds().front().name));
  EXPECT_EQ(report.words, 200u) << "the first fold of a small lexicon";
  EXPECT_EQ(report.rows.front().map, map_kinds().front().name);
  EXPECT_EQ(report.chosen, 0u) << "both find everything";
  EXPECT_EQ(chosen.choice.kind, &map_kinds().front());
  EXPECT_TRUE(chosen.choice.space.has_value()) << "for the re-ranker";
  EXPECT_GT(report.rows.front().score, 95);
  EXPECT_LT(report.expected_low, report.rows.front().score);
  EXPECT_GT(report.expected_high, report.expected_low);
}

TEST(MapChoice, AllKindsAreComparedOnRequest) {
  const SyntheticPair data = synthetic_pair({.words = 600, .pairs = 400, .noise = 0.02});
  const Chosen chosen = choice_for(data, {.compared = ComparedKinds::all});
  EXPECT_EQ(chosen.choice.report.rows.size(), map_kinds().size() - 1) << "no words are alike";
  for (const auto& row : chosen.choice.report.rows)
    EXPECT_NE(row.map, "VecMap's map, self-learned without equal words");
}

TEST(MapChoice, TheSpaceIsThatOfTheFirstFold) {
  const SyntheticPair data = synthetic_pair({.words = 500, .pairs = 200, .noise = 0.1});
  for (const bool reranks : {false, true}) {
    const MapChoice choice = choice_for(data, {.reranks = reranks}).choice;
    const auto folds = make_folds(data.lexicon, {.seed = Context::current().seed()});
    const HeldOutTranslations words(folds.front().held_out);
    const MapOutcome right = words.translated_right(choice.space.value(), 10);
    EXPECT_EQ(choice.report.rows.front().score, 100.0 * static_cast<double>(std::ranges::count(right, 1)) / 100);
  }
}

/// Kinds of map whose chances to have a word right are known, judged on words that are equally hard for all of them.
class SimulatedKinds {
 public:
  /// `gains`: of the kinds over the usual one, in standard deviations of a word's difficulty.
  SimulatedKinds(std::span<const MapKind* const> kinds, std::vector<double> gains, std::size_t words, Random& random)
      : kinds_(kinds), gains_(std::move(gains)), random_(random) {
    for (std::size_t i = 0; i < words; ++i) difficulty_.push_back(random.normal());
  }

  MapOutcome judge(const MapKind& kind) {
    if (const auto known = outcomes_.find(&kind); known != outcomes_.end()) return known->second;
    MapOutcome outcome;
    for (const double hard : difficulty_) outcome.push_back(gain_of(&kind) + 0.5 * random_.normal() > hard);
    learned += 1;
    return outcomes_.emplace(&kind, std::move(outcome)).first->second;
  }
  /// The chance of a word to be right: the normal distribution's, with both deviations.
  double truth_of(const MapKind* kind) const { return 50 * std::erfc(-gain_of(kind) / std::sqrt(2 * 1.25)); }

  int learned = 0;

 private:
  double gain_of(const MapKind* kind) const {
    return gains_[static_cast<std::size_t>(std::ranges::find(kinds_, kind) - kinds_.begin())];
  }

  std::span<const MapKind* const> kinds_;
  std::vector<double> gains_;
  Random& random_;
  std::vector<double> difficulty_;
  std::map<const MapKind*, MapOutcome> outcomes_;
};

struct Simulation {
  int others = 0;      // races that chose another kind than a comparison of all
  double cost = 0;     // of the race, in points of P@1 on average, beside that comparison
  double learned = 0;  // kinds on average
};

/// Many races on 1,500 words; kinds differ from the usual one as `gain_of` draws it.
Simulation simulate(int races, const std::function<double(const MapKind&, Random&)>& gain_of) {
  std::vector<const MapKind*> kinds;
  for (const MapKind& kind : map_kinds()) kinds.push_back(&kind);
  Random random(1);
  Simulation result;
  for (int i = 0; i < races; ++i) {
    std::vector<double> gains(kinds.size());
    for (std::size_t k = 1; k < kinds.size(); ++k) gains[k] = gain_of(*kinds[k], random);
    SimulatedKinds simulated(kinds, gains, 1500, random);
    const auto judge = [&](const MapKind& kind) { return simulated.judge(kind); };
    const MapKind* raced = race(kinds, ComparedKinds::needed, judge).kind;
    result.learned += static_cast<double>(simulated.learned) / races;
    // Without stopping: no kind follows another.
    std::vector<MapKind> free;
    for (const MapKind* kind : kinds) free.push_back(*kind);
    for (MapKind& kind : free) kind.follows.clear();
    std::vector<const MapKind*> all;
    for (const MapKind& kind : free) all.push_back(&kind);
    const auto place = [&](const MapKind& kind) { return static_cast<std::size_t>(&kind - free.data()); };
    const MapKind* full = kinds[place(
        *race(all, ComparedKinds::all, [&](const MapKind& kind) { return judge(*kinds[place(kind)]); }).kind)];
    result.others += raced != full;
    result.cost += (simulated.truth_of(full) - simulated.truth_of(raced)) / races;
  }
  return result;
}

bool learns_itself(const MapKind& kind) { return kind.options.options.contains("self-learn"); }

/// What was measured on all pairs of languages so far: no kind is better than the usual one.
TEST(MapRace, WhereTheUsualKindIsBestTwoKindsAreLearned) {
  const Simulation simulation = simulate(
      200, [](const MapKind& kind, Random& random) { return (kind.cheap ? -0.2 : -0.1) + 0.05 * random.normal(); });
  EXPECT_LE(simulation.others, 2);
  EXPECT_LT(simulation.cost, 0.02);
  EXPECT_LT(simulation.learned, 2.2);
}

/// Where self-learning misleads, the plain kinds are better, and the cheap one among them tells.
TEST(MapRace, WhereSelfLearningMisleadsTheOthersAreFound) {
  const Simulation simulation = simulate(100, [](const MapKind& kind, Random& random) {
    return (learns_itself(kind) ? 0.0 : 0.3) + 0.05 * random.normal();
  });
  EXPECT_LE(simulation.others, 5);
  EXPECT_LT(simulation.cost, 0.05);
}

/// What the race cannot see: a kind that is better although the cheap one is not.
TEST(MapRace, AKindThatIsBetterAloneIsMissed) {
  const Simulation simulation = simulate(100, [](const MapKind& kind, Random& random) {
    return (kind.name == "RCSLS from Procrustes" ? 0.1 : -0.1) + 0.02 * random.normal();
  });
  EXPECT_GT(simulation.others, 50);
  EXPECT_GT(simulation.cost, 1);
  EXPECT_LT(simulation.cost, 5);
}

TEST(MapChoice, OptionsOfMethodsAreNoneOfAuto) {
  EXPECT_THROW(AlignmentPlan({.method = "auto", .options = {{"learning-rate", 10}}}), UsageError);
  EXPECT_THROW(AlignmentPlan({.method = "auto", .options = {{"self-learn", true}}}), UsageError);
  EXPECT_THROW(AlignmentPlan({.method = "procrustes", .options = {{"refine", 1}, {"refine-with", "auto"}}}),
               UsageError);
  const SyntheticPair data = synthetic_pair();
  const Mapping refined =
      align(data.source, data.target, diagonal_lexicon(50), {.method = "auto", .options = {{"refine", 1}}});
  EXPECT_EQ(refined.provenance.method, "auto");
  EXPECT_EQ(refined.provenance.report.refinement.size(), 1u);
}

}  // namespace
}  // namespace wordbridge::map_choice_test
