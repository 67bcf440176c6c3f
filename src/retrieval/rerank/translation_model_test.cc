#include "retrieval/rerank/translation_model.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

#include "base/random.h"
#include "parallel/threads_test_support.h"
#include "retrieval/rerank/logistic.h"
#include "wordbridge/error.h"

namespace wordbridge::translation_model_test {
namespace {

using ::testing::Contains;

double value_of(const TranslationTerms& terms, const MatrixD& values, std::size_t row, std::string_view name) {
  const auto found = std::ranges::find(terms.names(), name);
  EXPECT_NE(found, terms.names().end()) << name;
  return values(row, static_cast<std::size_t>(found - terms.names().begin()));
}

TEST(TranslationTerms, AreWhatHandsWorkOut) {
  const TranslationTerms terms({"csls", "log rank", "edit"});
  const std::vector<double> scores = {0, std::log(2.0), std::log(5.0)};
  const std::vector<std::size_t> order = {2, 1, 0};
  const std::vector<double> features = {0.1, 3, 0.5, 0.2, 4, 0.25, 0.5, 7, 0};
  const std::vector<std::u32string_view> letters = {U"bancs", U"rive", U"banc"};
  const MatrixD rows = MatrixD::copy_of({features.data(), 3, 3});
  const auto cosine = [](std::size_t i, std::size_t j) { return 0.1 * static_cast<double>(i + j); };
  const MatrixD values = terms.values({scores, order, rows, letters, cosine});
  ASSERT_EQ(values.rows(), 3u);
  EXPECT_NEAR(value_of(terms, values, 0, "log share"), std::log(5.0 / 8), 1e-12);
  EXPECT_EQ(value_of(terms, values, 0, "first"), 1);
  EXPECT_EQ(value_of(terms, values, 0, "like first"), 0);
  EXPECT_NEAR(value_of(terms, values, 2, "below first"), -std::log(5.0), 1e-12);
  EXPECT_NEAR(value_of(terms, values, 2, "like first"), 0.2, 1e-12);
  EXPECT_NEAR(value_of(terms, values, 2, "like better"), 0.2, 1e-12);
  EXPECT_NEAR(value_of(terms, values, 2, "like all"), 5.0 / 8 * 0.2 + 2.0 / 8 * 0.1, 1e-12);
  EXPECT_NEAR(value_of(terms, values, 1, "csls below first"), -0.3, 1e-12);
  EXPECT_NEAR(value_of(terms, values, 1, "rank behind first"), -3, 1e-12);
  EXPECT_NEAR(value_of(terms, values, 2, "spelled as first"), 0.8, 1e-12);
  EXPECT_NEAR(value_of(terms, values, 2, "stem of first"), 1, 1e-12);
  EXPECT_EQ(value_of(terms, values, 1, "edit"), 0.25);
  EXPECT_NEAR(value_of(terms, values, 1, "log-sum"), std::log(8.0), 1e-12);
  EXPECT_NEAR(value_of(terms, values, 1, "unsureness"),
              -(0.625 * std::log(0.625) + 0.25 * std::log(0.25) + 0.125 * std::log(0.125)), 1e-12);
}

TEST(TranslationTerms, LookAtTheBestOnesOnly) {
  const TranslationTerms terms({});
  const std::vector<double> scores(50, 0.0);
  std::vector<std::size_t> order(50);
  for (std::size_t i = 0; i < order.size(); ++i) order[i] = i;
  const MatrixD none(50, 0);
  EXPECT_EQ(terms.values({scores, order, none, {}, {}}).rows(), TranslationTerms::kAsked);
  EXPECT_EQ(terms.values({{}, {}, MatrixD(), {}, {}}).rows(), 0u);
}

/// Words with two columns; the first one decides, at odds of which a model can know.
std::vector<TranslationSample> planted(std::size_t words, std::uint64_t seed) {
  Random random(seed);
  std::vector<TranslationSample> samples;
  for (std::size_t word = 0; word < words; ++word) {
    TranslationSample sample{MatrixD(8, 2), {}, 0, word % 5};
    for (double& value : sample.values.elements()) value = random.normal();
    for (std::size_t i = 0; i < 8; ++i) {
      sample.right.push_back(random.uniform() < logistic(3 * sample.values(i, 0) - 1) ? 1 : 0);
      sample.known += sample.right.back();
    }
    samples.push_back(std::move(sample));
  }
  return samples;
}

TEST(TranslationModel, LearnsWhatWasPlantedAndKnowsHowWell) {
  const std::vector<std::string> names = {"a", "b"};
  const RerankModel::Translations model = fit_translations(names, planted(1500, 1), {});
  EXPECT_EQ(model.words, 1500u);
  EXPECT_NEAR(model.terms[0].weight / model.terms[0].deviation, 3, 0.3);
  EXPECT_NEAR(model.terms[1].weight, 0, 0.15);
  // On other words of the same kind it is as precise as it says.
  const TranslationModel usable(model, names, false);
  for (const auto& point : model.balance) {
    if (std::fmod(point.threshold, 0.2) > 1e-9) continue;
    double taken = 0, right = 0, known = 0;
    for (const TranslationSample& sample : planted(1500, 2)) {
      const auto probabilities = usable.probabilities(sample.values);
      for (std::size_t i = 0; i < 8; ++i) {
        taken += probabilities[i] >= point.threshold;
        right += probabilities[i] >= point.threshold && sample.right[i];
        known += sample.right[i];
      }
    }
    EXPECT_NEAR(right / taken, point.precision, 0.03) << point.threshold;
    EXPECT_NEAR(right / known, point.recall, 0.03) << point.threshold;
  }
}

TEST(TranslationModel, FewWordsAreDrawnToWhatIsKnown) {
  const std::vector<std::string> names = {"a", "b"};
  const RerankModel::Translations center{-3, {{"b", 2, 1, 4}, {"unknown", 7, 0, 1}}, {{0, 1, 1}}, 0};
  const auto model = fit_translations(names, planted(20, 1), {.center = &center, .prior = 1e7});
  EXPECT_NEAR(model.terms[0].weight, 0, 0.01);
  EXPECT_NEAR(model.terms[1].weight, 2, 0.01);
  EXPECT_EQ(model.terms[1].mean, 1);
  EXPECT_EQ(model.terms[1].deviation, 4);
  EXPECT_NEAR(model.intercept, -3, 0.01);
}

TEST(TranslationModel, SameBitsForAnyNumberOfThreads) {
  std::vector<RerankModel::Translations> results;
  for (const int threads : {1, 3}) {
    const WithThreads with(threads);
    results.push_back(fit_translations({"a", "b"}, planted(800, 3), {}));
  }
  EXPECT_EQ(results[0], results[1]);
}

TEST(TranslationModel, TermsMustBeKnownUnlessShipped) {
  const RerankModel::Translations model{0, {{"mood", 1, 0, 1}}, {{0, 1, 1}}, 0};
  EXPECT_THROW(TranslationModel(model, {"a"}, false), UsageError);
  EXPECT_EQ(TranslationModel(model, {"a"}, true).probabilities(MatrixD(1, 1)), std::vector<double>{0.5});
}

TEST(TranslationModel, ShippedTermsAreThoseOfAllFeatures) {
  const TranslationTerms terms({"csls", "log rank", "edit"});
  EXPECT_FALSE(shipped_translations().balance.empty());
  EXPECT_EQ(shipped_translations().words, 0u);
  std::vector<std::string> names;
  for (const auto& term : shipped_translations().terms) names.push_back(term.name);
  for (const std::string& name : terms.names()) EXPECT_THAT(names, Contains(name));
}

TEST(Balance, IsThatOfTheLargestF1OrAsAskedFor) {
  const RerankModel::Translations model{0, {}, {{0, 0.2, 0.9}, {0.3, 0.6, 0.6}, {0.6, 0.8, 0.4}, {0.8, 0.9, 0.1}}, 7};
  EXPECT_EQ(balance_of(model, {}).threshold, 0.3);
  EXPECT_NEAR(balance_of(model, {}).f1, 60, 1e-9);
  EXPECT_EQ(balance_of(model, {.precision = 0.7}).threshold, 0.6);
  EXPECT_EQ(balance_of(model, {.precision = 0.8}).precision, 80);
  EXPECT_EQ(balance_of(model, {.recall = 0.5}).threshold, 0.3);
  EXPECT_EQ(balance_of(model, {.recall = 0.61}).threshold, 0);
  EXPECT_TRUE(balance_of(model, {.recall = 0.61}).reached);
  EXPECT_FALSE(balance_of(model, {.precision = 0.95}).reached);
  EXPECT_EQ(balance_of(model, {.precision = 0.95}).threshold, 0.8);
  EXPECT_FALSE(balance_of(model, {.recall = 0.95}).reached);
  EXPECT_EQ(balance_of(model, {.recall = 0.95}).threshold, 0);
}

}  // namespace
}  // namespace wordbridge::translation_model_test
