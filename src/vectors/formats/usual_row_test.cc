#include "vectors/formats/usual_row.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <vector>

#include "base/random.h"
#include "vectors/formats/text_rows.h"

namespace wordbridge::usual_row_test {
namespace {

/// A line in the middle of other bytes, as in a block of text; behind those the sanitizer watches.
class LineWithMargins {
 public:
  /// `offset`: further bytes before the line, for lines that begin at any address.
  LineWithMargins(const std::string& line, char margin, std::size_t offset = 0)
      : bytes_(offset + UsualRowParser::kBytesBefore + line.size() + UsualRowParser::kBytesAfter, margin) {
    const std::size_t begin = offset + UsualRowParser::kBytesBefore;
    std::ranges::copy(line, bytes_.begin() + static_cast<std::ptrdiff_t>(begin));
    view_ = {bytes_.data() + begin, line.size()};
  }
  std::string_view view() const { return view_; }

 private:
  std::vector<char> bytes_;
  std::string_view view_;
};

bool same_bits(const std::vector<float>& a, const std::vector<float>& b) {
  for (std::size_t i = 0; i < a.size(); ++i)
    if (std::bit_cast<std::uint32_t>(a[i]) != std::bit_cast<std::uint32_t>(b[i])) return false;
  return a.size() == b.size();
}

/// Whatever the quick way makes of the line, the general way agrees. True where it took the line.
bool agrees(UsualRowParser& parser, const std::string& line, std::size_t dimension, std::size_t offset = 0) {
  std::vector<float> values(dimension), expected(dimension);
  bool taken = false;
  for (const char margin : {' ', '1', '\n', '\xFF'}) {
    const LineWithMargins text(line, margin, offset);
    const auto word = parser.parse(text.view(), values);
    taken = word.has_value();
    if (!word) continue;
    const TextRow row = parse_text_row(line, expected);
    EXPECT_EQ(row.kind, TextRow::Kind::row) << line;
    EXPECT_EQ(row.word, *word) << line;
    EXPECT_TRUE(same_bits(values, expected)) << line;
  }
  return taken;
}

TEST(UsualRow, TakesRowsAsProgramsWriteThem) {
  UsualRowParser parser(3);
  for (const std::string line :
       {"the 0.1 -0.25 3.5", "the 0.1 -0.25 3.5 ", "the 0.1 -0.25 3.5\r", "the 0.1 -0.25 3.5 \r",
        "the\t0.1\t-0.25\t3.5", "a 0.12345678 -0.1234567890123456 1.5", "a 1 0 -1", "a 1e-5 -2.5E+3 +1", "1 1 1 1",
        "a .5 5. -0", "\xC2\xA0 0.1 0.2 0.3", "a 1e-40 1e-45 1e-50", "0.1 0.1 0.1 0.1"})
    EXPECT_TRUE(agrees(parser, line, 3)) << line;
}

TEST(UsualRow, LeavesAllOthers) {
  UsualRowParser parser(3);
  for (const std::string line : {"",
                                 " ",
                                 "the",
                                 "the ",
                                 "the 0.1",
                                 "the 0.1 0.2",
                                 "the 0.1 0.2 ",
                                 "the 0.1 0.2 0.3 0.4",
                                 "the  0.1 0.2 0.3",
                                 " 0.1 0.2 0.3",
                                 "the 0.1 0.2  0.3",
                                 "the 0.1 0.2 0.3  ",
                                 "New York 0.1 0.2 0.3",
                                 "the 0.1 x 0.3",
                                 "the 0.1 0.2 nan",
                                 "the 0.1 0.2 inf",
                                 "the 0.1 0.2 0x1p3",
                                 "the 0.1 0.2 1e39",
                                 "the 0.1 0.2 0.3:",
                                 "the 0.1 0.2 0.3/",
                                 "the 0.1 -- 0.3",
                                 "the 0.1 0.2 -",
                                 "the 0.1 0.2 .",
                                 "the 0.1 0.2 0.1.2",
                                 "the : 0.2 0.3",
                                 "the :.1 0.2 0.3",
                                 "the /.1 0.2 0.3",
                                 "the 0.1/ 0.2 0.3",
                                 "the 0.1\v0.2 0.3",
                                 "the 0.1 0.2 0.3 \r ",
                                 "the 0,1 0.2 0.3",
                                 "the 0.1 0.2 1e",
                                 "the 0.1 0.2 0.12345678901234567x"})
    EXPECT_FALSE(agrees(parser, line, 3)) << line;
}

std::string random_number(Random& random) {
  const double value = random.normal() * std::pow(10, static_cast<int>(random.index(6)) - 4);
  char text[64];
  switch (random.index(8)) {
    case 0:
      std::snprintf(text, sizeof(text), "%.5g", value);
      break;
    case 1:
      std::snprintf(text, sizeof(text), "%.*f", static_cast<int>(random.index(25)), value);
      break;
    case 2:
      std::snprintf(text, sizeof(text), "%.*e", static_cast<int>(random.index(20)), value);
      break;
    case 3: {  // close to the middle between two floats, where rounding is hard
      const float low = static_cast<float>(value);
      const double middle = (static_cast<double>(low) + static_cast<double>(std::nextafter(low, 100.0f))) / 2;
      std::snprintf(text, sizeof(text), "%.*f", static_cast<int>(6 + random.index(30)), middle);
      break;
    }
    case 4:
      std::snprintf(text, sizeof(text), "%.9g", static_cast<double>(static_cast<float>(value)));
      break;
    case 5:  // down to denormals and below, up to what float can hold
      std::snprintf(text, sizeof(text), "%.*ge%d", static_cast<int>(1 + random.index(20)), 1 + 8 * random.uniform(),
                    static_cast<int>(random.index(90)) - 52);
      break;
    case 6:  // more digits than a double or an integer of 64 bits can hold
      std::snprintf(text, sizeof(text), "%.*f%d%d", static_cast<int>(15 + random.index(5)), value,
                    static_cast<int>(random.index(1'000'000)), static_cast<int>(random.index(1'000'000)));
      break;
    default:
      std::snprintf(text, sizeof(text), "%d", static_cast<int>(random.index(2000)) - 1000);
  }
  return text;
}

TEST(UsualRow, NumbersAreThoseOfStrtof) {
  Random random(11);
  for (const std::size_t dimension : {1u, 2u, 3u, 50u, 300u}) {
    UsualRowParser parser(dimension);
    for (std::size_t rows = 0; rows < 60'000 / dimension; ++rows) {
      std::string line = "word";
      std::vector<float> expected;
      for (std::size_t i = 0; i < dimension; ++i) {
        const std::string number = random_number(random);
        line += " " + number;
        expected.push_back(std::strtof(number.c_str(), nullptr));
      }
      std::vector<float> values(dimension);
      ASSERT_EQ(parser.parse(LineWithMargins(line, ' ').view(), values), "word") << line;
      ASSERT_TRUE(same_bits(values, expected)) << line;
    }
  }
}

TEST(UsualRow, AnyAddressAndAnyLength) {
  // Blanks are looked for 64 bytes at a time: lines of every length around multiples of that, from every address.
  Random random(14);
  for (std::size_t length = 8; length < 200; ++length) {
    std::string line(1 + random.index(6), 'w');
    std::size_t dimension = 0;
    while (line.size() + 4 <= length) {
      line += " 0." + std::to_string(random.index(10));
      ++dimension;
    }
    line.append(length - line.size(), '5');
    UsualRowParser parser(dimension);
    for (std::size_t offset = 0; offset < 64; offset += 1 + random.index(5))
      EXPECT_TRUE(agrees(parser, line, dimension, offset)) << line;
  }
}

TEST(UsualRow, EveryNumberOfDecimalsAlone) {
  // A row of equals keeps to one of the ways that short and long numbers take.
  Random random(12);
  for (std::size_t decimals = 1; decimals <= 20; ++decimals) {
    UsualRowParser parser(16);
    for (int row = 0; row < 2000; ++row) {
      std::string line = "w";
      std::vector<float> expected;
      for (int i = 0; i < 16; ++i) {
        std::string number = random.index(2) == 0 ? "-" : "";
        number += static_cast<char>('0' + random.index(random.index(2) == 0 ? 1 : 10));
        number += '.';
        for (std::size_t digit = 0; digit < decimals; ++digit)
          number += static_cast<char>('0' + random.index(random.index(3) == 0 ? 1 : 10));
        line += " " + number;
        expected.push_back(std::strtof(number.c_str(), nullptr));
      }
      std::vector<float> values(16);
      ASSERT_TRUE(parser.parse(LineWithMargins(line, '9').view(), values)) << line;
      ASSERT_TRUE(same_bits(values, expected)) << line;
    }
  }
}

TEST(UsualRow, AgreesOnRandomlyDamagedRows) {
  Random random(13);
  const std::string letters = "0123456789.-+eE \t\r\v\xC2\xA0nax/:";
  int taken = 0;
  for (int trial = 0; trial < 40'000; ++trial) {
    const std::size_t dimension = 1 + random.index(8);
    std::string line = "word";
    for (std::size_t i = 0; i < dimension; ++i) line += " " + random_number(random);
    for (std::size_t changes = random.index(3); changes > 0; --changes) {
      const std::size_t at = random.index(line.size());
      if (random.index(2) == 0)
        line[at] = letters[random.index(letters.size())];
      else
        line.insert(at, 1, letters[random.index(letters.size())]);
    }
    UsualRowParser parser(dimension);
    taken += agrees(parser, line, dimension);
  }
  EXPECT_GT(taken, 10'000);
}

}  // namespace
}  // namespace wordbridge::usual_row_test
