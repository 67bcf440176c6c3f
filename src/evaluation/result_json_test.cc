#include "evaluation/result_json.h"

#include <gtest/gtest.h>

namespace wordbridge::result_json_test {
namespace {

TEST(ResultJson, WordTranslation) {
  WordTranslation result;
  result.criterion = "csls";
  result.all = {3, {200.0 / 3, 100, 100}, 75};
  result.covered = {2, {100, 100, 100}, 100};
  result.coverage.lines = 4;
  result.coverage.pairs = 3;
  result.coverage.all_source_words = 3;
  result.coverage.source_words = 2;
  EXPECT_EQ(to_json(result),
            "{\"precision\":{\"all\":{\"1\":66.666667,\"5\":100.0,\"10\":100.0},"
            "\"covered\":{\"1\":100.0,\"5\":100.0,\"10\":100.0}},"
            "\"mrr_at_10\":75.0,\"mrr_at_10_covered\":100.0,\"coverage\":66.666667,\"criterion\":\"csls\","
            "\"words\":{\"all\":3,\"covered\":2},"
            "\"lexicon\":{\"lines\":4,\"duplicates\":0,\"identical_dropped\":0,\"pairs\":3,\"missing_source\":0,"
            "\"missing_target\":0,\"missing_both\":0,\"case_matched\":0,\"skipped_lines\":0}}");
  EXPECT_EQ(to_json(result.all), "{\"1\":66.666667,\"5\":100.0,\"10\":100.0}");
}

TEST(ResultJson, Hubness) {
  Hubness result;
  result.criterion = "nn";
  result.k = 10;
  result.queries = 2;
  result.targets = 4;
  result.skewness = 1.5;
  result.never = 1;
  result.hubs = {{1, 7, {0}}};
  result.histogram = {1, 0, 3};
  const Vocabulary source(std::vector<std::string>{"a", "b"}), target(std::vector<std::string>{"x", "y\xFF"});
  EXPECT_EQ(to_json(result, source, target),
            "{\"criterion\":\"nn\",\"k\":10,\"source_words\":2,\"targets\":4,\"skewness\":1.5,\"largest\":7,"
            "\"never_percent\":25.0,\"histogram\":[{\"occurrences\":\"0\",\"targets\":1},"
            "{\"occurrences\":\"1\",\"targets\":0},{\"occurrences\":\"2-3\",\"targets\":3}],"
            "\"hubs\":[{\"word\":\"y\xEF\xBF\xBD\",\"occurrences\":7,\"chosen_by\":[\"a\"]}]}");
}

}  // namespace
}  // namespace wordbridge::result_json_test
