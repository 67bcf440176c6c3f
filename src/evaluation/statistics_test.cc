#include "evaluation/statistics.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "wordbridge/error.h"

namespace wordbridge::statistics_test {

namespace {

using ::testing::ElementsAre;

/// A test of as many words as the text has letters; '1' for those that are right.
WordTranslation result_of(const std::string& right) {
  WordTranslation result;
  std::size_t count = 0;
  for (const char letter : right) {
    WordTranslation::Word word;
    word.word = "w" + std::to_string(result.words.size());
    word.rank = letter == '1' ? 1 : 2;
    count += letter == '1';
    result.words.push_back(word);
  }
  result.all.words = right.size();
  result.all.precision[0] = 100 * static_cast<double>(count) / static_cast<double>(right.size());
  return result;
}

std::string times(std::size_t count, const std::string& text) {
  std::string result;
  for (std::size_t i = 0; i < count; ++i) result += text;
  return result;
}

TEST(PairedBootstrap, CountsWhatDiffers) {
  const PairedBootstrap result = compare(result_of("1100"), result_of("1011"), {.samples = 100});
  EXPECT_EQ(result.words, 4);
  EXPECT_EQ(result.first, 50);
  EXPECT_EQ(result.second, 75);
  EXPECT_EQ(result.difference(), 25);
  EXPECT_EQ(result.only_first, 1);
  EXPECT_EQ(result.only_second, 2);
}

TEST(PairedBootstrap, NoDifference) {
  const PairedBootstrap result = compare(result_of("1010"), result_of("1010"), {.samples = 50});
  EXPECT_EQ(result.p_value, 1);
  EXPECT_EQ(result.low, 0);
  EXPECT_EQ(result.high, 0);
}

// 100 words, of which 20 gain and 10 lose: the difference is 10 with a standard deviation of sqrt(30 - 1) = 5.4
// percent, so about 95% of the samples are within 10 +- 10.6, and one in 15 is below 0 or above 20.
TEST(PairedBootstrap, AgreesWithTheNormalApproximation) {
  const std::string first = times(20, "0") + times(10, "1") + times(70, "1");
  const std::string second = times(20, "1") + times(10, "0") + times(70, "1");
  const PairedBootstrap result = compare(result_of(first), result_of(second));
  EXPECT_NEAR(result.difference(), 10, 1e-9);
  EXPECT_NEAR(result.low, -0.6, 1.1);
  EXPECT_NEAR(result.high, 20.6, 1.1);
  EXPECT_NEAR(result.p_value, 0.065, 0.025);
}

TEST(PairedBootstrap, ClearDifference) {
  const PairedBootstrap result = compare(result_of(times(50, "01")), result_of(times(50, "11")), {.samples = 999});
  EXPECT_DOUBLE_EQ(result.p_value, 2.0 / 1000);
  EXPECT_GT(result.low, 30);
  EXPECT_LT(result.high, 70);
  const PairedBootstrap reverse = compare(result_of(times(50, "11")), result_of(times(50, "01")), {.samples = 999});
  EXPECT_DOUBLE_EQ(reverse.p_value, 2.0 / 1000);
  EXPECT_LT(reverse.high, -30);
}

TEST(PairedBootstrap, TheSeedDecides) {
  const WordTranslation first = result_of(times(10, "0110")), second = result_of(times(10, "1011"));
  EXPECT_EQ(compare(first, second, {.samples = 200, .seed = 3}).p_value,
            compare(first, second, {.samples = 200, .seed = 3}).p_value);
  EXPECT_NE(compare(first, second, {.samples = 200, .seed = 3}).p_value,
            compare(first, second, {.samples = 200, .seed = 4}).p_value);
}

TEST(PairedBootstrap, OtherWords) {
  EXPECT_THROW(compare(result_of("10"), result_of("1")), UsageError);
  EXPECT_THROW(compare(result_of(""), result_of("")), UsageError);
  WordTranslation other = result_of("10");
  other.words[1].word = "x";
  EXPECT_THROW(compare(result_of("10"), other), UsageError);
  EXPECT_THROW(compare(result_of("10"), result_of("10"), {.samples = 0}), UsageError);
}

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

}  // namespace wordbridge::statistics_test
