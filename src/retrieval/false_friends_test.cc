#include "retrieval/false_friends.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace wordbridge::false_friends_test {
namespace {

using ::testing::SizeIs;

WordVectors vectors(std::vector<std::string> words, std::vector<float> values) {
  const std::size_t cols = values.size() / words.size();
  return WordVectors(Vocabulary(words), Matrix::copy_of({values.data(), words.size(), cols}));
}

// carpet is alfombra, folder is carpeta; hotel is hotel; "zero" has no vector in one language.
CommonSpace space() {
  return CommonSpace(vectors({"carpet", "folder", "hotel", "zero"}, {1, 0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0}),
                     vectors({"alfombra", "carpeta", "hotel", "zero"}, {1, 0, 0, 0, 1, 0, 0, 0, 1, 1, 1, 1}));
}

TEST(FalseFriends, LookAlikeAndMeanSomethingElse) {
  const auto found = find_false_friends(space(), {.criterion = "nn", .apart = 1});
  ASSERT_THAT(found, SizeIs(1));
  EXPECT_EQ(found[0].source, 0u);
  EXPECT_EQ(found[0].target, 1u);
  EXPECT_NEAR(found[0].cosine, 0, 1e-6);
  EXPECT_EQ(found[0].best, 0u);
  EXPECT_NEAR(found[0].best_cosine, 1, 1e-6);
}

TEST(FalseFriends, ForeignWordsAreNoFriends) {
  // "the" is found in Spanish texts too, near to nothing that would translate back to it.
  const CommonSpace space(vectors({"the", "and"}, {1, 0, 0, 1}), vectors({"el", "the", "y"}, {1, 0, 0.6f, 0.8f, 0, 1}));
  EXPECT_THAT(find_false_friends(space, {.criterion = "nn", .apart = 1}), SizeIs(0));
}

TEST(FalseFriends, AmongTheBestIsNotApart) {
  EXPECT_THAT(find_false_friends(space(), {.criterion = "nn", .apart = 4}), SizeIs(0));
}

TEST(FalseFriends, WithinARangeOfFrequency) {
  EXPECT_THAT(find_false_friends(space(), {.criterion = "nn", .apart = 1, .first_word = 1}), SizeIs(0));
  EXPECT_THAT(find_false_friends(space(), {.criterion = "nn", .apart = 1, .last_word = 1}), SizeIs(0));
  EXPECT_THAT(find_false_friends(space(), {.criterion = "nn", .apart = 1, .last_word = 2}), SizeIs(1));
}

}  // namespace
}  // namespace wordbridge::false_friends_test
