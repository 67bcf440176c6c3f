#include "align/training/iteration_log.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "base/temporary_folder_test_support.h"
#include "wordbridge/error.h"

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
  iteration.saved_scans = 900;
  iteration.seconds = 0.25;
  log.add(iteration_line("training", iteration));
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
  Iteration iteration;
  iteration.loss = std::numeric_limits<double>::quiet_NaN();
  iteration.outcome = StepOutcome::diverged;
  const std::string line = iteration_line("x", iteration);
  EXPECT_NE(line.find(R"("loss":null)"), std::string::npos);
  EXPECT_NE(line.find(R"("outcome":"diverged")"), std::string::npos);
  const NamedIteration read = parse_iteration(line).value();
  EXPECT_TRUE(std::isnan(read.iteration.loss));
  EXPECT_EQ(read.iteration.outcome, StepOutcome::diverged);
}

TEST(IterationLogTest, AStepIsReadAsItWasWritten) {
  const Iteration iteration{3, 1 / 3.0, 0.1, StepOutcome::rolled_back, 1e-300, 5, 7, 0.25};
  const NamedIteration read = parse_iteration(iteration_line("training", iteration)).value();
  EXPECT_EQ(read.run, "training");
  EXPECT_EQ(iteration_line("training", read.iteration), iteration_line("training", iteration));
  EXPECT_EQ(read.iteration.loss, 1 / 3.0);
  EXPECT_FALSE(parse_iteration(R"({"epoch":3})").has_value());
}

TEST(IterationLogTest, WithoutAPathNothingIsWritten) {
  const TemporaryFolder folder;
  IterationLog log;
  log.add("{}");
  EXPECT_EQ(folder.files(), 0u);
}

TEST(IterationLogTest, AMissingFolderIsAnErrorAtOnce) {
  const TemporaryFolder folder;
  EXPECT_THROW(IterationLog(folder.path("missing/run.jsonl")), IoError);
}

}  // namespace
}  // namespace wordbridge::iteration_log_test
