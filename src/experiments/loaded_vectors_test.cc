#include "experiments/loaded_vectors.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/temporary_folder_test_support.h"
#include "mapping/mapping_format.h"
#include "wordbridge/error.h"

namespace wordbridge::loaded_vectors_test {
namespace {

using ::testing::ElementsAre;

struct Reads : ExperimentObserver {
  void read_vectors(const ReadSummary& summary, double) override { rows.push_back(summary.rows); }
  std::vector<std::uint64_t> rows;
};

struct LoadedVectorsTest : ::testing::Test {
  TemporaryFolder folder;
  std::string en = folder.write("en.vec", "3 2\na 1 0\nb 0 1\nc 1 1\n");
  std::string es = folder.write("es.vec", "2 2\nx 1 0\ny 0 1\n");
  std::string wide = folder.write("wide.vec", "1 3\nz 1 0 0\n");
  Reads reads;
  LoadedVectors loaded{reads};
};

TEST_F(LoadedVectorsTest, TablesAreReadOnce) {
  const auto first = loaded.vectors(en, 0);
  EXPECT_EQ(loaded.vectors(en, 0), first);
  EXPECT_EQ(loaded.vectors(en, 2)->size(), 2);
  loaded.vectors(es, 0);
  EXPECT_EQ(loaded.vectors(en, 0), first);
  EXPECT_THAT(reads.rows, ElementsAre(3, 2, 2));
}

TEST_F(LoadedVectorsTest, TheOneThatWaitedLongestGoes) {
  for (const std::size_t words : {1, 2, 3}) loaded.vectors(en, words);
  loaded.vectors(en, 1);
  loaded.vectors(es, 1);  // in the place of en with 2 words
  loaded.vectors(en, 1);
  loaded.vectors(en, 3);
  EXPECT_THAT(reads.rows, ElementsAre(1, 2, 3, 1));
  loaded.vectors(en, 2);
  EXPECT_EQ(reads.rows.size(), 5);
}

TEST_F(LoadedVectorsTest, SpacesWithAndWithoutAMapping) {
  Matrix swap(2, 2);
  swap(0, 1) = swap(1, 0) = 1;
  const std::string path = folder.path("m.wbmap");
  write_mapping(Mapping(swap, {}, {}), path);
  const CommonSpace plain = loaded.space({en, es, 0, "", ""});
  EXPECT_EQ(plain.table(Side::source)(0, 0), 1);
  const CommonSpace mapped = loaded.space({en, es, 0, "key", path});
  EXPECT_EQ(mapped.table(Side::source)(0, 0), 0);
  EXPECT_EQ(mapped.table(Side::source)(0, 1), 1);
  EXPECT_EQ(mapped.table(Side::target)(0, 0), 1);
  EXPECT_EQ(loaded.space({en, es, 0, "key", path}).table(Side::source).data(), mapped.table(Side::source).data());
  EXPECT_EQ(loaded.space_of_one({en, "", 0, "key", path}).table(Side::source)(0, 1), 1);
  EXPECT_EQ(loaded.space_of_one({en, "", 0, "", ""}).table(Side::source)(0, 1), 0);
  EXPECT_EQ(reads.rows.size(), 2);
}

TEST_F(LoadedVectorsTest, VectorsThatShareNoSpace) { EXPECT_THROW(loaded.space({en, wide, 0, "", ""}), UsageError); }

}  // namespace
}  // namespace wordbridge::loaded_vectors_test
