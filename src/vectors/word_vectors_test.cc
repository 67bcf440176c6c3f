#include "wordbridge/word_vectors.h"

#include <gtest/gtest.h>

#include <cstring>
#include <string>
#include <vector>

#include "base/checksum.h"
#include "linalg/random_matrix_test_support.h"
#include "parallel/threads_test_support.h"

namespace wordbridge::word_vectors_test {
namespace {

using Words = std::vector<std::string>;

Vocabulary numbered(std::size_t words) {
  Vocabulary vocabulary;
  for (std::size_t i = 0; i < words; ++i) vocabulary.add("w" + std::to_string(i));
  return vocabulary;
}

TEST(WordVectors, JoinsWordsAndRows) {
  WordVectors vectors(numbered(3), random_matrix(3, 5, 1));
  EXPECT_EQ(vectors.size(), 3u);
  EXPECT_EQ(vectors.dimension(), 5u);
  EXPECT_EQ(vectors.vocabulary()[2], "w2");
  const Matrix before = vectors.table();
  vectors.truncate(7);
  EXPECT_EQ(vectors.table(), before);
  vectors.truncate(2);
  EXPECT_EQ(vectors.size(), 2u);
  EXPECT_EQ(vectors.table().rows(), 2u);
  EXPECT_FALSE(vectors.vocabulary().contains("w2"));
  EXPECT_EQ(vectors.table()(1, 4), before(1, 4));
  EXPECT_EQ(WordVectors().size(), 0u);
}

TEST(WordVectors, AsksTheSubwordModelWhereThereIsOne) {
  WordVectors vectors(numbered(1), Matrix(1, 2));
  EXPECT_FALSE(vectors.has_subword_model());
  EXPECT_EQ(vectors.subword_vector("unseen"), std::nullopt);
  vectors.set_subword_model([](std::string_view word) -> std::optional<std::vector<float>> {
    if (word.empty()) return std::nullopt;
    return std::vector<float>{static_cast<float>(word.size()), 0};
  });
  EXPECT_TRUE(vectors.has_subword_model());
  EXPECT_EQ(vectors.subword_vector("unseen"), (std::vector<float>{6, 0}));
  EXPECT_EQ(vectors.subword_vector(""), std::nullopt);
}

TEST(ContentChecksum, IsWhatTheDocumentSays) {
  // Section "Content checksum": SHA-256 over rows, columns, and the digest of each block of 8192 rows, which covers the
  // lengths and bytes of its words, then its values.
  Matrix table(2, 2);
  table(0, 0) = 1;
  table(0, 1) = -2.5f;
  table(1, 0) = 0.1f;
  table(1, 1) = 0;
  const std::string block = std::string("\x03\0\0\0\0\0\0\0the\x02\0\0\0\0\0\0\0of", 21) +
                            std::string("\x00\x00\x80\x3f\x00\x00\x20\xc0\xcd\xcc\xcc\x3d\x00\x00\x00\x00", 16);
  Sha256 inner, outer;
  inner.update(block);
  const Sha256::Digest digest = inner.finish();
  outer.update(std::string("\x02\0\0\0\0\0\0\0\x02\0\0\0\0\0\0\0", 16));
  outer.update(digest.data(), digest.size());
  EXPECT_EQ(content_checksum(Vocabulary(Words{"the", "of"}), table), to_hex(outer.finish()));
}

TEST(ContentChecksum, ChangesWithEveryPart) {
  const Vocabulary vocabulary = numbered(10'000);
  Matrix table = random_matrix(10'000, 3, 2);
  const std::string before = content_checksum(vocabulary, table);
  EXPECT_EQ(content_checksum(vocabulary, table), before);
  for (const std::size_t row : {std::size_t{0}, std::size_t{8191}, std::size_t{8192}, std::size_t{9999}}) {
    const float value = table(row, 1);
    table(row, 1) = -value;
    EXPECT_NE(content_checksum(vocabulary, table), before) << row;
    table(row, 1) = value;
  }
  Vocabulary other = numbered(9999);
  other.add("another");
  EXPECT_NE(content_checksum(other, table), before);
  table.truncate_rows(9999);
  EXPECT_NE(content_checksum(numbered(9999), table), before);
  // The same numbers in another shape, and words that are cut elsewhere.
  EXPECT_NE(content_checksum(numbered(2), Matrix(2, 3)), content_checksum(numbered(2), Matrix(2, 2)));
  EXPECT_NE(content_checksum(Vocabulary(Words{"ab", "c"}), Matrix(2, 1)),
            content_checksum(Vocabulary(Words{"a", "bc"}), Matrix(2, 1)));
  EXPECT_NE(content_checksum(Vocabulary(), Matrix(0, 1)), content_checksum(Vocabulary(), Matrix(0, 2)));
}

TEST(ContentChecksum, TheNumberOfThreadsDoesNotMatter) {
  const Vocabulary vocabulary = numbered(30'000);
  const Matrix table = random_matrix(30'000, 4, 3);
  const WithThreads one_thread(1);
  const std::string one = content_checksum(vocabulary, table);
  const WithThreads four_threads(4);
  EXPECT_EQ(content_checksum(vocabulary, table), one);
}

}  // namespace
}  // namespace wordbridge::word_vectors_test
