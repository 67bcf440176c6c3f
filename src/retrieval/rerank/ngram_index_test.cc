#include "retrieval/rerank/ngram_index.h"

#include <gtest/gtest.h>

#include <cmath>

#include "base/random.h"

namespace wordbridge::ngram_index_test {
namespace {

SpellingTable table_of(const std::vector<std::string>& words) { return SpellingTable(Vocabulary(words)); }

TEST(NgramIndex, KnownAnswer) {
  // Three words, N + 1 = 4. "ab": ^a ab b$ ^ab ab$; "ac": ^a ac c$ ^ac ac$; the source "a": ^a a$ ^a$.
  const SpellingTable sources = table_of({"a"}), targets = table_of({"ab", "ac"});
  const NgramIndex index(sources, targets);
  const double common = std::log(4.0 / 4), single = std::log(4.0 / 2);
  EXPECT_EQ(common, 0);
  // "ab" and "ac" share ^a only, which every word has: it weighs nothing.
  EXPECT_NEAR(index.cosine(index.profile(U"ab"), 1), 0, 1e-15);
  EXPECT_NEAR(index.cosine(index.profile(U"ab"), 0), 1, 1e-15);
  // "b": ^b b$ ^b$, of which ab has b$; the others are unseen: idf log(4 / 1).
  const double unseen = std::log(4.0);
  const double length = std::sqrt(single * single + 2 * unseen * unseen);
  EXPECT_NEAR(index.cosine(index.profile(U"b"), 0), single / length * single / (2 * single), 1e-15);
}

TEST(NgramIndex, CountsRepeatedNgrams) {
  const SpellingTable sources = table_of({"x"}), targets = table_of({"aaaa", "bcde"});
  const NgramIndex index(sources, targets);
  const auto profile = index.profile(U"aaaa");  // ^a aa aa aa a$ ^aa aaa aaa aa$
  double squares = 0, largest = 0;
  for (const auto& term : profile) {
    squares += term.weight * term.weight;
    largest = std::max(largest, term.weight);
  }
  EXPECT_EQ(profile.size(), 6u);
  EXPECT_NEAR(squares, 1, 1e-12);
  EXPECT_NEAR(largest, 3 / std::sqrt(9.0 + 4 + 4), 1e-12);
}

TEST(NgramIndex, NearestAreThoseOfAllTargets) {
  Random random(5);
  std::vector<std::string> words[2];
  for (auto& list : words)
    for (int i = 0; i < 400; ++i) {
      std::string word;
      for (std::size_t letters = 1 + random.index(7); letters-- > 0;) word += static_cast<char>('a' + random.index(4));
      list.push_back(word);
    }
  const SpellingTable sources = table_of(words[0]), targets = table_of(words[1]);
  const NgramIndex index(sources, targets);
  NgramIndex::Search search(index);
  for (WordId word = 0; word < sources.size(); ++word) {
    const auto profile = index.profile(sources[word]);
    for (const double threshold : {0.0, 0.35, 0.8}) {
      TopK<double> expected(5);
      for (WordId target = 0; target < targets.size(); ++target)
        if (const double cosine = index.cosine(profile, target); cosine > threshold) expected.offer(cosine, target);
      const auto found = search.nearest(profile, 5, threshold), best = expected.sorted();
      ASSERT_EQ(found.size(), best.size());
      for (std::size_t i = 0; i < best.size(); ++i) {
        EXPECT_EQ(found[i].id, best[i].id);
        EXPECT_EQ(found[i].score, best[i].score);
      }
    }
  }
}

TEST(NgramIndex, EmptyWordsAndTables) {
  const SpellingTable none, some = table_of({"", "a"});
  const NgramIndex index(none, some);
  EXPECT_EQ(index.profile(U"").size(), 1u);  // beginning and end
  const NgramIndex empty(some, none);
  NgramIndex::Search search(empty);
  EXPECT_TRUE(search.nearest(empty.profile(U"a"), 5, 0).empty());
}

}  // namespace
}  // namespace wordbridge::ngram_index_test
