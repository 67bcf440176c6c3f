#include "wordbridge/context.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <atomic>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

#include "parallel/thread_pool.h"
#include "wordbridge/error.h"

namespace wordbridge::context_test {

namespace {

class Record final : public Progress {
 public:
  void update(std::string_view stage, std::uint64_t done, std::uint64_t total, std::string_view note) override {
    lines.push_back(std::string(stage) + " " + std::to_string(done) + "/" + std::to_string(total) + " " +
                    std::string(note));
  }
  void finish(std::string_view stage) override { lines.push_back(std::string(stage) + " over"); }

  std::vector<std::string> lines;
};

TEST(Context, ScopesNestAndEnd) {
  Context outer({.threads = 1, .seed = 5}), inner({.threads = 3});
  Context& usual = Context::current();
  {
    const Context::Scope first(outer);
    EXPECT_EQ(&Context::current(), &outer);
    EXPECT_EQ(Context::current().seed(), 5u);
    {
      const Context::Scope second(inner);
      EXPECT_EQ(ThreadPool::current().size(), 3);
    }
    EXPECT_EQ(ThreadPool::current().size(), 1);
  }
  EXPECT_EQ(&Context::current(), &usual);
  EXPECT_EQ(Context::current().seed(), 1u);
}

TEST(Context, EachThreadHasItsOwn) {
  Context context;
  const Context::Scope scope(context);
  std::thread([&] { EXPECT_NE(&Context::current(), &context); }).join();
}

TEST(Context, BodiesOfThePoolAreInTheContextOfTheirCaller) {
  Context context({.threads = 4});
  const Context::Scope scope(context);
  std::atomic<int> strangers = 0;
  ThreadPool::current().for_chunks(1000, 1, [&](std::size_t, std::size_t, int) {
    if (&Context::current() != &context) ++strangers;
  });
  EXPECT_EQ(strangers, 0);
}

TEST(Context, CancellingEndsALoopOfAnyNumberOfThreads) {
  for (const int threads : {1, 3}) {
    Context context({.threads = threads});
    const Context::Scope scope(context);
    std::atomic<std::size_t> chunks = 0;
    EXPECT_THROW(ThreadPool::current().for_chunks(1'000'000, 1,
                                                  [&](std::size_t begin, std::size_t, int) {
                                                    ++chunks;
                                                    if (begin == 10) context.cancel();
                                                  }),
                 Cancelled);
    EXPECT_LT(chunks, 1'000'000u);
    EXPECT_THROW(Context::poll(), Cancelled);
    EXPECT_THROW(ThreadPool::current().for_chunks(1, 1, [](std::size_t, std::size_t, int) {}), Cancelled);
  }
  EXPECT_NO_THROW(Context::poll());
}

TEST(Context, CancelledFromAnotherThread) {
  Context context({.threads = 2});
  const Context::Scope scope(context);
  std::atomic<bool> begun = false;
  std::thread other([&] {
    while (!begun) std::this_thread::yield();
    context.cancel();
  });
  EXPECT_THROW(ThreadPool::current().for_chunks(SIZE_MAX / 2, 1, [&](std::size_t, std::size_t, int) { begun = true; }),
               Cancelled);
  other.join();
}

TEST(Stage, BeginsWithItsFirstUpdateAndEndsWithItself) {
  Record record;
  Context context({.progress = &record});
  const Context::Scope scope(context);
  { const Stage silent("never"); }
  {
    Stage stage("training");
    stage.update(1, 2, "loss 3");
    stage.update(2, 2);
  }
  EXPECT_THAT(record.lines, testing::ElementsAre("training 1/2 loss 3", "training 2/2 ", "training over"));
}

TEST(Stage, EndsWhenTheWorkFails) {
  Record record;
  Context context({.progress = &record});
  const Context::Scope scope(context);
  const auto fail = [] {
    Stage stage("training");
    stage.update(0, 0);
    throw std::runtime_error("no");
  };
  EXPECT_THROW(fail(), std::runtime_error);
  EXPECT_EQ(record.lines.back(), "training over");
}

TEST(Stage, PollsForCancellation) {
  Context context;
  const Context::Scope scope(context);
  Stage stage("training");
  stage.update(0, 10);
  context.cancel();
  EXPECT_THROW(stage.update(1, 10), Cancelled);
}

TEST(Progress, NoneTakesEverythingAndIsOne) {
  Progress& none = Progress::none();
  none.update("reading", 3, 0, "");
  none.update("reading", 5, 4, "more than all");
  none.finish("never begun");
  EXPECT_EQ(&none, &Progress::none());
}

}  // namespace

}  // namespace wordbridge::context_test
