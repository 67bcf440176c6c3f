#include "vectors/formats/fasttext_matrix.h"

#include <gmock/gmock.h>

#include <functional>

#include "base/temporary_folder_test_support.h"
#include "io/memory_stream_test_support.h"
#include "vectors/formats/binary_format_test_support.h"

namespace wordbridge::fasttext_matrix_test {
namespace {

using ::testing::ElementsAre;

std::vector<float> row(const FastTextMatrix& matrix, std::uint64_t number, float start = 0) {
  std::vector<float> sum(matrix.cols(), start);
  matrix.add_row(number, sum);
  return sum;
}

TEST(FastTextMatrix, DenseRowsFromAnyPlaceInTheFile) {
  const TemporaryFolder folder;
  const std::string bytes = "odd" + bytes_of(std::int64_t{2}) + bytes_of(std::int64_t{3}) + floats({1, 2, 3, 4, 5, 6});
  const std::string path = folder.write("x", bytes);
  for (const bool mapped : {true, false}) {
    MemoryStream stream(bytes, mapped, path);
    BinaryReader reader(stream);
    char skipped[3];
    reader.read(skipped, 3, "");
    const auto matrix = FastTextMatrix::read_dense(reader);
    EXPECT_EQ(matrix.rows(), 2U);
    EXPECT_THAT(row(matrix, 0), ElementsAre(1, 2, 3));
    EXPECT_THAT(row(matrix, 1, 10), ElementsAre(14, 15, 16));
  }
}

/// Three rows of dimension 3 in parts of 2 and 1; centroid c of part 0 is (c, -c), of part 1 it is (100 c).
struct Quantized {
  char norms = 1;
  std::int64_t rows = 3, cols = 3;
  std::int32_t code_bytes = 6;
  std::string codes = std::string("\1\2\xff\0\3\3", 6);
  std::int32_t dimension = 3, parts = 2, part_size = 2, last_part_size = 1;
  std::string norm_codes = std::string("\0\2\1", 3);
  std::int32_t norm_dimension = 1;

  std::string bytes() const {
    std::string bytes = norms + bytes_of(rows) + bytes_of(cols) + bytes_of(code_bytes) + codes + bytes_of(dimension) +
                        bytes_of(parts) + bytes_of(part_size) + bytes_of(last_part_size);
    for (int c = 0; c < 256; ++c) bytes += floats({static_cast<float>(c), static_cast<float>(-c)});
    for (int c = 0; c < 256; ++c) bytes += floats({100.0F * static_cast<float>(c)});
    if (norms == 0) return bytes;
    bytes += norm_codes;
    for (const std::int32_t number : {norm_dimension, 1, 1, 1}) bytes += bytes_of(number);
    for (int c = 0; c < 256; ++c) bytes += floats({0.5F * static_cast<float>(c + 1)});
    return bytes;
  }
};

FastTextMatrix read(const std::string& bytes) {
  MemoryStream stream(bytes);
  BinaryReader reader(stream);
  return FastTextMatrix::read_quantized(reader);
}

TEST(FastTextMatrix, QuantizedRows) {
  Quantized made;
  const auto with_norms = read(made.bytes());  // norms 0.5, 1.5, 1
  EXPECT_THAT(row(with_norms, 0), ElementsAre(0.5F, -0.5F, 100));
  EXPECT_THAT(row(with_norms, 1, 1), ElementsAre(383.5F, -381.5F, 1));
  EXPECT_THAT(row(with_norms, 2), ElementsAre(3, -3, 300));
  made.norms = 0;
  EXPECT_THAT(row(read(made.bytes()), 1), ElementsAre(255, -255, 0));
}

TEST(FastTextMatrix, QuantizersThatMakeNoSenseAreDamage) {
  const std::function<void(Quantized&)> harms[] = {
      [](Quantized& q) { q.rows = 2; },
      [](Quantized& q) { q.rows = -3; },
      [](Quantized& q) { q.cols = 4; },
      [](Quantized& q) { q.code_bytes = 5; },
      [](Quantized& q) { q.code_bytes = -1; },
      [](Quantized& q) { q.dimension = 0; },
      [](Quantized& q) { q.dimension = 1 << 30; },
      [](Quantized& q) { q.parts = 0; },
      [](Quantized& q) { q.parts = 3; },
      [](Quantized& q) { q.part_size = 0; },
      [](Quantized& q) { q.part_size = -2; },
      [](Quantized& q) { q.part_size = 1, q.last_part_size = 2; },
      [](Quantized& q) { q.last_part_size = 0; },
      [](Quantized& q) { q.norm_dimension = 2; },
  };
  EXPECT_EQ(input_error_of([] { read(Quantized().bytes()); }), "");
  for (const auto& harm : harms) {
    Quantized made;
    harm(made);
    EXPECT_NE(input_error_of([&] { read(made.bytes()); }), "") << &harm - &harms[0];
  }
}

}  // namespace
}  // namespace wordbridge::fasttext_matrix_test
