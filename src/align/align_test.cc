#include "wordbridge/align.h"

#include <gtest/gtest.h>

#include "align/aligner_test_support.h"
#include "align/linear/procrustes.h"
#include "align/prepared_problem.h"
#include "wordbridge/error.h"

namespace wordbridge::align_test {
namespace {

TEST(AlignByName, DoesWhatTheAlignerDoes) {
  const SyntheticPair data = synthetic_pair();
  Context context({.seed = 7});
  const Context::Scope scope(context);
  const Mapping mapping = align(data.source, data.target, data.lexicon, {.method = "artetxe"});
  using enum Normalizer::Step;
  const Mapping expected =
      PreparedProblem(data.source, data.target, data.lexicon, {unit, center}).solve(ProcrustesAligner());
  EXPECT_EQ(mapping.source_map(), expected.source_map());
  EXPECT_EQ(mapping.provenance.method, "artetxe");
  EXPECT_EQ(mapping.provenance.options.at("map"), "procrustes") << "a preset has a name of its own";
  EXPECT_EQ(mapping.provenance.criterion, "nn");
  EXPECT_EQ(mapping.provenance.seed, 7u);
  EXPECT_EQ(mapping.provenance.options.at("normalization"), "unit,center");
}

TEST(AlignByName, TheDefaultIsAutoAndOptionsGoByName) {
  const SyntheticPair data = synthetic_pair();
  const Mapping usual = align(data.source, data.target, data.lexicon);
  EXPECT_EQ(usual.provenance.method, "auto");
  const Mapping mapping = align(
      data.source, data.target, data.lexicon,
      {.method = "rcsls", .options = {{"learning-rate", "2"}, {"epochs", 3}, {"l2", 0.125}}, .normalization = "none"});
  EXPECT_EQ(mapping.provenance.options.at("learning-rate"), "2");
  EXPECT_EQ(mapping.provenance.options.at("epochs"), "3");
  EXPECT_EQ(mapping.provenance.options.at("l2"), "0.125");
  EXPECT_EQ(mapping.provenance.options.at("normalization"), "none");
  EXPECT_EQ(mapping.provenance.options.count("map"), 0u);
  EXPECT_TRUE(mapping.provenance.report.iterations.has_value());
}

TEST(AlignByName, ALexiconIsForMethodsThatTakeOne) {
  const SyntheticPair data = synthetic_pair();
  EXPECT_THROW(align(data.source, data.target, data.lexicon, {.method = "icp"}), UsageError);
  EXPECT_THROW(align(data.source, data.target, Lexicon(), {.method = "procrustes"}), UsageError);
}

}  // namespace
}  // namespace wordbridge::align_test
