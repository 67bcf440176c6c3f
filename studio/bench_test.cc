#include "studio/bench.h"

#include <gtest/gtest.h>

#include <numeric>
#include <string>
#include <thread>
#include <vector>

#include "base/random.h"
#include "retrieval/nearest.h"
#include "space/common_space_state.h"
#include "wordbridge/error.h"

namespace wordbridge::studio {
namespace bench_test {

WordVectors random_vectors(std::size_t count, char letter, std::uint64_t seed) {
  Random random(seed);
  Matrix rows(count, 6);
  for (float& value : rows.elements()) value = static_cast<float>(random.normal());
  std::fill(rows.row(3).begin(), rows.row(3).end(), 0.0F);
  std::vector<std::string> words;
  for (std::size_t i = 0; i < count; ++i) words.push_back(letter + std::to_string(i));
  return {Vocabulary(words), std::move(rows)};
}

CommonSpace space() { return {random_vectors(120, 's', 1), random_vectors(90, 't', 2)}; }

TEST(AnswerCache, ForgetsWhatWasAskedLongAgo) {
  AnswerCache cache(8000);
  const auto text = std::make_shared<const std::string>(300, 'x');
  for (int i = 0; i < 100; ++i) {
    cache.keep(std::to_string(i), text);
    EXPECT_NE(cache.find("0"), nullptr);  // asked again and again
  }
  EXPECT_EQ(cache.find("1"), nullptr);
  EXPECT_NE(cache.find("99"), nullptr);
  cache.keep("large", std::make_shared<const std::string>(3000, 'x'));
  EXPECT_EQ(cache.find("large"), nullptr);
}

TEST(PrefixIndex, FindsTheMostFrequentInWhateverCase) {
  const std::vector<std::string> words = {"the", "House", "houses", "HOUR", "hold", "\xc3\x89t\xc3\xa9", "ho", ""};
  const PrefixIndex index{Vocabulary(words)};
  EXPECT_EQ(index.find("ho", 10), (std::vector<WordId>{1, 2, 3, 4, 6}));
  EXPECT_EQ(index.find("HOU", 2), (std::vector<WordId>{1, 2}));
  EXPECT_EQ(index.find("\xc3\xa9", 5), (std::vector<WordId>{5}));
  EXPECT_TRUE(index.find("x", 5).empty());
  EXPECT_EQ(index.find("", 3), (std::vector<WordId>{0, 1, 2}));
}

TEST(Bench, ThreadsTogetherGetTheAnswersOfOneAlone) {
  Bench bench(space(), 1, 2, 1);
  for (const char* criterion : {"nn", "csls"})
    for (const Side side : {Side::source, Side::target}) {
      const Translator alone(space(), {.criterion = criterion, .asking = side});
      const Vocabulary& words = alone.space().vocabulary(side);
      std::vector<std::thread> threads;
      std::vector<std::string> different(8);
      for (std::size_t thread = 0; thread < different.size(); ++thread)
        threads.emplace_back([&, thread] {
          for (std::size_t i = thread; i < words.size(); i += 3) {
            const std::string word(words[i]);
            const std::size_t count = 1 + i % 3;
            const auto mine = bench.translate({criterion, side}, std::span(&word, 1), count).front();
            const auto expected = alone.translate(word, count);
            if (mine.word != expected.word || mine.candidates.size() != expected.candidates.size())
              different[thread] += word + " ";
            for (std::size_t k = 0; k < std::min(mine.candidates.size(), expected.candidates.size()); ++k)
              if (mine.candidates[k].id != expected.candidates[k].id ||
                  mine.candidates[k].score != expected.candidates[k].score)
                different[thread] += word + " ";
          }
        });
      for (std::thread& thread : threads) thread.join();
      EXPECT_EQ(std::accumulate(different.begin(), different.end(), std::string()), "") << criterion;
    }
}

TEST(Bench, AnErrorReachesWhoAsked) {
  Bench bench(space(), 1, 1, 1);
  const std::string word = "s1";
  EXPECT_THROW(bench.translate({"rerank", Side::source}, std::span(&word, 1), 1), UsageError);
  EXPECT_THROW(bench.translate({"nothing", Side::source}, std::span(&word, 1), 1), UsageError);
}

TEST(Bench, CountsByHowManyEachWordIsChosen) {
  Bench bench(space(), 1, 2, 1);
  EXPECT_EQ(bench.chosen(Side::target), nullptr);
  bench.warm_up();
  const Translator nearest(space(), {.criterion = "nn"});
  std::vector<std::uint32_t> expected(90);
  for (std::size_t i = 0; i < 120; ++i)
    for (const auto& one : nearest.translate("s" + std::to_string(i), 10)) ++expected[one.id];
  EXPECT_EQ(*bench.chosen(Side::target), expected);
  EXPECT_EQ(bench.chosen(Side::source)->size(), 120U);
}

TEST(Bench, ScoresAddUp) {
  Bench bench(space(), 1, 1, 1);
  const std::string word = "s5";
  const auto csls = bench.translate({"csls", Side::source}, std::span(&word, 1), 5).front();
  std::vector<WordId> ids;
  for (const auto& one : csls) ids.push_back(one.id);
  double own = 0;
  const auto scores = bench.scores(Side::source, bench.space().table(Side::source).row(5), ids, &own);
  for (std::size_t i = 0; i < ids.size(); ++i) EXPECT_NEAR(scores[i].csls, csls.candidates[i].score, 1e-12);
}

}  // namespace bench_test
}  // namespace wordbridge::studio
