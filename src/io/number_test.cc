#include "io/number.h"

#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <string>

#include "base/random.h"

namespace wordbridge::number_test {
namespace {

void expect_as_strtof(const std::string& text) {
  const auto number = parse_number(text);
  const float expected = std::strtof(text.c_str(), nullptr);
  if (!std::isfinite(expected)) {
    EXPECT_FALSE(number.has_value()) << text;
    return;
  }
  ASSERT_TRUE(number.has_value()) << text;
  EXPECT_EQ(std::bit_cast<std::uint32_t>(*number), std::bit_cast<std::uint32_t>(expected)) << text;
}

TEST(Number, TheUsualForms) {
  for (const char* text : {"0",
                           "-0",
                           "0.0",
                           "-0.0",
                           "1",
                           "+1",
                           "-1.5",
                           ".5",
                           "5.",
                           "-.25",
                           "+.5",
                           "0.13243",
                           "-0.0012345",
                           "123456789",
                           "16777216",
                           "16777217",
                           "16777219",
                           "0.1234567890123",
                           "1e5",
                           "1E-5",
                           "-2.5e+3",
                           "1e-40",
                           "-1e-45",
                           "1e-50",
                           "0e999",
                           "3.4028235e38",
                           "1.17549435e-38",
                           "00012.50",
                           "0.00000000000000000000000000000000000000000000001",
                           "33554431.5",
                           "8388608.5",
                           "8388609.5",
                           "0.000000596046447753906250001",
                           "1.00000005960464477539062500001"})
    expect_as_strtof(text);
}

TEST(Number, WhatIsNoNumber) {
  for (const char* text :
       {"",     "-",   "+",   ".",        "-.",  "e5",    "1e",  "1e+", "abc", "1a",  "a1", "0x10", "0X1p3", "inf",
        "-inf", "nan", "NaN", "infinity", "1,5", "1.2.3", "--1", "+-1", "-+1", "++1", "1 ", " 1",   "1e5.0"})
    EXPECT_FALSE(parse_number(text).has_value()) << text;
}

TEST(Number, OverflowIsNoNumber) {
  for (const char* text : {"1e39", "-1e39", "3.5e38", "1e99999"}) EXPECT_FALSE(parse_number(text).has_value()) << text;
}

TEST(Number, ReadsOnlyItsOwnBytes) {
  const std::string text = "-5 7";
  EXPECT_FALSE(parse_number(std::string_view(text).substr(0, 1)).has_value());
  EXPECT_EQ(parse_number(std::string_view(text).substr(0, 2)), -5.0f);
}

TEST(Number, RandomDecimalsAsStrtof) {
  Random random(1);
  for (int i = 0; i < 200'000; ++i) {
    std::string text = random.index(2) == 0 ? "" : "-";
    const std::size_t whole = random.index(4), decimals = random.index(12) + (whole == 0);
    for (std::size_t d = 0; d < whole; ++d) text += static_cast<char>('0' + random.index(10));
    if (decimals > 0) text += '.';
    for (std::size_t d = 0; d < decimals; ++d) text += static_cast<char>('0' + random.index(10));
    if (random.index(8) == 0) text += "e" + std::to_string(static_cast<int>(random.index(100)) - 50);
    expect_as_strtof(text);
  }
}

TEST(Number, EveryKindOfFloatComesBackFromItsShortestText) {
  Random random(2);
  for (int i = 0; i < 100'000; ++i) {
    const float value = std::bit_cast<float>(static_cast<std::uint32_t>(random.bits()));
    if (!std::isfinite(value)) continue;
    char digits[64];
    std::snprintf(digits, sizeof(digits), "%.9g", static_cast<double>(value));
    const auto number = parse_number(digits);
    ASSERT_TRUE(number.has_value()) << digits;
    EXPECT_EQ(std::bit_cast<std::uint32_t>(*number), std::bit_cast<std::uint32_t>(value)) << digits;
  }
}

}  // namespace
}  // namespace wordbridge::number_test
