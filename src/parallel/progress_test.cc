#include "wordbridge/context.h"

#include <gtest/gtest.h>

namespace wordbridge::progress_test {
namespace {

TEST(Progress, NoneTakesEverythingAndIsOne) {
  Progress& none = Progress::none();
  none.update("reading", 3, 0, "");
  none.update("reading", 5, 4, "more than all");
  none.finish("never begun");
  EXPECT_EQ(&none, &Progress::none());
}

}  // namespace
}  // namespace wordbridge::progress_test
