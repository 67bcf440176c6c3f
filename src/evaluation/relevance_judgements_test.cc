#include "evaluation/relevance_judgements.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "io/memory_stream_test_support.h"
#include "wordbridge/error.h"

namespace wordbridge::relevance_judgements_test {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using Judgement = RelevanceJudgements::Judgement;

RelevanceJudgements read(const std::string& text, bool lenient = false) {
  MemoryStream stream(text);
  return read_relevance_judgements(stream, lenient);
}

void expect_error(const std::string& text, std::uint64_t line, const std::string& reason) {
  try {
    read(text);
    FAIL() << text;
  } catch (const InputError& error) {
    EXPECT_EQ(error.line(), line);
    EXPECT_THAT(error.reason(), HasSubstr(reason));
  }
}

TEST(RelevanceJudgements, TrecsFourColumns) {
  EXPECT_THAT(read("# topics 1 to 2\n1 0 FT911-3 1\n1 0 FT911-4 0\r\n\n2 Q0 FT911-3 -1\n").judgements,
              ElementsAre(Judgement{"1", "FT911-3", 1}, Judgement{"1", "FT911-4", 0}, Judgement{"2", "FT911-3", 0}));
}

TEST(RelevanceJudgements, BeirsThreeColumnsWithAHeading) {
  EXPECT_THAT(read("query-id\tcorpus-id\tscore\nq 1\td1\t2\nq2\td1\t0.5\n").judgements,
              ElementsAre(Judgement{"q 1", "d1", 2}, Judgement{"q2", "d1", 0.5}));
}

TEST(RelevanceJudgements, PairsAlone) {
  EXPECT_THAT(read("q1 d1\nq1 d2\n").judgements, ElementsAre(Judgement{"q1", "d1", 1}, Judgement{"q1", "d2", 1}));
}

TEST(RelevanceJudgements, TheFirstOfTwoCounts) {
  const RelevanceJudgements judgements = read("q d 2\nq d 1\nq e 1\n");
  EXPECT_THAT(judgements.judgements, ElementsAre(Judgement{"q", "d", 2}, Judgement{"q", "e", 1}));
  EXPECT_EQ(judgements.repeated, 1);
}

TEST(RelevanceJudgements, LinesThatAreNone) {
  expect_error("q d 1\nq d x\n", 2, "no grade");
  expect_error("q d 1\nq d nan\n", 2, "no grade");
  expect_error("q d 1\nq d\n", 2, "2 columns, where lines before have 3");
  expect_error("q\n", 1, "query, item and grade");
  expect_error("a b c d 1\n", 1, "query, item and grade");
  expect_error("a b c\nd e f\n", 2, "no grade");
  expect_error("q\t\t1\n", 1, "a query and an item");
  expect_error("# nothing\n", 0, "no judgement");
  expect_error(std::string("q d \0", 5), 1, "NUL");
}

TEST(RelevanceJudgements, LenientReadersSkipAndCount) {
  const RelevanceJudgements judgements = read("q d 1\nq d\nq e 1\n", true);
  EXPECT_EQ(judgements.judgements.size(), 2);
  EXPECT_EQ(judgements.skipped_lines, 1);
  EXPECT_THAT(judgements.first_skipped, HasSubstr("memory:2"));
}

}  // namespace
}  // namespace wordbridge::relevance_judgements_test
