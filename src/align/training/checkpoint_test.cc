#include "align/training/checkpoint.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <string>

#include "base/temporary_folder_test_support.h"
#include "linalg/random_map_test_support.h"
#include "wordbridge/error.h"

namespace wordbridge::checkpoint_test {
namespace {

using testing::HasSubstr;

const Checkpoint::Fingerprint kRun = {{"learning rate", "25"}, {"source vectors", "abc"}};
const char* const kFile = "run/checkpoint.wbstate";

TEST(CheckpointTest, GivesBackEveryBit) {
  const TemporaryFolder folder;
  CheckpointState state;
  state.finished = true;
  state.json = R"({"epoch":3,"log":["one","två"],"rate":0.1})";
  state.matrices = {random_map(3, 5, 1, 1), MatrixD(0, 4), MatrixD(1, 2)};
  state.matrices[2](0, 0) = std::numeric_limits<double>::infinity();
  state.matrices[2](0, 1) = -0.0;
  Checkpoint(folder.path("run"), kRun).save(state);

  const auto loaded = Checkpoint(folder.path("run"), kRun).load();
  ASSERT_TRUE(loaded.has_value());
  EXPECT_TRUE(loaded->finished);
  EXPECT_EQ(loaded->json, state.json);
  EXPECT_EQ(loaded->matrices, state.matrices);
  EXPECT_TRUE(std::signbit(loaded->matrices[2](0, 1)));
}

TEST(CheckpointTest, ALexiconIsKnownByItsPairsAndWeights) {
  const std::string plain = checksum_of(Lexicon({{1, 2}, {3, 4}}));
  EXPECT_THAT(plain, testing::StartsWith("2 pairs, "));
  EXPECT_EQ(plain, checksum_of(Lexicon({{1, 2, 1}, {3, 4, 1}})));
  EXPECT_NE(plain, checksum_of(Lexicon({{1, 2}, {4, 3}})));
  const std::string weighted = checksum_of(Lexicon({{1, 2}, {3, 4, 0.5}}));
  EXPECT_THAT(weighted, testing::StartsWith(plain + ", weights "));
  EXPECT_NE(weighted, checksum_of(Lexicon({{1, 2, 0.5}, {3, 4}})));
}

TEST(CheckpointTest, ANewFolderHoldsNothing) {
  const TemporaryFolder folder;
  EXPECT_FALSE(Checkpoint(folder.path("a/b/c"), kRun).load().has_value());
  EXPECT_FALSE(folder.has("a/b/c/checkpoint.wbstate"));
}

TEST(CheckpointTest, KnowsUnfinishedRunsOfOthersToo) {
  const TemporaryFolder folder;
  const Checkpoint checkpoint(folder.path("run"), kRun), other(folder.path("run"), {});
  EXPECT_FALSE(other.has_unfinished());
  checkpoint.save({.finished = false});
  EXPECT_TRUE(other.has_unfinished());
  checkpoint.save({.finished = true});
  EXPECT_FALSE(other.has_unfinished());
  folder.write(kFile, "rubbish");
  EXPECT_THROW(other.has_unfinished(), InputError);
}

TEST(CheckpointTest, TheLastSaveCounts) {
  const TemporaryFolder folder;
  const Checkpoint checkpoint(folder.path("run"), kRun);
  checkpoint.save({.json = R"({"epoch":1})"});
  checkpoint.save({.json = R"({"epoch":2})"});
  EXPECT_EQ(checkpoint.load()->json, R"({"epoch":2})");
  EXPECT_EQ(folder.files(), 1u);
}

TEST(CheckpointTest, AnotherRunIsRefusedAndTheDifferenceNamed) {
  const TemporaryFolder folder;
  Checkpoint(folder.path("run"), kRun).save({});
  const auto reason = [&](const Checkpoint::Fingerprint& other) -> std::string {
    try {
      Checkpoint(folder.path("run"), other).load();
      return "accepted";
    } catch (const UsageError& error) {
      return error.what();
    }
  };
  EXPECT_THAT(reason({{"learning rate", "10"}, {"source vectors", "abc"}}),
              HasSubstr("learning rate was 25 when the run began and is 10 now"));
  EXPECT_THAT(reason({{"learning rate", "25"}}),
              HasSubstr("source vectors was abc when the run began and is absent now"));
  EXPECT_THAT(reason({{"learning rate", "25"}, {"source vectors", "abc"}, {"l2", "1"}}),
              HasSubstr("l2 was absent when the run began and is 1 now"));
}

TEST(CheckpointTest, DamageIsFoundWhereverItIs) {
  const TemporaryFolder folder;
  const Checkpoint checkpoint(folder.path("run"), kRun);
  checkpoint.save({.json = R"({"epoch":1})", .matrices = {random_map(4, 4, 1, 1)}});
  const std::string good = folder.read(kFile);
  for (std::size_t at = 0; at < good.size(); ++at) {
    std::string bad = good;
    bad[at] = static_cast<char>(bad[at] ^ 0x20);
    folder.write(kFile, bad);
    EXPECT_THROW(checkpoint.load(), InputError) << "byte " << at;
  }
  for (const std::size_t length :
       {std::size_t{0}, std::size_t{10}, std::size_t{30}, good.size() / 2, good.size() - 1}) {
    folder.write(kFile, good.substr(0, length));
    EXPECT_THROW(checkpoint.load(), InputError) << "cut to " << length;
  }
  folder.write(kFile, good);
  EXPECT_TRUE(checkpoint.load().has_value());
}

TEST(CheckpointTest, OtherVersionsAreToldFromDamage) {
  const TemporaryFolder folder;
  const Checkpoint checkpoint(folder.path("run"), kRun);
  folder.write(kFile, "wordbridge checkpoint 1\n" + std::string(100, '.'));
  try {
    checkpoint.load();
    ADD_FAILURE() << "no error";
  } catch (const InputError& error) {
    EXPECT_THAT(error.what(), HasSubstr("of another version of wordbridge"));
  }
}

TEST(CheckpointTest, TakesAwayWhatKilledRunsLeft) {
  const TemporaryFolder folder;
  { const Checkpoint checkpoint(folder.path("run"), kRun); }
  folder.write("run/.wordbridge-999999999-0.tmp", "half");  // beyond the largest process number
  folder.write("run/.wordbridge-1-0.tmp", "of a living process");
  folder.write("run/mine.txt", "kept");
  const Checkpoint checkpoint(folder.path("run"), kRun);
  EXPECT_FALSE(folder.has("run/.wordbridge-999999999-0.tmp"));
  EXPECT_TRUE(folder.has("run/.wordbridge-1-0.tmp"));
  EXPECT_TRUE(folder.has("run/mine.txt"));
}

TEST(CheckpointTest, AFileInPlaceOfTheFolderIsAnErrorAtOnce) {
  const TemporaryFolder folder;
  EXPECT_THROW(Checkpoint(folder.write("file", "x"), kRun), IoError);
}

}  // namespace
}  // namespace wordbridge::checkpoint_test
