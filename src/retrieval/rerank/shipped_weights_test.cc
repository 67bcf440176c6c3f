#include "retrieval/rerank/shipped_weights.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <set>
#include <string>

#include "retrieval/rerank/feature_set.h"
#include "retrieval/rerank/rerank_test_support.h"

namespace wordbridge::shipped_weights_test {
namespace {

TEST(ShippedWeights, AreThoseOfAllFeatures) {
  const PlantedLanguages planted = planted_languages(300, 200, 0.1, 4);
  const auto spelling =
      std::make_shared<const SpellingResources>(planted.source.vocabulary(), planted.target.vocabulary());
  const FeatureSet features(CommonSpace(planted.identity(), planted.source, planted.target), spelling,
                            learn_from_lexicon(planted.lexicon, spelling), FeatureChoice());
  std::set<std::string> names;
  for (const RerankModel::Feature& feature : shipped_weights()) {
    EXPECT_TRUE(names.insert(feature.name).second);
    EXPECT_GT(feature.deviation, 0);
    EXPECT_TRUE(std::isfinite(feature.weight) && std::isfinite(feature.mean));
  }
  EXPECT_EQ(names, std::set<std::string>(features.names().begin(), features.names().end()));
}

}  // namespace
}  // namespace wordbridge::shipped_weights_test
