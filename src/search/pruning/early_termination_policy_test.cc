#include "search/pruning/early_termination_policy.h"

#include <gmock/gmock.h>

namespace wordbridge::early_termination_policy_test {
namespace {

/// Runs a job of 640 pairs in which each check that is done ends so many of them; returns the first that was done.
std::size_t first_done(EarlyTerminationPolicy& policy, std::vector<std::uint64_t> ends) {
  FilterJob job{};
  job.query_count = 10;
  job.panels = 1;
  policy.prepare(job);
  for (std::size_t check = job.first_check; check < ends.size(); ++check) job.terminated[check] += ends[check];
  policy.learn(job);
  return job.first_check;
}

TEST(EarlyTerminationPolicy, LeavesOutWhatEndsLittle) {
  EarlyTerminationPolicy policy(2);
  EXPECT_EQ(first_done(policy, {79, 300}), 0u);  // less than an eighth
  EXPECT_EQ(first_done(policy, {79, 300}), 1u);
  EXPECT_EQ(first_done(policy, {79, 300}), 1u);
  EXPECT_EQ(first_done(policy, {0, 10}), 1u);
  EXPECT_EQ(first_done(policy, {0, 0}), 2u);
}

TEST(EarlyTerminationPolicy, TriesAgain) {
  EarlyTerminationPolicy policy(1);
  std::size_t done = 0;
  for (int job = 0; job < 33; ++job) done += first_done(policy, {0}) == 0;
  EXPECT_EQ(done, 3u);
}

TEST(EarlyTerminationPolicy, NothingToChoose) {
  EarlyTerminationPolicy policy(0);
  EXPECT_EQ(first_done(policy, {}), 0u);
  EXPECT_EQ(first_done(policy, {}), 0u);
}

}  // namespace
}  // namespace wordbridge::early_termination_policy_test
