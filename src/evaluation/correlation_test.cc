#include "evaluation/correlation.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace wordbridge::correlation_test {
namespace {

using ::testing::ElementsAre;

// Values of SciPy 1.10.1 (Debian 12's python3-scipy), by
//   from scipy.stats import pearsonr, rankdata, spearmanr; spearmanr(x, y)[0]; pearsonr(x, y)[0]; rankdata(v)
constexpr double kTolerance = 1e-12;

// The worked example of Wikipedia's "Spearman's rank correlation coefficient": intelligence and hours of television,
// rho = -29/165.
const std::vector<double> kIntelligence = {106, 100, 86, 101, 99, 103, 97, 113, 112, 110};
const std::vector<double> kTelevision = {7, 27, 2, 50, 28, 29, 20, 12, 6, 17};

const std::vector<double> kTiedX = {1, 2, 2, 3, 3, 3, 4, 7.5, -1, 0};
const std::vector<double> kTiedY = {2, 1, 2, 2, 5, 5, 5, 6, 0, 6};

TEST(Correlation, PublishedExample) {
  EXPECT_NEAR(spearman_correlation(kIntelligence, kTelevision).value(), -29.0 / 165, kTolerance);
  EXPECT_NEAR(pearson_correlation(kIntelligence, kTelevision).value(), -0.07021632602905674, kTolerance);
}

TEST(Correlation, TiesAsInSciPy) {
  EXPECT_NEAR(spearman_correlation(kTiedX, kTiedY).value(), 0.5126993045861062, kTolerance);
  EXPECT_NEAR(pearson_correlation(kTiedX, kTiedY).value(), 0.5497291618280429, kTolerance);
  EXPECT_THAT(shared_ranks(std::vector<double>{3, 1, 4, 1, 5, 9, 2, 6, 5, 3, 5}),
              ElementsAre(4.5, 1.5, 6, 1.5, 8, 11, 3, 10, 8, 4.5, 8));
}

TEST(Correlation, Extremes) {
  const std::vector<double> rising = {1, 2, 3, 4}, curved = {1, 10, 100, 1000}, falling = {9, 7, 5, 3};
  EXPECT_DOUBLE_EQ(spearman_correlation(rising, curved).value(), 1);
  EXPECT_LT(pearson_correlation(rising, curved).value(), 0.95);
  EXPECT_DOUBLE_EQ(pearson_correlation(rising, falling).value(), -1);
  EXPECT_DOUBLE_EQ(spearman_correlation(curved, falling).value(), -1);
}

TEST(Correlation, NotDefined) {
  const std::vector<double> none, one = {1}, same = {0.1, 0.1, 0.1}, different = {1, 2, 3};
  EXPECT_FALSE(pearson_correlation(none, none));
  EXPECT_FALSE(spearman_correlation(one, one));
  EXPECT_FALSE(pearson_correlation(same, different));
  EXPECT_FALSE(spearman_correlation(different, same));
  EXPECT_TRUE(shared_ranks(none).empty());
}

}  // namespace
}  // namespace wordbridge::correlation_test
