#include "hub/hub_lexicons.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <set>

#include "base/temporary_folder_test_support.h"

namespace wordbridge::hub_lexicons_test {

using testing::ElementsAre;

class HubLexicons : public testing::Test {
 protected:
  HubLexicons() {
    list_.pivot = "en";
    for (const char* name : {"de", "en", "es", "fr"}) list_.languages.push_back({name, ""});
  }
  std::string write(const std::string& name, const std::string& text) { return folder_.write(name, text); }
  static std::vector<std::string> words(const WordPairs& pairs) {
    std::vector<std::string> result;
    for (const WordPairs::Pair& pair : pairs.pairs) result.push_back(pair.source + " " + pair.target);
    return result;
  }

  TemporaryFolder folder_;
  LanguageList list_;
};

TEST_F(HubLexicons, AGivenLexiconComesBeforeAReversedOne) {
  list_.lexicons[{"es", "en"}] = {write("a", "casa house\n"), {}, write("b", "noche night\n")};
  list_.lexicons[{"en", "de"}] = {write("c", "house Haus\n"), {}, write("d", "night Nacht\n")};
  EXPECT_EQ(train_lexicon(list_, "es", "en").origin(), "given");
  EXPECT_EQ(train_lexicon(list_, "de", "en").origin(), "reversed");
  EXPECT_THAT(words(read_pairs(train_lexicon(list_, "de", "en"), false)), ElementsAre("Haus house"));
  EXPECT_EQ(test_lexicon(list_, "en", "de").origin(), "given");
  EXPECT_EQ(test_lexicon(list_, "de", "en").origin(), "reversed");
  EXPECT_TRUE(train_lexicon(list_, "fr", "en").empty());
  EXPECT_TRUE(test_lexicon(list_, "fr", "en").empty());
}

TEST_F(HubLexicons, JoinsThroughThePivot) {
  list_.lexicons[{"es", "en"}] = {write("a", "casa house\nperro dog\n"), {}, write("b", "noche night\nrey king\n")};
  list_.lexicons[{"en", "de"}] = {write("c", "house Haus\nnight Nacht\nhouse Gebäude\n"), {}, write("d", "x y\n")};
  EXPECT_TRUE(train_lexicon(list_, "es", "de").empty());
  const LexiconChoice train = train_lexicon_or_joined(list_, "es", "de");
  EXPECT_EQ(train.origin(), "joined");
  EXPECT_THAT(words(read_pairs(train, false)), ElementsAre("casa Haus", "casa Gebäude"));
  // Words that are held out of one lexicon, whatever the other one is made of.
  const LexiconChoice test = test_lexicon(list_, "es", "de");
  EXPECT_EQ(test.origin(), "joined");
  EXPECT_THAT(words(read_pairs(test, false)), ElementsAre("noche Nacht"));
  EXPECT_EQ(test.paths().size(), 3u);
  EXPECT_TRUE(test_lexicon(list_, "es", "fr").empty());
}

TEST_F(HubLexicons, ValidationSelectsAndTestReports) {
  list_.lexicons[{"es", "en"}] = {write("a", "casa house\n"), write("v", "rey king\n"), write("t", "noche night\n")};
  EXPECT_THAT(words(read_pairs(test_lexicon(list_, "es", "en"), false)), ElementsAre("noche night"));
  EXPECT_THAT(words(read_pairs(selection_lexicon(list_, "es", "en"), false)), ElementsAre("rey king"));
  list_.lexicons[{"es", "en"}].validation.clear();
  EXPECT_THAT(words(read_pairs(selection_lexicon(list_, "es", "en"), false)), ElementsAre("noche night"));
}

TEST_F(HubLexicons, HoldsWordsOutWhereThereIsNothingElse) {
  std::string text;
  for (int i = 0; i < 1000; ++i) text += "s" + std::to_string(i) + " e" + std::to_string(i % 500) + "\n";
  list_.lexicons[{"es", "en"}] = {write("a", text), {}, {}};
  const WordPairs learned = read_pairs(train_lexicon(list_, "es", "en"), false),
                  held_out = read_pairs(test_lexicon(list_, "es", "en"), false),
                  back = read_pairs(test_lexicon(list_, "en", "es"), false);
  EXPECT_EQ(learned.pairs.size() + held_out.pairs.size(), 1000u);
  EXPECT_GT(held_out.pairs.size(), 60u);
  EXPECT_LT(held_out.pairs.size(), 140u);
  EXPECT_EQ(test_lexicon(list_, "es", "en").origin(), "given, held out");
  std::set<std::string> seen;
  for (const WordPairs::Pair& pair : learned.pairs) seen.insert(pair.source);
  for (const WordPairs::Pair& pair : held_out.pairs) EXPECT_FALSE(seen.contains(pair.source));
  // The same words in the other direction.
  ASSERT_EQ(back.pairs.size(), held_out.pairs.size());
  for (std::size_t i = 0; i < back.pairs.size(); ++i) EXPECT_EQ(back.pairs[i].target, held_out.pairs[i].source);
}

}  // namespace wordbridge::hub_lexicons_test
