#include "cli/report/drift_report.h"

#include <gmock/gmock.h>

namespace wordbridge::drift_report_test {
namespace {

using ::testing::ElementsAre;

const Drift kDrift = {.shared = 9,
                      .words = {{.word = "cell",
                                 .old_rank = 3,
                                 .new_rank = 5,
                                 .cosine = 0.25,
                                 .z = -4.5,
                                 .p = 1.25e-6,
                                 .q = 1e-3,
                                 .kept = 0.5,
                                 .old_neighbors = {"prison", "New York", "a", "b", "c"},
                                 .new_neighbors = {"phone"}}}};

TEST(DriftReport, ForPeople) {
  EXPECT_THAT(to_table(kDrift).rows[0],
              ElementsAre("cell", "0.250", "-4.5", "0.001", "50%", "prison New York a b", "phone"));
}

TEST(DriftReport, ForPrograms) {
  EXPECT_THAT(fields_table(kDrift).rows[0], ElementsAre("cell", "3", "5", "0.250000", "-4.5000", "1.25e-06", "0.001",
                                                        "0.5000", "prison New\\x20York a b c", "phone"));
}

}  // namespace
}  // namespace wordbridge::drift_report_test
