#include "wordbridge/aligners/journal.h"

#include <gtest/gtest.h>

#include "wordbridge/base/error.h"
#include "wordbridge/base/temporary_folder_test_support.h"

namespace wordbridge::journal_test {
namespace {

const Checkpoint::Fingerprint kFingerprint = {{"option", "1"}};

TEST(Journal, WithoutAFolderItOnlyLogs) {
  const TemporaryFolder folder;
  Journal journal({std::make_shared<IterationLog>(folder.path("log"))}, {});
  journal.log(R"({"a": 1})");
  journal.save({});
  EXPECT_FALSE(journal.resumed());
  EXPECT_EQ(folder.read("log"), "{\"a\": 1}\n");
  EXPECT_EQ(folder.files(), 1u);
}

TEST(Journal, GoesOnWithStateAndLines) {
  const TemporaryFolder folder;
  const std::string state = folder.path("state");
  {
    Journal journal({std::make_shared<IterationLog>(folder.path("log")), state}, kFingerprint);
    journal.log(R"({"step": 1})");
    journal.save({false, R"({"at": 1})", {MatrixD::identity(2)}});
    journal.log(R"({"step": 2})");  // after the checkpoint: lost
  }
  EXPECT_THROW(Journal({nullptr, state}, kFingerprint), UsageError);
  Journal journal({std::make_shared<IterationLog>(folder.path("log")), state, true}, kFingerprint);
  ASSERT_TRUE(journal.resumed());
  EXPECT_EQ(journal.resumed()->json, R"({"at":1})");
  EXPECT_EQ(journal.resumed()->matrices.at(0), MatrixD::identity(2));
  EXPECT_EQ(folder.read("log"), "{\"step\": 1}\n");
  EXPECT_THROW(Journal({nullptr, state, true}, {{"option", "2"}}), UsageError);
}

TEST(Journal, SeveralWriteIntoOneLog) {
  const TemporaryFolder folder;
  const auto log = std::make_shared<IterationLog>(folder.path("log"));
  Journal one({log}, {}), other({log}, {});
  one.log("{}");
  other.log("[]");
  EXPECT_EQ(folder.read("log"), "{}\n[]\n");
}

TEST(Journal, AFinishedRunMayBeReplaced) {
  const TemporaryFolder folder;
  Journal({nullptr, folder.path("state")}, kFingerprint).save({.finished = true});
  EXPECT_NO_THROW(Journal({nullptr, folder.path("state")}, kFingerprint));
}

}  // namespace
}  // namespace wordbridge::journal_test
