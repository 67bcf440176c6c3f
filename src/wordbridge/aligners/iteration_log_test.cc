#include "wordbridge/aligners/iteration_log.h"

#include <gtest/gtest.h>

#include <limits>

#include "wordbridge/base/error.h"
#include "wordbridge/base/temporary_folder_test_support.h"

namespace wordbridge::iteration_log_test {
namespace {

TEST(IterationLogTest, OneObjectALine) {
  const TemporaryFolder folder;
  IterationLog log(folder.path("run.jsonl"));
  EXPECT_FALSE(folder.has("run.jsonl"));
  Iteration iteration;
  iteration.epoch = 2;
  iteration.loss = -0.0625;
  iteration.step = 12.5;
  iteration.outcome = StepOutcome::rolled_back;
  iteration.norm = 17.5;
  iteration.searched = 100;
  iteration.certified = 900;
  iteration.seconds = 0.25;
  log.add("training", iteration);
  log.add(R"({"chosen":1})");
  const std::string text =
      R"({"run":"training","epoch":2,"loss":-0.0625,"step":12.5,"outcome":"rolled back","norm":17.5,)"
      R"("searched":100,"certified":900,"seconds":0.25})"
      "\n"
      R"({"chosen":1})"
      "\n";
  EXPECT_EQ(folder.read("run.jsonl"), text);
}

TEST(IterationLogTest, ALossThatIsNoNumberIsNull) {
  IterationLog log;
  Iteration iteration;
  iteration.loss = std::numeric_limits<double>::quiet_NaN();
  iteration.outcome = StepOutcome::diverged;
  log.add("x", iteration);
  EXPECT_NE(log.lines().at(0).find(R"("loss":null)"), std::string::npos);
  EXPECT_NE(log.lines().at(0).find(R"("outcome":"diverged")"), std::string::npos);
}

TEST(IterationLogTest, GoesOnWhereAnInterruptedRunEnded) {
  const TemporaryFolder folder;
  IterationLog log(folder.path("run.jsonl"));
  log.restore({"{}", R"({"a":1})"});
  log.add(R"({"a":2})");
  EXPECT_EQ(folder.read("run.jsonl"), "{}\n{\"a\":1}\n{\"a\":2}\n");
}

TEST(IterationLogTest, AMissingFolderIsAnErrorAtOnce) {
  const TemporaryFolder folder;
  EXPECT_THROW(IterationLog(folder.path("missing/run.jsonl")), IoError);
}

}  // namespace
}  // namespace wordbridge::iteration_log_test
