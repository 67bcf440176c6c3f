#include "vectors/table_sums.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <vector>

#include "base/random.h"
#include "wordbridge/word_vectors.h"

namespace wordbridge::table_sums_test {

using testing::ElementsAre;

TEST(ColumnSums, BlocksAreSummedByThemselvesWithoutZeroRows) {
  Matrix table(kColumnSumRows + 2, 2);
  table(0, 0) = 1, table(0, 1) = 2;
  table(kColumnSumRows - 1, 0) = 3;
  table(kColumnSumRows + 1, 1) = -4;
  const std::vector<ColumnSums> blocks = column_sums(table);
  ASSERT_EQ(blocks.size(), 2u);
  EXPECT_THAT(blocks[0].sums, ElementsAre(4, 2));
  EXPECT_EQ(blocks[0].rows, 2u);
  EXPECT_THAT(blocks[1].sums, ElementsAre(0, -4));
  EXPECT_EQ(blocks[1].rows, 1u);
  EXPECT_TRUE(column_sums(Matrix(0, 2)).empty());
}

TEST(ColumnSums, Means) {
  EXPECT_THAT(means_of(std::vector<double>{3, -6}, 3), ElementsAre(1, -2));
  EXPECT_THAT(means_of(std::vector<double>{0, 0}, 0), ElementsAre(0, 0));
}

namespace {

TEST(ContentChecksum, IsThatOfTheDocument) {
  // docs/file-formats.md, "Content checksum": the example there, made with Python's hashlib.
  Matrix table(2, 2);
  table(0, 0) = 1;
  table(0, 1) = 2;
  table(1, 0) = -0.5F;
  const std::vector<std::string> words = {"a", "b\xc3\xa9"};
  EXPECT_EQ(content_checksum(Vocabulary(words), table),
            "3be55fb933a89a20584bc901bbbb0595358733bdb10b180f23537e6bcde4c0a0");
}

TEST(ContentChecksum, OfTheFirstRowsFollowsFromBlocks) {
  const std::size_t rows = 2 * kContentBlockRows + 5;
  Random random(3);
  Vocabulary vocabulary;
  Matrix table(rows, 3);
  for (std::size_t i = 0; i < rows; ++i) {
    vocabulary.add(std::to_string(i));
    for (float& value : table.row(i)) value = static_cast<float>(random.normal());
  }
  for (const std::size_t first :
       {std::size_t{1}, kContentBlockRows - 1, kContentBlockRows, kContentBlockRows + 1, rows}) {
    std::vector<Sha256::Digest> blocks;
    for (std::size_t begin = 0; begin < first; begin += kContentBlockRows) {
      const std::size_t end = std::min(first, begin + kContentBlockRows);
      std::vector<std::string_view> words;
      for (std::size_t i = begin; i < end; ++i) words.push_back(vocabulary[i]);
      blocks.push_back(content_block_digest(words, table.view().slice(begin, end)));
    }
    EXPECT_EQ(content_checksum_of_blocks(first, 3, blocks), content_checksum(vocabulary, table.view().slice(0, first)));
  }
}

TEST(ContentChecksum, AStoredOneIsForgottenWithTheFirstChance) {
  const std::vector<std::string> words = {"a", "b"};
  WordVectors vectors(Vocabulary(words), Matrix(2, 1));
  const std::string computed = vectors.content_checksum();
  EXPECT_EQ(computed, content_checksum(vectors.vocabulary(), Matrix(2, 1)));
  vectors.set_content_checksum("stored");
  EXPECT_EQ(vectors.content_checksum(), "stored");
  EXPECT_EQ(std::as_const(vectors).table().rows(), 2U);
  EXPECT_EQ(vectors.content_checksum(), "stored");
  vectors.table();
  EXPECT_EQ(vectors.content_checksum(), computed);
  vectors.set_content_checksum("stored");
  vectors.truncate(1);
  EXPECT_NE(vectors.content_checksum(), "stored");
  EXPECT_NE(vectors.content_checksum(), computed);
}

}  // namespace

}  // namespace wordbridge::table_sums_test
