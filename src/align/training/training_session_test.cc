#include "align/training/training_session.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <filesystem>
#include <limits>
#include <vector>

#include "base/effort_test_support.h"
#include "base/temporary_folder_test_support.h"
#include "optimize/constraint.h"
#include "optimize/optimizer_test_support.h"
#include "optimize/subgradient.h"
#include "wordbridge/context.h"
#include "wordbridge/error.h"

namespace wordbridge::training_session_test {
namespace {

const std::unique_ptr<Constraint> kUnconstrained = make_constraint("none");
const Constraint& kFree = *kUnconstrained;
const Checkpoint::Fingerprint kFingerprint = {{"x", "1"}};

/// A crash at a chosen moment.
struct Crash {};

/// Two trainings with a score after each epoch, and a third whose settings depend on the scores. Throws Crash before
/// step number `crash_at` (counted over all trainings) is saved.
double whole_run(const TrainingSessionOptions& options, int crash_at = -1,
                 const Checkpoint::Fingerprint& fingerprint = kFingerprint) {
  TrainingSession session(options, fingerprint);
  int steps = 0;
  const auto train = [&](const std::string& name, double rate) {
    ScalarObjective objective = square_objective();
    ProjectedSubgradient optimizer(objective, kFree, {.learning_rate = rate, .epochs = 4});
    return session.train(name, optimizer, scalar(1 / 3.0),
                         [&](const Iteration& iteration, const OptimizerState& state) {
                           session.record(name + std::to_string(iteration.epoch), state.w(0, 0) / 7);
                           if (steps++ == crash_at) throw Crash{};
                         });
  };
  for (const auto& [name, rate] : {std::pair{"a", 0.3}, {"b", 1.7}})
    if (!session.is_done(name)) {
      train(name, rate);
      session.finish(name);
    }
  const double chosen = *session.recorded("a4") < *session.recorded("b4") ? 0.9 : 0.45;
  const OptimizerState state = train("c", chosen);
  session.finish_all("c", &state);
  EXPECT_EQ(session.iterations("c").size(), 5u) << "those before a crash too";
  return state.w(0, 0) + *session.recorded("b2");
}

class Warnings final : public Progress {
 public:
  void update(std::string_view, std::uint64_t, std::uint64_t, std::string_view) override {}
  void finish(std::string_view) override {}
  void warn(std::string_view line) override { lines.emplace_back(line); }
  std::vector<std::string> lines;
};

TEST(TrainingSessionTest, WhereNoCheckpointCanBeWrittenTrainingGoesOn) {
  const double expected = whole_run({});
  const TemporaryFolder folder;
  TrainingSessionOptions options{.checkpoint = folder.path("run")};
  EXPECT_THROW(whole_run(options, 7), Crash);  // a checkpoint is there
  options.resume = true;
  Warnings warnings;
  Context context({.progress = &warnings});
  const Context::Scope scope(context);
  {
    TrainingSession session(options, kFingerprint);
    std::filesystem::rename(folder.path("run"), folder.path("away"));  // from here on, nothing can be written
    session.save({});
    session.save({});
  }
  ASSERT_EQ(warnings.lines.size(), 1u) << "once";
  EXPECT_THAT(warnings.lines[0], ::testing::HasSubstr("the run goes on without, and the last whole one stays"));
  std::filesystem::rename(folder.path("away"), folder.path("run"));
  EXPECT_EQ(whole_run(options), expected) << "the last whole checkpoint is still good";
}

TEST(TrainingSessionTest, ACrashAnywhereResumesToTheSameBits) {
  const double expected = whole_run({});
  const TemporaryFolder folder;
  for (int crash_at = 0; crash_at < 15; crash_at += static_cast<int>(effort(1, 2))) {
    const std::string name = "run" + std::to_string(crash_at);
    TrainingSessionOptions options{.log = folder.path(name + ".jsonl"), .checkpoint = folder.path(name)};
    EXPECT_THROW(whole_run(options, crash_at), Crash);
    options.resume = true;
    // Crash again a little later, twice.
    try {
      whole_run(options, 1);
    } catch (const Crash&) {
    }
    EXPECT_EQ(whole_run(options), expected) << "crash at " << crash_at;
    EXPECT_EQ(whole_run(options), expected) << "resumed when finished";
    // Every step is in the log once.
    const std::string log = folder.read(name + ".jsonl");
    EXPECT_EQ(std::count(log.begin(), log.end(), '\n'), 15);
  }
}

TEST(TrainingSessionTest, WithoutACheckpointNothingIsWritten) {
  const TemporaryFolder folder;
  whole_run({});
  EXPECT_EQ(folder.files(), 0u);
}

TEST(TrainingSessionTest, AnUnfinishedRunIsNotOverwritten) {
  const TemporaryFolder folder;
  const TrainingSessionOptions options{.checkpoint = folder.path("run")};
  EXPECT_THROW(whole_run(options, 3), Crash);
  EXPECT_THROW(whole_run(options), UsageError);
}

TEST(TrainingSessionTest, AFinishedRunGivesWayToTheNext) {
  const TemporaryFolder folder;
  whole_run({.checkpoint = folder.path("run")});
  EXPECT_NO_THROW(whole_run({.checkpoint = folder.path("run")}, -1, {{"x", "2"}}));
}

TEST(TrainingSessionTest, ResumingAnotherRunIsRefused) {
  const TemporaryFolder folder;
  EXPECT_THROW(whole_run({.checkpoint = folder.path("run")}, 3), Crash);
  EXPECT_THROW(whole_run({.checkpoint = folder.path("run"), .resume = true}, -1, {{"x", "2"}}), UsageError);
}

TEST(TrainingSessionTest, ResumingWhatNeverBeganBegins) {
  const TemporaryFolder folder;
  EXPECT_EQ(whole_run({.checkpoint = folder.path("run"), .resume = true}), whole_run({}));
}

TEST(TrainingSessionTest, RecordsKeepWhatJsonWouldLose) {
  const TemporaryFolder folder;
  TrainingSessionOptions options{.checkpoint = folder.path("run"), .resume = true};
  {
    TrainingSession session(options, kFingerprint);
    session.record("not a number", std::numeric_limits<double>::quiet_NaN());
    session.record("third", 1 / 3.0);
    session.finish("x");
  }
  const TrainingSession session(options, kFingerprint);
  EXPECT_TRUE(session.is_done("x"));
  EXPECT_TRUE(std::isnan(session.recorded("not a number").value()));
  EXPECT_EQ(session.recorded("third"), 1 / 3.0);
  EXPECT_FALSE(session.recorded("absent").has_value());
}

TEST(TrainingSessionTest, WithoutAFolderItOnlyLogs) {
  const TemporaryFolder folder;
  TrainingSession session({.log = folder.path("log")}, {});
  session.log(R"({"a": 1})");
  session.save({});
  EXPECT_FALSE(session.resumed());
  EXPECT_EQ(folder.read("log"), "{\"a\": 1}\n");
  EXPECT_EQ(folder.files(), 1u);
}

TEST(TrainingSessionTest, GoesOnWithStateAndLines) {
  const TemporaryFolder folder;
  TrainingSessionOptions options{.log = folder.path("log"), .checkpoint = folder.path("state")};
  {
    TrainingSession session(options, kFingerprint);
    session.log(R"({"step": 1})");
    session.save({false, R"({"at": 1})", {MatrixD::identity(2)}});
    session.log(R"({"step": 2})");  // after the checkpoint: lost
  }
  EXPECT_THROW(TrainingSession(options, kFingerprint), UsageError);
  options.resume = true;
  const TrainingSession session(options, kFingerprint);
  ASSERT_TRUE(session.resumed());
  EXPECT_EQ(session.resumed()->json, R"({"at":1})");
  EXPECT_EQ(session.resumed()->matrices.at(0), MatrixD::identity(2));
  EXPECT_EQ(folder.read("log"), "{\"step\": 1}\n");
  EXPECT_THROW(TrainingSession(options, {{"x", "2"}}), UsageError);
}

TEST(TrainingSessionTest, PartsShareTheLogAndHaveFoldersOfTheirOwn) {
  const TemporaryFolder folder;
  TrainingSession whole({.log = folder.path("log"), .checkpoint = folder.path("state")}, {});
  TrainingSession part(whole.part("one"), {});
  whole.log("{}");
  part.log("[]");
  EXPECT_EQ(folder.read("log"), "{}\n[]\n");
  part.save({});
  EXPECT_TRUE(folder.has("state/one/checkpoint.wbstate"));
  EXPECT_FALSE(folder.has("state/checkpoint.wbstate"));
}

TEST(TrainingSessionTest, ToResumeAFolderIsNeeded) { EXPECT_THROW(TrainingSession({.resume = true}, {}), UsageError); }

}  // namespace
}  // namespace wordbridge::training_session_test
