#include "vectors/formats/row_screen.h"

#include <gmock/gmock.h>

#include <limits>
#include <vector>

#include "vectors/formats/binary_format_test_support.h"

namespace wordbridge::row_screen_test {

namespace {

using ::testing::HasSubstr;

constexpr float kNaN = std::numeric_limits<float>::quiet_NaN();
constexpr float kInfinity = std::numeric_limits<float>::infinity();

TEST(RowScreen, FindsWhatIsNotFiniteAtAnyPlace) {
  for (const std::size_t size : {1, 3, 8, 17, 300}) {
    std::vector<float> values(size, std::numeric_limits<float>::max());
    EXPECT_EQ(values_of(values), RowValues::usual);
    for (std::size_t i = 0; i < size; ++i) {
      for (const float bad : {kNaN, -kNaN, kInfinity, -kInfinity}) {
        std::vector<float> copy = values;
        copy[i] = bad;
        EXPECT_EQ(values_of(copy), RowValues::not_finite);
      }
    }
  }
}

TEST(RowScreen, ZeroMeansBothZeros) {
  std::vector<float> values = {0.0F, -0.0F, 0.0F};
  EXPECT_EQ(values_of(values), RowValues::zero);
  values[2] = std::numeric_limits<float>::denorm_min();
  EXPECT_EQ(values_of(values), RowValues::usual);
}

TEST(RowScreen, CountsWords) {
  ReadSummary summary;
  RowScreen screen(summary, {});
  const std::vector<float> values = {1};
  for (const std::string word : {"a b", "a\u00A0b", "\u3000", "Zürich", "北京"})
    EXPECT_TRUE(screen.keep(1, word, values));
  EXPECT_EQ(summary.spaced_words, 3U);
  EXPECT_EQ(summary.invalid_utf8, 0U);
  // A lone continuation, a cut sequence, an overlong zero, a surrogate, a number beyond Unicode.
  for (const std::string word : {"\x80", "a\xc3", "\xc0\x80", "\xed\xa0\x80", "\xf4\x90\x80\x80"})
    EXPECT_TRUE(screen.keep(1, word, values));
  EXPECT_EQ(summary.invalid_utf8, 5U);
  EXPECT_FALSE(screen.keep(1, "", values));
  EXPECT_EQ(summary.empty_words, 1U);
  EXPECT_EQ(summary.rows, 10U);
}

TEST(RowScreen, DamageIsAnErrorOrCounted) {
  ReadSummary summary;
  summary.path = "x.bin";
  const std::vector<float> bad = {1, kNaN};
  RowScreen strict(summary, {});
  EXPECT_EQ(input_error_of([&] { strict.keep(7, "a\tb", bad); }),
            "x.bin: row 7 ('a\\x09b'): the vector holds NaN or infinity");
  EXPECT_EQ(summary.skipped_rows, 0U);
  RowScreen lenient(summary, {.lenient = true});
  EXPECT_FALSE(lenient.keep(7, "a", bad));
  EXPECT_FALSE(lenient.keep(8, "b", bad));
  lenient.damaged_file("a gap", 10);
  EXPECT_EQ(summary.skipped_rows, 12U);
  EXPECT_THAT(summary.first_skipped, HasSubstr("row 7 ('a')"));
  EXPECT_THAT(input_error_of([&] { lenient.require_rows(); }),
              HasSubstr("no usable word vectors; first: x.bin: row 7"));
}

TEST(RowScreen, IsFullAfterMaxWords) {
  ReadSummary summary;
  RowScreen screen(summary, {.max_words = 1});
  const std::vector<float> values = {1};
  EXPECT_FALSE(screen.full());
  EXPECT_FALSE(screen.keep(1, "", values));
  EXPECT_FALSE(screen.full());
  EXPECT_TRUE(screen.keep(2, "a", values));
  EXPECT_TRUE(screen.full());
}

TEST(RowScreen, QuotesShortly) {
  EXPECT_EQ(quoted_word("a"), "'a'");
  EXPECT_EQ(quoted_word(std::string(61, 'x')), "'" + std::string(60, 'x') + "...'");
}

}  // namespace

}  // namespace wordbridge::row_screen_test
