#include <gtest/gtest.h>

#include <atomic>
#include <thread>

#include "linalg/random_matrix_test_support.h"
#include "retrieval/criterion_registry.h"
#include "retrieval/dense_criteria_test_support.h"
#include "space/space_test_support.h"
#include "wordbridge/context.h"
#include "wordbridge/error.h"

// Work that is cancelled anywhere leaves a space that gives the right answers afterwards.

namespace wordbridge::cancellation_test {
namespace {

/// Cancels its context at the n-th word of progress.
class CancelAt final : public Progress {
 public:
  explicit CancelAt(int n) : left_(n) {}
  void update(std::string_view, std::uint64_t, std::uint64_t, std::string_view) override {
    if (--left_ == 0) Context::current().cancel();
  }
  void finish(std::string_view) override {}
  bool was_reached() const { return left_ <= 0; }

 private:
  int left_;
};

TEST(Cancellation, AtAnyStage) {
  const Matrix sources = random_unit_rows(700, 12, 1), targets = random_unit_rows(600, 12, 2);
  for (const std::string& name : vector_criterion_names()) {
    const Candidates expected = make_criterion(name, space_of(sources, targets))->best(sources, 3);
    const CommonSpace space = space_of(sources, targets);
    bool cancelled = true;
    for (int n = 1; cancelled; ++n) {
      CancelAt progress(n);
      Context context({.progress = &progress});
      const Context::Scope scope(context);
      try {
        EXPECT_EQ(difference(expected, make_criterion(name, space)->best(sources, 3)), "") << name;
        cancelled = false;
      } catch (const Cancelled&) {
        EXPECT_TRUE(progress.was_reached());
      }
      ASSERT_LT(n, 1000);
    }
    EXPECT_EQ(difference(expected, make_criterion(name, space)->best(sources, 3)), "") << name;
  }
}

TEST(Cancellation, FromAnotherThread) {
  const Matrix sources = random_unit_rows(3000, 40, 1), targets = random_unit_rows(3000, 40, 2);
  const CommonSpace space = space_of(sources, targets);
  Context context;
  std::atomic<bool> ended = false;
  std::thread worker([&] {
    const Context::Scope scope(context);
    try {
      for (;;) make_criterion("csls", space_of(sources, targets))->best(sources, 5);
    } catch (const Cancelled&) {
      ended = true;
    }
  });
  context.cancel();
  worker.join();
  EXPECT_TRUE(ended);
}

}  // namespace
}  // namespace wordbridge::cancellation_test
