#include "vectors/formats/fasttext_parts.h"

#include <gmock/gmock.h>

#include <cstring>
#include <functional>

#include "base/temporary_folder_test_support.h"
#include "io/memory_stream_test_support.h"
#include "vectors/formats/binary_format_test_support.h"

namespace wordbridge::fasttext_parts_test {

namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

std::string header_of(std::int32_t version, std::int32_t dimension, std::int32_t model) {
  const std::int32_t numbers[] = {kFastTextMagic, version, dimension, 5, 1, 1, 5, 1, 2, model, 100, 3, 6, 100};
  std::string bytes(reinterpret_cast<const char*>(numbers), sizeof(numbers));
  return bytes + std::string(8, '\0');
}

FastTextOptions parse(const std::string& bytes) {
  MemoryStream stream(bytes);
  BinaryReader reader(stream);
  const FastTextOptions options = read_fasttext_options(reader);
  EXPECT_EQ(reader.offset(), bytes.size());
  return options;
}

TEST(FastTextOptions, AreRead) {
  const std::string bytes = header_of(12, 300, 2);
  const FastTextOptions options = parse(bytes);
  EXPECT_EQ(options.dimension, 300);
  EXPECT_EQ(options.subwords.minn, 3);
  EXPECT_EQ(options.subwords.maxn, 6);
  EXPECT_EQ(options.subwords.bucket, 100);
  std::int32_t dimension = 0;
  std::memcpy(&dimension, bytes.data() + FastTextOptions::kDimensionOffset, sizeof(dimension));
  EXPECT_EQ(dimension, 300);
}

TEST(FastTextOptions, OldClassifiersHaveNoSubwords) {
  EXPECT_EQ(parse(header_of(11, 10, 3)).subwords.maxn, 0);
  EXPECT_EQ(parse(header_of(12, 10, 3)).subwords.maxn, 6);
}

TEST(FastTextOptions, WhatCannotBe) {
  EXPECT_THAT(input_error_of([] { parse(header_of(10, 300, 2)); }), HasSubstr("version 10"));
  EXPECT_THAT(input_error_of([] { parse(header_of(12, 0, 2)); }), HasSubstr("dimension 0"));
  EXPECT_THAT(input_error_of([] { parse(header_of(12, 1 << 30, 2)); }), HasSubstr("dimension"));
  EXPECT_NE(input_error_of([] { parse(header_of(12, 300, 2).substr(0, 30)); }), "");
}

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

/// A dictionary section: the words, and the buckets that were kept, if only some were.
FastTextDictionary dictionary(const std::vector<std::string>& words, FastTextSubwords subwords,
                              const std::vector<std::pair<std::int32_t, std::int32_t>>* kept = nullptr) {
  const auto size = static_cast<std::int32_t>(words.size());
  std::string bytes = bytes_of(size) + bytes_of(size) + bytes_of(std::int32_t{0}) + bytes_of(std::int64_t{9}) +
                      bytes_of(kept == nullptr ? std::int64_t{-1} : static_cast<std::int64_t>(kept->size()));
  for (const std::string& word : words) bytes += word + '\0' + bytes_of(std::int64_t{1}) + '\0';
  if (kept != nullptr)
    for (const auto& [bucket, place] : *kept) bytes += bytes_of(bucket) + bytes_of(place);
  MemoryStream stream(bytes);
  BinaryReader reader(stream);
  return {reader, subwords};
}

/// The row of an n-gram behind `words` words, without pruning.
std::uint64_t row_of(std::string_view ngram, std::uint64_t words, std::uint32_t buckets) {
  return words + fasttext_hash(ngram) % buckets;
}

TEST(FastTextDictionary, HashesAsFastTextDoes) {
  // Worked out with 32-bit arithmetic: FNV-1a, where bytes above 127 count as negative numbers.
  EXPECT_EQ(fasttext_hash(""), 0x811c9dc5U);
  EXPECT_EQ(fasttext_hash("a"), 0xe40c292cU);
  EXPECT_EQ(fasttext_hash("<ab"), 0x489c66e4U);
  EXPECT_EQ(fasttext_hash("ü"), 0x2ffa544aU);
  EXPECT_EQ(fasttext_hash("桥>"), 0x6be4e6ebU);
}

TEST(FastTextDictionary, NgramsCountCharactersNotBytes) {
  const auto words = dictionary({"x"}, {2, 3, 1000});
  const auto row = [](std::string_view ngram) { return row_of(ngram, 1, 1000); };
  EXPECT_THAT(words.rows_of("für"),
              ElementsAre(row("<f"), row("<fü"), row("fü"), row("für"), row("ür"), row("ür>"), row("r>")));
  EXPECT_THAT(words.rows_of("x"), ElementsAre(0, row("<x"), row("<x>"), row("x>")));
  EXPECT_THAT(words.rows_of(""), ElementsAre(row("<>")));
  EXPECT_EQ(words.rows_needed(), 1001U);
}

TEST(FastTextDictionary, TheMarksAloneAreNoNgrams) {
  const auto words = dictionary({}, {1, 1, 1000});
  EXPECT_THAT(words.rows_of("ab"), ElementsAre(row_of("a", 0, 1000), row_of("b", 0, 1000)));
  EXPECT_THAT(words.rows_of("<"), ElementsAre(row_of("<", 0, 1000)));
}

TEST(FastTextDictionary, WordsWithoutNgrams) {
  const auto words = dictionary({"</s>", "a"}, {4, 6, 1000});
  EXPECT_THAT(words.rows_of("</s>"), ElementsAre(0));  // the end of a sentence has none
  EXPECT_THAT(words.rows_of("a"), ElementsAre(1));     // <a> is too short
  EXPECT_THAT(words.rows_of("b"), IsEmpty());
  const auto plain = dictionary({"a"}, {3, 0, 0});
  EXPECT_THAT(plain.rows_of("a"), ElementsAre(0));
  EXPECT_THAT(plain.rows_of("abc"), IsEmpty());
  EXPECT_EQ(plain.rows_needed(), 1U);
}

TEST(FastTextDictionary, OnlyKeptBucketsCount) {
  const auto bucket = [](std::string_view ngram) { return static_cast<std::int32_t>(fasttext_hash(ngram) % 1000); };
  const std::vector<std::pair<std::int32_t, std::int32_t>> kept = {{bucket("<ab"), 1}, {bucket("bc>"), 0}};
  const auto words = dictionary({"x", "y"}, {3, 3, 1000}, &kept);
  EXPECT_TRUE(words.pruned());
  EXPECT_THAT(words.rows_of("abc"), ElementsAre(3, 2));  // not that of "abc"
  EXPECT_EQ(words.rows_needed(), 4U);
  const std::vector<std::pair<std::int32_t, std::int32_t>> none;
  EXPECT_THAT(dictionary({"x"}, {3, 3, 1000}, &none).rows_of("abc"), IsEmpty());
}

TEST(FastTextDictionary, PlacesBeyondTheKeptBucketsAreDamage) {
  const std::vector<std::pair<std::int32_t, std::int32_t>> kept = {{1, 1}};
  EXPECT_NE(input_error_of([&] { dictionary({"x"}, {3, 3, 1000}, &kept); }), "");
  const std::vector<std::pair<std::int32_t, std::int32_t>> negative = {{1, -1}};
  EXPECT_NE(input_error_of([&] { dictionary({"x"}, {3, 3, 1000}, &negative); }), "");
}

}  // namespace

}  // namespace wordbridge::fasttext_parts_test
