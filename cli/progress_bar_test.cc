#include "cli/progress_bar.h"

#include <gmock/gmock.h>

namespace wordbridge::cli::progress_bar_test {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;
using ::testing::StartsWith;

TEST(RenderProgress, ShowsBarRateAndRemainingTime) {
  // 25% after 10 seconds: 30 more to go.
  EXPECT_EQ(render_progress("reading en.vec", 50'000'000, 200'000'000, "", 10, 200),
            "reading en.vec  [######------------------]  25%  5.00M/s  0:30 left");
  EXPECT_EQ(render_progress("training", 3, 10, "loss -0.07", 6, 200),
            "training  [#######-----------------]  30%  0.5/s  0:14 left  loss -0.07");
}

TEST(RenderProgress, SlowWorkHasNoRateOfZero) {
  EXPECT_EQ(render_progress("x", 1, 10, "", 30, 200), "x  [##----------------------]  10%  4:30 left");
  EXPECT_EQ(render_progress("x", 4, 0, "", 2, 200), "x  4  2.0/s  0:02");
  EXPECT_EQ(render_progress("x", 40, 0, "", 2, 200), "x  40  20/s  0:02");
}

TEST(RenderProgress, WithoutATotalShowsWhatIsDone) {
  EXPECT_EQ(render_progress("reading -", 1'500'000, 0, "", 75, 200), "reading -  1.50M  20.0k/s  1:15");
}

TEST(RenderProgress, OddNumbersDoNoHarm) {
  EXPECT_THAT(render_progress("x", 0, 10, "", 0, 200), HasSubstr("  0%"));
  EXPECT_THAT(render_progress("x", 20, 10, "", 1, 200), HasSubstr("100%"));
  EXPECT_THAT(render_progress("x", 1, UINT64_MAX, "", 1e9, 200), HasSubstr(" left"));
  EXPECT_THAT(render_progress("x", 1, 7300, "", 1, 200), HasSubstr("2:01:39 left"));
}

TEST(RenderProgress, FitsTheTerminal) {
  EXPECT_EQ(render_progress("reading", 5, 10, "", 1, 12), "reading  [##");
  // Letters of two bytes take one column, and none is cut in two.
  EXPECT_EQ(render_progress("\xC3\xB1\xC3\xB1\xC3\xB1", 5, 10, "", 1, 2), "\xC3\xB1\xC3\xB1");
  EXPECT_EQ(render_progress("a\nb\x1b", 5, 10, "", 1, 4), "a b ");
}

TEST(ShortCount, IsShort) {
  EXPECT_EQ(short_count(0), "0");
  EXPECT_EQ(short_count(999), "999");
  EXPECT_EQ(short_count(999.6), "1.00k");
  EXPECT_EQ(short_count(12'345), "12.3k");
  EXPECT_EQ(short_count(123'456), "123k");
  EXPECT_EQ(short_count(548e6), "548M");
  EXPECT_EQ(short_count(5e15), "5000T");
}

class ProgressBarTest : public ::testing::Test {
 protected:
  double now_ = 100;
  std::string written_;
  ProgressBar bar_{[this](std::string_view text) { written_ += text; }, [] { return std::size_t{80}; },
                   [this] { return now_; }};
};

TEST_F(ProgressBarTest, ShortWorkShowsNothing) {
  bar_.update("reading", 1, 2, "");
  now_ += 0.3;
  bar_.update("reading", 2, 2, "");
  bar_.finish("reading");
  EXPECT_EQ(written_, "");
}

TEST_F(ProgressBarTest, DrawsOverItselfAndGoes) {
  bar_.update("reading", 0, 10, "");
  now_ += 1;
  bar_.update("reading", 5, 10, "");
  EXPECT_THAT(written_, StartsWith("\rreading  [############------------]  50%"));
  EXPECT_THAT(written_, Not(HasSubstr("\n")));
  written_.clear();
  bar_.finish("reading");
  EXPECT_EQ(written_, "\r\x1b[K");
  written_.clear();
  bar_.finish("reading");
  EXPECT_EQ(written_, "") << "what is gone is not taken off again";
}

TEST_F(ProgressBarTest, DrawsTenTimesASecondAtMost) {
  bar_.update("reading", 0, 100, "");
  now_ += 1;
  bar_.update("reading", 1, 100, "");
  written_.clear();
  now_ += 0.05;
  bar_.update("reading", 2, 100, "");
  EXPECT_EQ(written_, "");
  now_ += 0.06;
  bar_.update("reading", 3, 100, "");
  EXPECT_NE(written_, "");
}

TEST_F(ProgressBarTest, EachStageHasItsOwnTime) {
  bar_.update("one", 0, 10, "");
  now_ += 10;
  bar_.update("one", 9, 10, "");
  bar_.update("two", 0, 10, "");
  now_ += 1;
  written_.clear();
  bar_.update("two", 5, 10, "");
  EXPECT_THAT(written_, HasSubstr("0:01 left"));
}

TEST_F(ProgressBarTest, ClearMakesRoomForALine) {
  bar_.update("one", 0, 10, "");
  now_ += 1;
  bar_.update("one", 1, 10, "");
  written_.clear();
  bar_.clear();
  EXPECT_EQ(written_, "\r\x1b[K");
  bar_.update("one", 2, 10, "");
  EXPECT_THAT(written_, HasSubstr("20%")) << "it comes back at the next chance";
}

}  // namespace
}  // namespace wordbridge::cli::progress_bar_test
