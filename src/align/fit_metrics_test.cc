#include "align/fit_metrics.h"

#include <gtest/gtest.h>

#include <cmath>

namespace wordbridge::fit_metrics_test {
namespace {

TEST(FitMetrics, HandWorked) {
  // W = I; pairs (3, 4)-(3, 4) with cosine 1 and (1, 0)-(0, 2) with cosine 0. Squared error 0 + 1 + 4, ‖Y‖² = 25 + 4.
  PairedRows rows{Matrix(2, 2), Matrix(2, 2)};
  rows.source(0, 0) = rows.target(0, 0) = 3;
  rows.source(0, 1) = rows.target(0, 1) = 4;
  rows.source(1, 0) = 1;
  rows.target(1, 1) = 2;
  const auto metrics = fit_metrics(rows, Matrix::identity(2));
  EXPECT_EQ(metrics.at("pairs"), 2);
  EXPECT_NEAR(metrics.at("mean_cosine"), 0.5, 1e-12);
  EXPECT_NEAR(metrics.at("relative_error"), std::sqrt(5.0 / 29), 1e-12);
}

TEST(FitMetrics, AMapToZeroHasCosineZero) {
  PairedRows rows{Matrix(1, 1), Matrix(1, 1)};
  rows.source(0, 0) = rows.target(0, 0) = 1;
  const auto metrics = fit_metrics(rows, Matrix(1, 1));
  EXPECT_EQ(metrics.at("mean_cosine"), 0);
  EXPECT_EQ(metrics.at("relative_error"), 1);
}

}  // namespace
}  // namespace wordbridge::fit_metrics_test
