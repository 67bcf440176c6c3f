#include "align/choice/map_choice.h"

#include <gmock/gmock.h>

#include <set>

#include "align/aligner_test_support.h"
#include "align/alignment_plan.h"
#include "wordbridge/error.h"

namespace wordbridge::map_choice_test {
namespace {

ChoiceReport choice_for(const SyntheticPair& data) {
  using enum Normalizer::Step;
  return choose_map(PreparedProblem(data.source, data.target, data.lexicon, {unit, center, unit}, {}, true)).report;
}

TEST(MapChoice, EveryKindCanBeAskedForByName) {
  std::set<std::string> names;
  for (const MapKind& kind : map_kinds()) {
    EXPECT_TRUE(names.insert(kind.name).second) << kind.name;
    EXPECT_NO_THROW(AlignmentPlan{kind.options}) << kind.name;
  }
  for (const MapKind& kind : map_kinds()) {
    EXPECT_EQ(kind.worse.empty(), kind.better.empty());
    EXPECT_TRUE(kind.worse.empty() || (names.contains(kind.worse) && names.contains(kind.better))) << kind.name;
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

TEST(MapChoice, HoldsWordsOutAndSaysWhatToExpect) {
  const SyntheticPair data = synthetic_pair({.words = 600, .pairs = 400, .noise = 0.02});
  const ChoiceReport choice = choice_for(data);
  EXPECT_EQ(choice.words, 120u);
  EXPECT_EQ(choice.rows.front().map, map_kinds().front().name);
  EXPECT_EQ(choice.chosen, 0u) << "all kinds find everything";
  EXPECT_GT(choice.rows.front().score, 95);
  EXPECT_LT(choice.expected_low, choice.rows.front().score);
  EXPECT_GT(choice.expected_high, choice.expected_low);
  for (const ChoiceReport::Row& row : choice.rows) EXPECT_NE(row.map, "VecMap's map, self-learned without equal words");
}

TEST(MapChoice, TheReportIsTheSameForAnyNumberOfTries) {
  const SyntheticPair data = synthetic_pair({.words = 500, .pairs = 200, .noise = 0.1});
  const ChoiceReport one = choice_for(data);
  const ChoiceReport two = choice_for(data);
  ASSERT_EQ(one.rows.size(), two.rows.size());
  for (std::size_t i = 0; i < one.rows.size(); ++i) EXPECT_EQ(one.rows[i].score, two.rows[i].score);
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
