#include "align/rcsls/rcsls_options.h"

#include <gtest/gtest.h>

#include <functional>
#include <limits>

#include "wordbridge/error.h"

namespace wordbridge::rcsls_options_test {
namespace {

TEST(RcslsOptionsTest, TheDefaultsAreThePapers) {
  const RcslsOptions options;
  EXPECT_NO_THROW(check(options));
  EXPECT_EQ(options.neighbors, 10u);
  EXPECT_EQ(options.max_negatives, 200'000u);
  EXPECT_EQ(options.pool, NeighborPool::extended);
  EXPECT_EQ(options.constraint, "none");
  EXPECT_EQ(kDefaultLearningRate, 25);
  EXPECT_EQ(kDefaultEpochs, 10);
  EXPECT_EQ(options.selection.learning_rates, (std::vector<double>{1, 10, 25, 50}));
  EXPECT_EQ(options.selection.epochs, (std::vector<int>{10, 20}));
}

TEST(RcslsOptionsTest, WhatCannotBeIsRefused) {
  const double nan = std::numeric_limits<double>::quiet_NaN();
  const std::vector<std::function<void(RcslsOptions&)>> mistakes = {
      [](RcslsOptions& o) { o.constraint = "unitary"; },
      [](RcslsOptions& o) { o.loss = "hinge"; },
      [](RcslsOptions& o) { o.temperature = 0; },
      [](RcslsOptions& o) { o.max_negatives = 0; },
      [](RcslsOptions& o) { o.neighbors = 0; },
      [](RcslsOptions& o) { o.l2 = -1; },
      [](RcslsOptions& o) { o.learning_rate = 0; },
      [&](RcslsOptions& o) { o.learning_rate = nan; },
      [](RcslsOptions& o) { o.epochs = -1; },
      [](RcslsOptions& o) { o.init = "start.wbmap"; },
      [](RcslsOptions& o) { o.target_map = Matrix(2, 2); },
      [](RcslsOptions& o) {
        o.start_map = Matrix(2, 2);
        o.target_map = Matrix(3, 2);
      },
      [](RcslsOptions& o) { o.session.resume = true; },
      [](RcslsOptions& o) { o.selection.validation = WordPairs{}; },
      [](RcslsOptions& o) {
        o.learning_rate = 5;
        o.selection.mode = SelectionMode::validation;
      },
      [](RcslsOptions& o) { o.selection.learning_rates = {}; },
      [](RcslsOptions& o) {
        o.selection.learning_rates = {1, -1};
      },
      [](RcslsOptions& o) { o.selection.epochs = {}; },
      [](RcslsOptions& o) { o.selection.epochs = {0}; },
      [](RcslsOptions& o) { o.selection.blends = {}; },
      [](RcslsOptions& o) { o.selection.blends = {0}; },
      [](RcslsOptions& o) { o.selection.blends = {1.5}; },
      [](RcslsOptions& o) { o.selection.split = 1; },
      [](RcslsOptions& o) { o.selection.frequent_words = 0; },
  };
  for (std::size_t i = 0; i < mistakes.size(); ++i) {
    RcslsOptions options;
    mistakes[i](options);
    EXPECT_THROW(check(options), UsageError) << "mistake " << i;
  }
}

TEST(RcslsOptionsTest, WhateverChangesTheResultIsDescribed) {
  const auto plain = describe({});
  const std::vector<std::function<void(RcslsOptions&)>> changes = {
      [](RcslsOptions& o) { o.constraint = "spectral"; },
      [](RcslsOptions& o) { o.pool = NeighborPool::train; },
      [](RcslsOptions& o) { o.max_negatives = 5; },
      [](RcslsOptions& o) { o.neighbors = 5; },
      [](RcslsOptions& o) { o.loss = "logsumexp"; },
      [](RcslsOptions& o) { o.l2 = 0.5; },
      [](RcslsOptions& o) { o.learning_rate = 5; },
      [](RcslsOptions& o) { o.epochs = 5; },
      [](RcslsOptions& o) { o.schedule = Schedule::reference; },
      [](RcslsOptions& o) { o.batch = 5; },
      [](RcslsOptions& o) { o.max_pairs = 5; },
      [](RcslsOptions& o) { o.init = "identity"; },
      [](RcslsOptions& o) { o.start_map = Matrix::identity(2); },
      [](RcslsOptions& o) { o.selection.mode = SelectionMode::none; },
      [](RcslsOptions& o) { o.selection.mode = SelectionMode::unsupervised; },
      [](RcslsOptions& o) { o.selection.learning_rates = {5}; },
      [](RcslsOptions& o) { o.selection.epochs = {5}; },
      [](RcslsOptions& o) { o.selection.blends = {0.3}; },
      [](RcslsOptions& o) { o.selection.split = 0.3; },
  };
  for (std::size_t i = 0; i < changes.size(); ++i) {
    RcslsOptions options;
    changes[i](options);
    EXPECT_NE(describe(options), plain) << "change " << i;
  }
  RcslsOptions cool{.loss = "logsumexp", .temperature = 0.1}, warm{.loss = "logsumexp", .temperature = 2};
  EXPECT_NE(describe(cool), describe(warm));
  RcslsOptions one{.start_map = Matrix::identity(2)}, two = one;
  two.start_map = Matrix(2, 2);
  EXPECT_NE(describe(one), describe(two));
}

}  // namespace
}  // namespace wordbridge::rcsls_options_test
