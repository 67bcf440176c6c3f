#include "wordbridge/neighbors/kernel_choice.h"

#include <gmock/gmock.h>

#include <bit>
#include <cmath>
#include <limits>

#include "wordbridge/base/error.h"
#include "wordbridge/base/random.h"
#include "wordbridge/neighbors/neighbor_search.h"
#include "wordbridge/neighbors/search_cases_test_support.h"

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
