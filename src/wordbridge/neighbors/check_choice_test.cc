#include "wordbridge/neighbors/check_choice.h"

#include <gmock/gmock.h>

namespace wordbridge::check_choice_test {
namespace {

/// Runs a job of 640 pairs in which each check that is done ends so many of them; returns the first that was done.
std::size_t first_done(CheckChoice& choice, std::vector<std::uint64_t> ends) {
  ScreenJob job{};
  job.query_count = 10;
  job.panels = 1;
  choice.prepare(job);
  for (std::size_t check = job.first_check; check < ends.size(); ++check) job.given_up[check] += ends[check];
  choice.learn(job);
  return job.first_check;
}

TEST(CheckChoice, LeavesOutWhatEndsLittle) {
  CheckChoice choice(2);
  EXPECT_EQ(first_done(choice, {79, 300}), 0u);  // less than an eighth
  EXPECT_EQ(first_done(choice, {79, 300}), 1u);
  EXPECT_EQ(first_done(choice, {79, 300}), 1u);
  EXPECT_EQ(first_done(choice, {0, 10}), 1u);
  EXPECT_EQ(first_done(choice, {0, 0}), 2u);
}

TEST(CheckChoice, TriesAgain) {
  CheckChoice choice(1);
  std::size_t done = 0;
  for (int job = 0; job < 33; ++job) done += first_done(choice, {0}) == 0;
  EXPECT_EQ(done, 3u);
}

TEST(CheckChoice, NothingToChoose) {
  CheckChoice choice(0);
  EXPECT_EQ(first_done(choice, {}), 0u);
  EXPECT_EQ(first_done(choice, {}), 0u);
}

}  // namespace
}  // namespace wordbridge::check_choice_test
