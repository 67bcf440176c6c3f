#include "vectors/sharded_vectors.h"

#include <gtest/gtest.h>

#include <fstream>

#include "base/error_test_support.h"
#include "base/temporary_folder_test_support.h"
#include "linalg/random_matrix_test_support.h"
#include "linalg/rows.h"
#include "linalg/sharded_rows_test_support.h"
#include "parallel/communicator_test_support.h"
#include "vectors/formats/native_shard.h"
#include "wordbridge/error.h"

namespace wordbridge::sharded_vectors_test {

std::vector<std::string> numbered_words(std::size_t count) {
  std::vector<std::string> words;
  for (std::size_t i = 0; i < count; ++i) words.push_back("w" + std::to_string(i));
  return words;
}

/// Two blocks and a bit; some rows are zero, and some words come again.
class ShardedVectorsTest : public testing::Test {
 protected:
  ShardedVectorsTest() {
    Matrix rows = random_matrix(kRows, 3, 1);
    for (const std::size_t row : {std::size_t{5}, kShardRows, kRows - 1}) std::ranges::fill(rows.row(row), 0.0f);
    std::vector<std::string> words = numbered_words(kRows);
    write(folder.path("plain.wbvec"), words, rows);
    write(folder.path("plain.vec"), words, rows);
    for (std::size_t i = 100; i < 900; i += 7) words[i] = words[3];
    write(folder.path("duplicates.wbvec"), words, rows);
  }

  static void write(const std::string& path, const std::vector<std::string>& words, const Matrix& rows) {
    const auto sink = create_vectors(path, format_of_path(path), rows.cols(), rows.rows());
    sink->write(words, rows);
    sink->finish();
  }

  static constexpr std::size_t kRows = 2 * kShardRows + 1000;
  TemporaryFolder folder;
};

TEST_F(ShardedVectorsTest, AllTogetherHoldWhatOneProcessReads) {
  for (const char* name : {"plain.wbvec", "plain.vec", "duplicates.wbvec"})
    for (const std::size_t max_words : {std::size_t{0}, kShardRows + 17}) {
      const ReadOptions options{.max_words = max_words};
      const WordVectors whole = read_vectors(folder.path(name), options);
      for (const int size : {1, 2, 4})
        run_ranks(size, [&](Communicator& communicator) {
          const ShardedVectors vectors = read_sharded_vectors(folder.path(name), options, communicator);
          EXPECT_TRUE(vectors.vocabulary() == whole.vocabulary());
          EXPECT_EQ(vectors.own(), own_rows(whole.table(), RowShards(communicator)));
          EXPECT_EQ(vectors.content_checksum(), whole.content_checksum()) << name;
          EXPECT_EQ(vectors.summary().to_line(), whole.summary().to_line());
          const std::vector<WordId> ids = {3, 17, kShardRows + 1};
          const WordVectors some = vectors.words(ids);
          EXPECT_EQ(some.table(), gather_rows(whole.table(), ids));
          EXPECT_EQ(some.vocabulary()[2], whole.vocabulary()[kShardRows + 1]);
        });
    }
}

TEST_F(ShardedVectorsTest, NormalizersAreThoseOfTheWholeTable) {
  for (const char* chain : {"none", "unit", "center", "unit,center,unit"}) {
    const std::vector<Normalizer::Step> steps = Normalizer::parse(chain);
    WordVectors whole = read_vectors(folder.path("plain.wbvec"));
    const Normalizer expected = Normalizer::fit(steps, whole.table());
    for (const int size : {1, 2, 3, 4})
      run_ranks(size, [&](Communicator& communicator) {
        ShardedVectors vectors = read_sharded_vectors(folder.path("plain.wbvec"), {}, communicator);
        EXPECT_EQ(fit_normalizer(steps, vectors), expected);
        EXPECT_EQ(vectors.own(), own_rows(std::as_const(whole).table(), RowShards(communicator)));
      });
  }
}

TEST_F(ShardedVectorsTest, DamageIsFoundByWhomItConcerns) {
  const std::string path = folder.path("plain.wbvec");
  {
    std::fstream file(path, std::ios::in | std::ios::out | std::ios::binary);
    file.seekp(128 + 12 * (kShardRows + 5));  // in the second block
    file.put('\x7f');
  }
  const auto read = [&](int rank) { return read_native_shard(*open_bytes(path), {}, RowShards(rank, 2)); };
  EXPECT_EQ(input_error_of([&] { read(1); }), path + ": rows 8193 to 16384 are damaged: their checksum does not match");
  EXPECT_EQ(read(0)->own.rows(), kShardRows + 1000);
}

TEST_F(ShardedVectorsTest, FilesThatEndEarlyAreRefused) {
  const std::string whole = folder.read("plain.wbvec");
  for (const std::size_t bytes : {std::size_t{100}, std::size_t{5000}, whole.size() - 1}) {
    const std::string path = folder.write("cut.wbvec", whole.substr(0, bytes));
    EXPECT_NE(input_error_of([&] { read_native_shard(*open_bytes(path), {}, RowShards(0, 2)); }).find("ends early"),
              std::string::npos);
  }
}

TEST_F(ShardedVectorsTest, WhatSeveralCannotReadIsRefused) {
  LocalCommunicator alone;
  EXPECT_THROW(read_sharded_vectors("-", {}, alone), UsageError);
  EXPECT_THROW(read_sharded_vectors(folder.path("plain.vec"), {.lenient = true}, alone), UsageError);
  EXPECT_THROW(read_sharded_vectors(folder.path("missing.vec"), {}, alone), Error);
}

}  // namespace wordbridge::sharded_vectors_test
