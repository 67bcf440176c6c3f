#include "experiments/needed_files.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/temporary_folder_test_support.h"

namespace wordbridge::needed_files_test {
namespace {

using ::testing::ElementsAre;

constexpr const char* kExperiment = R"({
  "name": "t", "title": "T", "measure": "translation",
  "settings": {"source": "en", "source_vectors": "wiki.{source}.vec", "target_vectors": "wiki.{target}.vec",
               "train": "{source}-{target}.0-5000.txt", "test": "{source}-{target}.5000-6500.txt", "criterion": "nn"},
  "columns": [{"name": "es", "target": "es"}, {"name": "de", "target": "de"}],
  "rows": [{"name": "P", "align": "--method procrustes"},
           {"name": "cited", "only_paper": true, "paper": [1, 2]},
           {"name": "U", "train": "", "align": "--method icp --init=@start.{target}.wbmap"}]})";

TEST(NeededFiles, EachNameOnceInTheOrderOfItsFirstCell) {
  EXPECT_THAT(needed_files(parse_experiment(kExperiment, "t.json")),
              ElementsAre("wiki.en.vec", "wiki.es.vec", "en-es.0-5000.txt", "en-es.5000-6500.txt", "wiki.de.vec",
                          "en-de.0-5000.txt", "en-de.5000-6500.txt", "start.es.wbmap", "start.de.wbmap"));
}

TEST(NeededFiles, OfSeveralExperiments) {
  const TemporaryFolder folder;
  const std::string one = folder.write("one.json", kExperiment), two = folder.write("two.json", kExperiment);
  EXPECT_EQ(needed_files(std::vector{one, two}), needed_files(std::vector{one}));
}

}  // namespace
}  // namespace wordbridge::needed_files_test
