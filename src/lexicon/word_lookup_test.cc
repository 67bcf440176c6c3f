#include "lexicon/word_lookup.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "lexicon/word_pairs_test_support.h"
#include "wordbridge/error.h"

namespace wordbridge::word_lookup_test {
namespace {

/// The id, 100 added where the word was found in another case; -1 where it was not.
int found(const Vocabulary& vocabulary, std::string_view word, CasePolicy policy) {
  const auto match = find_word(vocabulary, word, policy);
  return match ? static_cast<int>(match->id) + (match->other_case ? 100 : 0) : -1;
}

TEST(WordLookup, PoliciesAreCumulative) {
  const Vocabulary vocabulary = vocabulary_of({"nato", "House", "IBM", "école"});
  for (const CasePolicy policy : {CasePolicy::exact, CasePolicy::lower, CasePolicy::title}) {
    EXPECT_EQ(found(vocabulary, "House", policy), 1);
    EXPECT_EQ(found(vocabulary, "ibm", policy), -1);  // nothing guesses all capitals
    EXPECT_EQ(found(vocabulary, "dog", policy), -1);
  }
  EXPECT_EQ(found(vocabulary, "NATO", CasePolicy::exact), -1);
  EXPECT_EQ(found(vocabulary, "NATO", CasePolicy::lower), 100);
  EXPECT_EQ(found(vocabulary, "École", CasePolicy::lower), 103);
  EXPECT_EQ(found(vocabulary, "house", CasePolicy::lower), -1);
  EXPECT_EQ(found(vocabulary, "house", CasePolicy::title), 101);
  EXPECT_EQ(found(vocabulary, "HOUSE", CasePolicy::title), 101);
}

TEST(WordLookup, ExactSpellingThenLowerThenTitle) {
  const Vocabulary vocabulary = vocabulary_of({"Turkey", "turkey", "TURKEY"});
  EXPECT_EQ(found(vocabulary, "TURKEY", CasePolicy::title), 2);
  EXPECT_EQ(found(vocabulary, "Turkey", CasePolicy::title), 0);
  EXPECT_EQ(found(vocabulary, "TurKey", CasePolicy::title), 101);
}

TEST(WordLookup, WordsThatSomebodyTypedAreTidied) {
  const Vocabulary vocabulary = vocabulary_of({"mañana", "night", "n\xFFx", "two words"});
  const auto typed = [&](std::string_view word, CasePolicy policy = CasePolicy::title) {
    const auto match = find_typed_word(vocabulary, word, policy);
    return match ? static_cast<int>(match->id) : -1;
  };
  EXPECT_EQ(found(vocabulary, "man\u0303ana", CasePolicy::title), -1);  // files have to be right
  EXPECT_EQ(typed("man\u0303ana"), 0);
  EXPECT_EQ(typed("MAN\u0303ANA"), 0);
  EXPECT_EQ(typed("MAN\u0303ANA", CasePolicy::exact), -1);
  EXPECT_EQ(typed("night\n"), 1);
  EXPECT_EQ(typed("\uFEFF\u00A0\t night \r\n"), 1);
  EXPECT_EQ(typed(" n\xFFx "), 2);
  EXPECT_EQ(typed("two words "), 3);
  EXPECT_EQ(typed("twowords"), -1);
  EXPECT_EQ(typed(""), -1);
  EXPECT_EQ(typed(" \n"), -1);
  EXPECT_EQ(tidied_word(" \u00A0"), "");
  EXPECT_EQ(tidied_word(std::string_view("a\0b\0", 4)), std::string_view("a\0b", 3));
}

TEST(WordLookup, PolicyNames) {
  EXPECT_EQ(parse_case_policy("exact"), CasePolicy::exact);
  EXPECT_EQ(parse_case_policy("lower"), CasePolicy::lower);
  EXPECT_EQ(parse_case_policy("title"), CasePolicy::title);
  EXPECT_THROW(parse_case_policy("upper"), UsageError);
}

TEST(WordLookup, WordsOfPhrases) {
  using ::testing::ElementsAre;
  EXPECT_THAT(phrase_words("New York"), ElementsAre("New", "York"));
  EXPECT_THAT(phrase_words("state-of_the art"), ElementsAre("state", "of", "the", "art"));
  EXPECT_THAT(phrase_words(" x__y "), ElementsAre("x", "y"));
  for (const char* word : {"house", "-", "_", "--", "x-", "_x", ""}) EXPECT_THAT(phrase_words(word), ElementsAre(word));
  EXPECT_TRUE(is_phrase("new_york") && is_phrase("New York"));
  EXPECT_FALSE(is_phrase("e-mail") || is_phrase("_x") || is_phrase("house"));
}

TEST(WordLookup, PhrasesHoweverTheirWordsAreJoined) {
  const Vocabulary vocabulary(std::vector<std::string>{"new_york", "e-mail", "ice cream", "snow white", "Los_Angeles"});
  const auto found = [&](const char* word) { return find_phrase(vocabulary, word, CasePolicy::title); };
  EXPECT_EQ(found("new_york")->id, 0u);
  EXPECT_FALSE(found("new_york")->joined);
  EXPECT_EQ(found("New York")->id, 0u);
  EXPECT_TRUE(found("New York")->joined);
  EXPECT_EQ(found("e mail")->id, 1u);
  EXPECT_EQ(found("ice-cream")->id, 2u);
  EXPECT_FALSE(found("york new"));
  EXPECT_FALSE(found("newyork"));
  EXPECT_FALSE(find_phrase(vocabulary, "New York", CasePolicy::exact));
  EXPECT_EQ(find_typed_word(vocabulary, "  snow_white\n", CasePolicy::exact)->id, 3u);
}

}  // namespace
}  // namespace wordbridge::word_lookup_test
