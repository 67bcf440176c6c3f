#include "mapping/plain_matrix.h"

#include <gmock/gmock.h>

#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <filesystem>

#include "base/random.h"
#include "base/temporary_folder_test_support.h"
#include "linalg/blas.h"
#include "wordbridge/error.h"

namespace wordbridge::plain_matrix_test {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using Header = PlainMatrixLayout::Header;

std::string error_of(const std::string& text, PlainMatrixLayout layout = {}) {
  try {
    parse_plain_matrix(text, "w.txt", layout);
  } catch (const InputError& error) {
    return error.what();
  }
  return "no error";
}

// x = (1, 10) maps to (1·1 + 2·10, 3·1 + 4·10, 5·1 + 6·10) = (21, 43, 65) under W = [[1, 2], [3, 4], [5, 6]].
const std::vector<float> kMapped = {21, 43, 65};

std::vector<float> map_of_one_ten(const Matrix& w) {
  Matrix x(1, 2);
  x(0, 0) = 1;
  x(0, 1) = 10;
  const Matrix y = multiply_abt(x, w);
  return {y.elements().begin(), y.elements().end()};
}

TEST(PlainMatrix, HeaderedFileIsW) {
  const Matrix w = parse_plain_matrix("3 2\n1 2\n3 4\n5 6\n", "w.txt");
  ASSERT_EQ(w.rows(), 3u);
  ASSERT_EQ(w.cols(), 2u);
  EXPECT_EQ(map_of_one_ten(w), kMapped);
}

TEST(PlainMatrix, HeaderlessFileIsTransposed) {
  // The same map for programs that compute x M: M is 2 x 3.
  const Matrix w = parse_plain_matrix("1 3 5\n2 4 6\n", "w.txt");
  ASSERT_EQ(w.rows(), 3u);
  ASSERT_EQ(w.cols(), 2u);
  EXPECT_EQ(map_of_one_ten(w), kMapped);
}

TEST(PlainMatrix, TransposeOptionTurnsBothAround) {
  EXPECT_EQ(map_of_one_ten(parse_plain_matrix("2 3\n1 3 5\n2 4 6\n", "w.txt", {.transpose = true})), kMapped);
  EXPECT_EQ(map_of_one_ten(parse_plain_matrix("1 2\n3 4.0\n5 6\n", "w.txt", {.transpose = true})), kMapped);
}

TEST(PlainMatrix, TwoWholeNumbersAreAHeaderOnlyWhereTheShapeFits) {
  // A 3 x 2 matrix without header whose first row looks like one: M = [[1, 2], [3, 4], [5, 6]], so W = Mᵀ.
  const Matrix w = parse_plain_matrix("1 2\n3 4\n5 6\n", "w.txt");
  ASSERT_EQ(w.rows(), 2u);
  EXPECT_THAT(w.elements(), ElementsAre(1, 3, 5, 2, 4, 6));
  // A file of that one line.
  EXPECT_THAT(parse_plain_matrix("7 8\n", "w.txt").elements(), ElementsAre(7, 8));
  // Where both readings are possible the header wins, unless the caller knows better.
  EXPECT_THAT(parse_plain_matrix("1 2\n3 4\n", "w.txt").elements(), ElementsAre(3, 4));
  EXPECT_THAT(parse_plain_matrix("1 2\n3 4\n", "w.txt", {.header = Header::absent}).elements(),
              ElementsAre(1, 3, 2, 4));
}

TEST(PlainMatrix, HeaderThatLies) {
  EXPECT_EQ(error_of("3 3\n1 2 3\n4 5 6\n"), "w.txt:1: the header says 3 x 3, but 2 x 3 follow");
  EXPECT_EQ(error_of("3 2\n1 2\n", {.header = Header::present}), "w.txt:1: the header says 3 x 2, but 1 x 2 follow");
  EXPECT_THAT(error_of("1.5 2\n1 2\n", {.header = Header::present}), HasSubstr("w.txt:1: a first line with"));
  EXPECT_EQ(error_of("18446744073709551615 2\n1 2 3\n"),
            "w.txt:1: the header says 18446744073709551615 x 2, but 1 x 3 follow");
}

TEST(PlainMatrix, HarmlessDirt) {
  const Matrix w = parse_plain_matrix("\xEF\xBB\xBF# made by hand\n\n3 2\r\n 1\t2 \r\n3 4\r\n\n+5 6e0", "w.txt");
  EXPECT_EQ(map_of_one_ten(w), kMapped);
}

TEST(PlainMatrix, Damage) {
  EXPECT_EQ(error_of(""), "w.txt: there is no matrix in the file");
  EXPECT_EQ(error_of("# nothing\n\n"), "w.txt: there is no matrix in the file");
  EXPECT_EQ(error_of("1 2 3\n4 5\n"), "w.txt:2: 2 numbers where the row above has 3");
  EXPECT_EQ(error_of("1 2 3\n4 x 6\n"), "w.txt:2: 'x' is not a finite number");
  EXPECT_EQ(error_of("1 2 3\n4 5 nan\n"), "w.txt:2: 'nan' is not a finite number");
  EXPECT_EQ(error_of("1 2 -inf\n"), "w.txt:1: '-inf' is not a finite number");
  EXPECT_EQ(error_of("1 2 1e39\n"), "w.txt:1: '1e39' is not a finite number");
  EXPECT_EQ(error_of("1 2 0x10\n"), "w.txt:1: '0x10' is not a finite number");
  EXPECT_EQ(error_of("1 2 +-3\n"), "w.txt:1: '+-3' is not a finite number");
  EXPECT_EQ(error_of(std::string("1 2 \0\n", 6)), "w.txt:1: '?' is not a finite number");
  EXPECT_EQ(error_of("1 2 " + std::string(1000, 'y')),
            "w.txt:1: '" + std::string(24, 'y') + "...' is not a finite number");
}

TEST(PlainMatrix, SmallNumbersAreNoDamage) {
  const Matrix w = parse_plain_matrix("1e-40 1e-60 -1e-400\n", "w.txt");
  EXPECT_EQ(w(0, 0), 1e-40f);
  EXPECT_EQ(w(1, 0), 0);
  EXPECT_EQ(w(2, 0), 0);
}

TEST(PlainMatrix, NumbersAreRoundedAsStrtofDoes) {
  Random random(5);
  for (int i = 0; i < 2000; ++i) {
    char text[64];
    std::snprintf(text, sizeof(text), "%.*e", static_cast<int>(random.index(20)),
                  random.normal() * std::pow(10, random.uniform() * 80 - 46));
    const float expected = std::strtof(text, nullptr);
    if (!std::isfinite(expected)) continue;
    EXPECT_EQ(parse_plain_matrix(text, "w.txt")(0, 0), expected) << text;
  }
}

TEST(PlainMatrix, RoundTripsBitForBitInEveryLayout) {
  Random random(7);
  Matrix w(5, 3);
  for (float& value : w.elements()) value = static_cast<float>(random.normal() * std::exp(40 * random.uniform() - 30));
  w(0, 0) = -0.0f;
  w(1, 1) = 1e-45f;
  w(2, 2) = 3.4028235e38f;
  for (const Header header : {Header::present, Header::absent})
    for (const bool transposed : {false, true}) {
      const PlainMatrixLayout layout{header, transposed};
      const TemporaryFolder folder;
      const std::string path = folder.write("w.txt", to_plain_text(w, layout));
      const Matrix back = read_plain_matrix(path, {Header::detect, transposed});
      ASSERT_EQ(back.rows(), w.rows());
      EXPECT_EQ(std::memcmp(back.data(), w.data(), w.size() * sizeof(float)), 0);
    }
}

TEST(PlainMatrix, WritesWhatIsExpected) {
  Matrix w(2, 3);
  for (std::size_t i = 0; i < 6; ++i) w.data()[i] = static_cast<float>(i) + 0.5f;
  EXPECT_EQ(to_plain_text(w, {}), "2 3\n0.5 1.5 2.5\n3.5 4.5 5.5\n");
  EXPECT_EQ(to_plain_text(w, {.header = Header::absent}), "0.5 3.5\n1.5 4.5\n2.5 5.5\n");
  EXPECT_EQ(to_plain_text(w, {.transpose = true}), "3 2\n0.5 3.5\n1.5 4.5\n2.5 5.5\n");
}

TEST(PlainMatrix, LongFilesComeInPieces) {
  // More than one piece of a megabyte, so that lines are cut where pieces meet.
  const Matrix w = [] {
    Random random(9);
    Matrix matrix(400, 400);
    for (float& value : matrix.elements()) value = static_cast<float>(random.normal());
    return matrix;
  }();
  const TemporaryFolder folder;
  const std::string path = folder.write("w.txt", to_plain_text(w));
  ASSERT_GT(std::filesystem::file_size(path), std::uintmax_t{1} << 20);
  EXPECT_EQ(read_plain_matrix(path), w);
}

TEST(PlainMatrix, MissingFile) { EXPECT_THROW(read_plain_matrix("/nonexistent/w.txt"), IoError); }

}  // namespace
}  // namespace wordbridge::plain_matrix_test
