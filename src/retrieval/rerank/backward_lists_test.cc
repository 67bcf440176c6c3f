#include "retrieval/rerank/backward_lists.h"

#include <gtest/gtest.h>

#include "linalg/random_matrix_test_support.h"
#include "search/brute_force_search_test_support.h"
#include "space/common_space_state.h"
#include "space/space_test_support.h"

namespace wordbridge::backward_lists_test {
namespace {

TEST(BackwardLists, AreTheSameBeforeAndAfterStatisticsAreLearned) {
  const Matrix sources = random_unit_rows(300, 16, 1), targets = random_unit_rows(200, 16, 2);
  const CommonSpace space = space_of(sources, targets);
  CslsStatistics& statistics = space.state().csls(7);
  const std::vector<WordId> wanted = {0, 5, 6, 199};
  const Neighbors expected = BruteForceSearch(sources).search(targets, 7);
  for (const bool learned : {false, true}) {
    if (learned) statistics.learn_both();
    const BackwardLists lists(statistics, wanted);
    ASSERT_EQ(lists.found(), 7u);
    for (const WordId target : wanted) {
      EXPECT_TRUE(std::ranges::equal(lists.words_of(target), expected.ids_of(target)));
      EXPECT_TRUE(std::ranges::equal(lists.cosines_of(target), expected.scores_of(target)));
      EXPECT_EQ(lists.mean_of(target), mean_score(expected.scores_of(target)));
    }
  }
}

}  // namespace
}  // namespace wordbridge::backward_lists_test
