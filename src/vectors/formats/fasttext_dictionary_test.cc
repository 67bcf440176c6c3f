#include "vectors/formats/fasttext_dictionary.h"

#include <gmock/gmock.h>

#include "io/memory_stream_test_support.h"
#include "vectors/formats/binary_format_test_support.h"

namespace wordbridge::fasttext_dictionary_test {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

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
}  // namespace wordbridge::fasttext_dictionary_test
