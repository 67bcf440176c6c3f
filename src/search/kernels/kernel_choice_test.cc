#include "search/kernels/kernel_choice.h"

#include <gmock/gmock.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>

#include "base/random.h"
#include "search/neighbor_search.h"
#include "search/search_cases_test_support.h"
#include "wordbridge/error.h"

namespace wordbridge::kernel_choice_test {
namespace {

/// The definition of the score, word by word.
float defined_score(const float* a, const float* b, std::size_t d) {
  double lanes[16] = {};
  for (std::size_t i = 0; i < d; ++i) lanes[i % 16] += double{a[i]} * double{b[i]};
  for (const int step : {8, 4, 2, 1})
    for (int l = 0; l < step; ++l) lanes[l] += lanes[l + step];
  return lanes[0] == 0 ? 0.0f : static_cast<float>(lanes[0]) + 0.0f;
}

class KernelTest : public testing::TestWithParam<const Kernels*> {};

TEST_P(KernelTest, ExactScoreIsTheDefinedOneBitForBit) {
  Random random(1);
  for (const Spread spread : all_spreads())
    for (std::size_t d = 0; d < 70; ++d) {
      const Matrix rows = random_rows(spread, 6, d + 3, random.bits());
      for (std::size_t i = 0; i < 6; ++i)
        for (std::size_t offset = 0; offset < 3; ++offset) {
          const float *a = rows.row(i).data() + offset, *b = rows.row(random.index(6)).data() + offset;
          EXPECT_EQ(std::bit_cast<std::uint32_t>(defined_score(a, b, d)),
                    std::bit_cast<std::uint32_t>(GetParam()->score->exact_score(a, b, d)))
              << name_of(spread) << " " << d;
        }
    }
}

TEST_P(KernelTest, ExactScoreKnownAnswers) {
  const float one = 1, minus_tiny = -std::numeric_limits<float>::denorm_min();
  EXPECT_EQ(GetParam()->score->exact_score(&one, &one, 1), 1.0f);
  const float product = GetParam()->score->exact_score(&minus_tiny, &minus_tiny, 1);
  EXPECT_EQ(product, 0.0f);
  const float small = 1e-30f, negative = -1e-30f;
  EXPECT_FALSE(std::signbit(GetParam()->score->exact_score(&small, &negative, 1)));
  std::vector<float> a(33, 1.0f), b(33, 0.0f);
  b[0] = 1e30f;
  b[16] = 1.0f;
  b[32] = -1e30f;  // all in lane 0: the 1 is lost
  EXPECT_EQ(GetParam()->score->exact_score(a.data(), b.data(), 33), 0.0f);
  std::swap(b[16], b[17]);  // lane 1
  EXPECT_EQ(GetParam()->score->exact_score(a.data(), b.data(), 33), 1.0f);
}

TEST_P(KernelTest, SelectNotBelow) {
  Random random(2);
  const float infinity = std::numeric_limits<float>::infinity();
  for (std::size_t count = 0; count < 300; ++count) {
    std::vector<float> scores(count);
    for (float& score : scores) score = static_cast<float>(random.normal());
    if (count > 5) {
      scores[random.index(count)] = std::numeric_limits<float>::quiet_NaN();
      scores[random.index(count)] = -infinity;
      scores[random.index(count)] = infinity;
    }
    const float ties = count == 0 ? 0.0f : scores[random.index(count)];
    for (const float threshold : {1.5f, ties, 0.0f, -infinity, infinity, std::numeric_limits<float>::quiet_NaN()}) {
      std::vector<std::uint32_t> expected, passed(count);
      for (std::size_t i = 0; i < count; ++i)
        if (!(scores[i] < threshold)) expected.push_back(static_cast<std::uint32_t>(i));
      passed.resize(GetParam()->score->select_not_below(scores.data(), count, threshold, passed.data()));
      EXPECT_EQ(passed, expected) << count << " " << threshold;
    }
  }
}

TEST_P(KernelTest, MoveLevels) {
  Random random(4);
  const float infinity = std::numeric_limits<float>::infinity();
  for (std::size_t count = 0; count < 80; ++count) {
    std::vector<std::uint8_t> levels(count + 1, 7), before;
    std::vector<float> bounds(count), gains;
    for (std::size_t i = 0; i < count; ++i) levels[i] = static_cast<std::uint8_t>(random.index(256));
    for (float& bound : bounds) bound = static_cast<float>(random.normal());
    before = levels;
    gains = bounds;
    const LevelMove move{0.01f, -1.0f, -2.0f, 60.0f};
    GetParam()->score->move_levels(levels.data(), count, move, bounds.data());
    EXPECT_EQ(levels[count], 7);
    for (std::size_t i = 0; i < count; ++i) {
      const float value = static_cast<float>(before[i]) * 0.01f + -1.0f + gains[i];
      EXPECT_EQ(bounds[i], before[i] == 255 ? infinity : value);
      const float level = (bounds[i] + 2.0f) * 60.0f + 1.01f;
      EXPECT_EQ(levels[i], static_cast<int>(std::clamp(level, 0.0f, 255.0f))) << bounds[i];
    }
  }
}

/// The loops of the encoder against their definitions.
TEST_P(KernelTest, EncodeLoops) {
  const EncodeKernel& loops = *GetParam()->encode;
  Random random(3);
  for (std::size_t count = 0; count < 70; ++count) {
    std::vector<float> x(count), v(count), rest(count);
    for (float& value : x) value = static_cast<float>(random.normal());
    for (float& value : v) value = static_cast<float>(random.normal());
    double dot = 0, square = 0, expected_dot = 0, expected_square = 0;
    loops.measure(x.data(), v.data(), count, 0.5, &dot, &square);
    for (std::size_t i = 0; i < count; ++i) {
      expected_dot += 0.5 * double{x[i]} * double{v[i]};
      expected_square += 0.25 * double{x[i]} * double{x[i]};
    }
    EXPECT_NEAR(dot, expected_dot, 1e-12) << count;
    EXPECT_NEAR(square, expected_square, 1e-12) << count;

    loops.subtract(x.data(), v.data(), count, 0.5, 0.3, rest.data(), &square, &dot);
    expected_dot = expected_square = 0;
    for (std::size_t i = 0; i < count; ++i) {
      EXPECT_EQ(rest[i], static_cast<float>(0.5 * double{x[i]} - 0.3 * double{v[i]}));
      expected_dot += double{rest[i]} * double{v[i]};
      expected_square += double{rest[i]} * double{rest[i]};
    }
    EXPECT_NEAR(dot, expected_dot, 1e-12) << count;
    EXPECT_NEAR(square, expected_square, 1e-12) << count;

    float largest = 0, expected_largest = 0;
    double halves[2], expected_halves[2] = {0, 0};
    loops.measure_halves(x.data(), count, &largest, halves);
    for (std::size_t i = 0; i < count; ++i) {
      expected_largest = std::max(expected_largest, std::fabs(x[i]));
      expected_halves[i / 2 % 2] += double{x[i]} * double{x[i]};
    }
    EXPECT_EQ(largest, expected_largest) << count;
    EXPECT_EQ(loops.largest(x.data(), count), expected_largest) << count;
    EXPECT_NEAR(halves[0], expected_halves[0], 1e-12) << count;
    EXPECT_NEAR(halves[1], expected_halves[1], 1e-12) << count;

    std::vector<std::int8_t> codes(count + 1, 77);
    CodeSums sums;
    const double scale = 0.015625;  // a power of two: x / scale is exact; the largest are cut off
    loops.round_to_codes(x.data(), count, scale, 90, codes.data(), &sums);
    std::int32_t code_sums[2] = {0, 0}, code_squares[2] = {0, 0};
    double residual = 0;
    for (std::size_t i = 0; i < count; ++i) {
      const double code = std::clamp(std::nearbyint(double{x[i]} / scale), -90.0, 90.0);
      EXPECT_EQ(codes[i], code);
      code_sums[i / 2 % 2] += codes[i];
      code_squares[i / 2 % 2] += codes[i] * codes[i];
      residual += std::pow(double{x[i]} - scale * code, 2);
    }
    EXPECT_EQ(codes[count], 77);
    EXPECT_NEAR(sums.residual_square, residual, 1e-12);
    for (const int half : {0, 1}) {
      EXPECT_EQ(sums.sums[half], code_sums[half]) << count;
      EXPECT_EQ(sums.squares[half], code_squares[half]) << count;
    }
  }
}

TEST_P(KernelTest, Transform) {
  for (std::size_t n = 1; n <= 64; n *= 2) {
    std::vector<float> values(n), expected(n);
    for (std::size_t i = 0; i < n; ++i) values[i] = static_cast<float>(i * i % 17);
    for (std::size_t i = 0; i < n; ++i)
      for (std::size_t j = 0; j < n; ++j) expected[i] += (std::popcount(i & j) % 2 == 0 ? 1.0f : -1.0f) * values[j];
    GetParam()->encode->transform(values.data(), n);
    EXPECT_EQ(values, expected) << n;
  }
}

INSTANTIATE_TEST_SUITE_P(All, KernelTest, testing::ValuesIn(available_kernels()),
                         [](const auto& tested) { return std::string(tested.param->name); });

TEST(KernelChoice, PortableIsAlwaysThere) {
  EXPECT_STREQ(available_kernels().back()->name, "portable");
  EXPECT_EQ(&find_kernels("portable"), available_kernels().back());
}

TEST(KernelChoice, UnknownNameNamesTheChoices) {
  try {
    find_kernels("abacus");
    FAIL();
  } catch (const UsageError& error) {
    EXPECT_THAT(error.what(), testing::AllOf(testing::HasSubstr("abacus"), testing::HasSubstr("portable")));
  }
}

TEST(KernelChoice, EnvironmentForces) {
  // Each in a process of its own, because the choice is made once.
  for (const Kernels* candidate : available_kernels()) {
    setenv("WORDBRIDGE_KERNEL", candidate->name, 1);
    EXPECT_EXIT(std::exit(kernel_name() == std::string_view(candidate->name) ? 0 : 1), testing::ExitedWithCode(0), "");
  }
  setenv("WORDBRIDGE_KERNEL", "abacus", 1);
  EXPECT_EXIT(
      {
        try {
          kernels();
        } catch (const UsageError&) {
          std::exit(7);
        }
        std::exit(0);
      },
      testing::ExitedWithCode(7), "");
  unsetenv("WORDBRIDGE_KERNEL");
}

}  // namespace
}  // namespace wordbridge::kernel_choice_test
