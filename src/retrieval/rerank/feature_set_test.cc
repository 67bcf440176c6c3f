#include "retrieval/rerank/feature_set.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "retrieval/rerank/forward_features.h"
#include "retrieval/rerank/rerank_test_support.h"
#include "wordbridge/error.h"

namespace wordbridge::feature_set_test {
namespace {

using ::testing::Contains;
using ::testing::Not;

struct Sets {
  PlantedLanguages planted = planted_languages(300, 200, 0.1, 4);
  CommonSpace space{planted.identity(), planted.source, planted.target};
  std::shared_ptr<const SpellingResources> spelling =
      std::make_shared<const SpellingResources>(planted.source.vocabulary(), planted.target.vocabulary());
  LexiconKnowledge knowledge = learn_from_lexicon(planted.lexicon, spelling);

  FeatureSet of(std::string_view choice) const { return {space, spelling, knowledge, FeatureChoice::parse(choice)}; }
};

TEST(FeatureChoice, NamesFamilies) {
  EXPECT_TRUE(FeatureChoice::parse("all").spelling);
  const FeatureChoice choice = FeatureChoice::parse("semantic,frequency");
  EXPECT_TRUE(choice.semantic);
  EXPECT_FALSE(choice.spelling);
  EXPECT_TRUE(choice.frequency);
  for (const char* wrong : {"", "al", "semantic,", "frequency", "spelling;semantic"})
    EXPECT_THROW(FeatureChoice::parse(wrong), UsageError) << wrong;
}

TEST(ObjectionToSpelling, EqualStringsAndIdsTeachNothing) {
  const auto objection = [](std::vector<std::string> source, std::vector<std::string> target) {
    std::vector<Lexicon::Pair> pairs;
    for (WordId i = 0; i < source.size(); ++i) pairs.push_back({i, i});
    return objection_to_spelling(Lexicon(pairs), Vocabulary(std::move(source)), Vocabulary(std::move(target)));
  };
  EXPECT_EQ(objection({"radio", "taxi"}, {"radio", "taxi"}), "2 of 2 pairs are equal strings");
  EXPECT_EQ(objection({"s1", "s2"}, {"t1", "t2"}), "the words of 2 of 2 pairs are ids");
  EXPECT_EQ(objection({"radio", "nation"}, {"radio", "nación"}), std::nullopt);
  EXPECT_EQ(objection({"s1", "night"}, {"t1", "noche"}), std::nullopt);
}

TEST(FeatureSet, FamiliesCanBeLeftOut) {
  const Sets sets;
  const FeatureSet all = sets.of("all");
  EXPECT_EQ(all.names().size(), 45u);
  for (const char* name : {"csls", "mutual", "local wide", "log rank", "edit", "cognate", "suffix 2", "equal x length"})
    EXPECT_THAT(all.names(), Contains(name));
  const FeatureSet meaning = sets.of("semantic");
  for (const char* name : {"log rank", "edit", "cognate", "suffix 2", "equal x cosine"})
    EXPECT_THAT(meaning.names(), Not(Contains(name)));
  EXPECT_THAT(sets.of("spelling").names(), Not(Contains("csls")));
}

TEST(FeatureSet, EachFamilyHasItsColumns) {
  const Sets sets;
  const std::vector<AskingWord> words = {{sets.space.vocabulary(Side::source)[250], 250}};
  const auto lists =
      CandidateFinder(sets.space, sets.spelling).find(words, sets.space.table(Side::source).slice(250, 251));
  const FeatureSet all = sets.of("all");
  const MatrixD values = all.compute(lists[0]);
  EXPECT_EQ(values.rows(), lists[0].size());
  EXPECT_EQ(values.cols(), all.names().size());
  const MatrixD forward = values_of(ForwardFeatures(), lists[0]);
  const auto column = [&](std::string_view name) {
    return static_cast<std::size_t>(std::ranges::find(all.names(), name) - all.names().begin());
  };
  for (std::size_t i = 0; i < values.rows(); ++i) {
    EXPECT_EQ(values(i, column("csls")), forward(i, 1));
    EXPECT_EQ(values(i, column("edit x ngrams")), values(i, column("edit")) * values(i, column("ngrams")));
  }
}

}  // namespace
}  // namespace wordbridge::feature_set_test
