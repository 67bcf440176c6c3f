#include "wordbridge/word_vectors.h"

#include <gtest/gtest.h>

namespace wordbridge::read_summary_test {
namespace {

TEST(ReadSummary, ACleanFileIsOneShortLine) {
  ReadSummary summary;
  summary.path = "wiki.es.vec";
  summary.format = "fastText text";
  summary.compression = "gzip";
  summary.rows = 200'000;
  summary.header_rows = 200'000;
  summary.dimension = 300;
  EXPECT_FALSE(summary.dirty());
  EXPECT_EQ(summary.to_line(), "wiki.es.vec: 200000 words x 300 (fastText text, gzip)");
}

TEST(ReadSummary, EverythingThatWasMetIsSaid) {
  ReadSummary summary;
  summary.path = "a.vec";
  summary.format = "fastText text";
  summary.rows = 1;
  summary.dimension = 2;
  summary.header_rows = 9;
  summary.duplicates = 1;
  summary.empty_words = 2;
  summary.spaced_words = 1;
  summary.invalid_utf8 = 3;
  summary.zero_rows = 1;
  summary.byte_order_mark = true;
  summary.carriage_returns = true;
  summary.skipped_rows = 2;
  summary.first_skipped = "a.vec:3: oops";
  EXPECT_TRUE(summary.dirty());
  EXPECT_EQ(summary.to_line(),
            "a.vec: 1 word x 2 (fastText text); the header promises 9 rows, 1 duplicate set aside, 2 rows without a "
            "word set aside, 1 word with blanks inside, 3 words not valid UTF-8, 1 zero vector, byte order mark, "
            "carriage returns, 2 damaged rows skipped (first: a.vec:3: oops)");
}

TEST(ReadSummary, BlankLinesAndDamageWithoutLostRowsAreSaidToo) {
  ReadSummary summary;
  summary.path = "a.vec";
  summary.format = "GloVe text";
  summary.rows = 2;
  summary.dimension = 3;
  summary.blank_lines = 1;
  EXPECT_TRUE(summary.dirty());
  EXPECT_EQ(summary.to_line(), "a.vec: 2 words x 3 (GloVe text); 1 blank line");
  summary.blank_lines = 0;
  summary.first_skipped = "a.vec:1: the header promises too much";
  EXPECT_TRUE(summary.dirty());
  EXPECT_EQ(summary.to_line(), "a.vec: 2 words x 3 (GloVe text); in spite of a.vec:1: the header promises too much");
}

TEST(ReadSummary, DuplicatesExplainTheHeaderAndAnEarlyStopExcusesIt) {
  ReadSummary summary;
  summary.rows = 8;
  summary.header_rows = 10;
  summary.duplicates = 2;
  EXPECT_EQ(summary.to_line().find("promises"), std::string::npos);
  summary.duplicates = 0;
  summary.stopped_early = true;
  EXPECT_EQ(summary.to_line().find("promises"), std::string::npos);
  EXPECT_FALSE(summary.dirty());
}

}  // namespace
}  // namespace wordbridge::read_summary_test
