#include "studio/review.h"

#include <gtest/gtest.h>

#include "base/random.h"
#include "studio/training.h"

namespace wordbridge::studio {
namespace review_test {

Decision decision(const char* source, const char* target, Verdict verdict) {
  return {.source = source, .target = target, .verdict = verdict, .author = "me"};
}

TEST(Verdicts, TheLastOneStands) {
  Verdicts verdicts({decision("a", "x", Verdict::accepted), decision("a", "y", Verdict::rejected),
                     decision("b", "", Verdict::skipped)});
  EXPECT_TRUE(verdicts.accepted("a", "x"));
  EXPECT_TRUE(verdicts.rejected("a", "y"));
  EXPECT_TRUE(verdicts.settled("a"));
  EXPECT_TRUE(verdicts.settled("b"));
  verdicts.apply(decision("a", "x", Verdict::rejected));
  EXPECT_FALSE(verdicts.accepted("a", "x"));
  EXPECT_FALSE(verdicts.settled("a"));
  EXPECT_EQ(verdicts.rejected().size(), 2U);
  verdicts.forget("a", "x");
  verdicts.forget("b", "");
  EXPECT_FALSE(verdicts.rejected("a", "x"));
  EXPECT_FALSE(verdicts.settled("b"));
  EXPECT_EQ(verdicts.accepted().of(Side::target, "x"), std::vector<std::string>());
}

WordVectors vectors(const Matrix& rows, char letter) {
  std::vector<std::string> words;
  for (std::size_t i = 0; i < rows.rows(); ++i) words.push_back(letter + std::to_string(i));
  return {Vocabulary(words), rows};
}

std::shared_ptr<Bench> bench(double noise) {
  Random random(1);
  Matrix source(60, 8), target(60, 8);
  for (std::size_t i = 0; i < source.size(); ++i) {
    source.elements()[i] = static_cast<float>(random.normal());
    target.elements()[i] = source.elements()[i] + static_cast<float>(noise * random.normal());
  }
  return std::make_shared<Bench>(CommonSpace(vectors(source, 's'), vectors(target, 't')), 1, 1, 1);
}

TEST(ReviewQueue, LeavesOutWhatIsAnsweredAndPutsTheUsefulFirst) {
  ReviewQueue queue(bench(0.6));
  EXPECT_FALSE(queue.page(ReviewQueue::Order::use, 0, 10, {}).complete);
  queue.fill([](std::string_view word) { return word == "s0"; });
  using Order = ReviewQueue::Order;
  const auto all = queue.page(Order::frequency, 0, 100, {});
  EXPECT_TRUE(all.complete);
  EXPECT_EQ(all.open, 59U);
  EXPECT_EQ(all.suggestions.front().source, 1U);
  const auto by_use = queue.page(Order::use, 0, 100, {}).suggestions;
  for (std::size_t i = 1; i < by_use.size(); ++i) EXPECT_GE(by_use[i - 1].use, by_use[i].use);
  const auto sure = queue.page(Order::probability, 0, 100, {}).suggestions;
  EXPECT_GE(sure.front().probability, sure.back().probability);
  EXPECT_GT(sure.front().probability, 0.5);
  const auto disputed = queue.page(Order::disputed, 0, 100, {}).suggestions;
  EXPECT_GE(disputed.front().disputed, disputed.back().disputed);
  // A rejected candidate makes room for the next one; an accepted pair and a word put aside settle a word.
  const Suggestion& first = all.suggestions.front();
  const std::string best = "t" + std::to_string(first.candidates[0].first);
  const Verdicts verdicts({decision("s1", best.c_str(), Verdict::rejected),
                           decision("s2", "anything", Verdict::accepted), decision("s3", "", Verdict::skipped)});
  const auto rest = queue.page(Order::frequency, 0, 100, verdicts);
  EXPECT_EQ(rest.open, 57U);
  EXPECT_EQ(rest.suggestions[0].source, 1U);
  EXPECT_EQ(rest.suggestions[0].candidates.front().first, first.candidates[1].first);
  EXPECT_EQ(rest.suggestions[1].source, 4U);
  EXPECT_EQ(queue.page(Order::frequency, 58, 100, {}).suggestions.size(), 1U);
  EXPECT_TRUE(queue.page(Order::frequency, 1000, 100, {}).suggestions.empty());
}

WordPairs pairs(std::initializer_list<std::pair<const char*, const char*>> list) {
  WordPairs result;
  for (const auto& [source, target] : list) result.pairs.push_back({source, target});
  return result;
}

TEST(Training, AcceptedPairsJoinAndRejectedOnesLeave) {
  const WordPairs lexicon = pairs({{"a", "x"}, {"b", "y"}, {"c", "z"}});
  const WordPairs validation = pairs({{"v", "w"}, {"c", "z"}});
  const Verdicts verdicts({decision("b", "y", Verdict::rejected), decision("b", "yy", Verdict::accepted),
                           decision("a", "x", Verdict::accepted), decision("v", "ww", Verdict::accepted)});
  const TrainingPairs result = training_pairs(lexicon, validation, verdicts);
  EXPECT_EQ(result.train.pairs, pairs({{"a", "x"}, {"b", "yy"}}).pairs);
  // What somebody accepted of a word that is held out is right there, and not learned from.
  EXPECT_EQ(result.held_out.pairs, pairs({{"v", "w"}, {"c", "z"}, {"v", "ww"}}).pairs);
  EXPECT_EQ(result.accepted, 1U);
  EXPECT_EQ(result.removed, 1U);
}

TEST(Training, WithoutAValidationLexiconSomeWordsAreHeldOutAlwaysTheSame) {
  WordPairs lexicon;
  for (int i = 0; i < 800; ++i) lexicon.pairs.push_back({"w" + std::to_string(i / 2), "t" + std::to_string(i)});
  const TrainingPairs result = training_pairs(lexicon, std::nullopt, {});
  EXPECT_EQ(result.train.pairs.size() + result.held_out.pairs.size(), 800U);
  EXPECT_GT(result.held_out.pairs.size(), 50U);
  EXPECT_LT(result.held_out.pairs.size(), 160U);
  std::set<std::string> held_out;
  for (const auto& pair : result.held_out.pairs) held_out.insert(pair.source);
  for (const auto& pair : result.train.pairs) EXPECT_FALSE(held_out.contains(pair.source));
  // Words that come later change nothing about the others.
  lexicon.pairs.insert(lexicon.pairs.begin(), {"new", "word"});
  for (const auto& pair : training_pairs(lexicon, std::nullopt, {}).train.pairs)
    EXPECT_FALSE(held_out.contains(pair.source));
}

}  // namespace review_test
}  // namespace wordbridge::studio
