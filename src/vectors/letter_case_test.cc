#include "vectors/letter_case.h"

#include <gtest/gtest.h>

namespace wordbridge::letter_case_test {
namespace {

TEST(LetterCase, Classes) {
  EXPECT_EQ(letter_case("house"), LetterCase::lower);
  EXPECT_EQ(letter_case("l'été"), LetterCase::lower);
  EXPECT_EQ(letter_case("House"), LetterCase::title);
  EXPECT_EQ(letter_case("Élysée"), LetterCase::title);
  EXPECT_EQ(letter_case("I"), LetterCase::title);
  EXPECT_EQ(letter_case("\"House"), LetterCase::title);
  EXPECT_EQ(letter_case("NATO"), LetterCase::upper);
  EXPECT_EQ(letter_case("ЮНЕСКО"), LetterCase::upper);
  EXPECT_EQ(letter_case("B2B"), LetterCase::upper);
  EXPECT_EQ(letter_case("iPhone"), LetterCase::mixed);
  EXPECT_EQ(letter_case("McDonald"), LetterCase::mixed);
  EXPECT_EQ(letter_case("iP"), LetterCase::mixed);
  EXPECT_EQ(letter_case("北京"), LetterCase::uncased);
  EXPECT_EQ(letter_case("كتاب"), LetterCase::uncased);
  EXPECT_EQ(letter_case("1990"), LetterCase::no_letters);
  EXPECT_EQ(letter_case("..."), LetterCase::no_letters);
  EXPECT_EQ(letter_case(""), LetterCase::no_letters);
  EXPECT_EQ(letter_case("\xff\xfe"), LetterCase::no_letters);
  EXPECT_EQ(letter_case("\xffx"), LetterCase::lower);
}

TEST(LetterCase, Lower) {
  EXPECT_EQ(to_lower("NATO"), "nato");
  EXPECT_EQ(to_lower("ÉLYSÉE"), "élysée");
  EXPECT_EQ(to_lower("Straße"), "straße");
  EXPECT_EQ(to_lower("МОСКВА"), "москва");
  EXPECT_EQ(to_lower("北京"), "北京");
  EXPECT_EQ(to_lower(""), "");
}

TEST(LetterCase, FinalSigma) {
  EXPECT_EQ(to_lower("ΟΔΟΣ"), "οδος");
  EXPECT_EQ(to_lower("ΣΑΣ"), "σας");
  EXPECT_EQ(to_lower("Σ"), "σ");
  EXPECT_EQ(to_title("ΟΔΟΣ"), "Οδος");
}

TEST(LetterCase, Title) {
  EXPECT_EQ(to_title("house"), "House");
  EXPECT_EQ(to_title("NATO"), "Nato");
  EXPECT_EQ(to_title("école"), "École");
  EXPECT_EQ(to_title("'tis"), "'Tis");
  EXPECT_EQ(to_title("ǆep"), "ǅep");  // a digraph has a title case of its own
  EXPECT_EQ(to_title("1990"), "1990");
  EXPECT_EQ(to_title(""), "");
}

TEST(LetterCase, InvalidUtf8IsLeftAlone) {
  EXPECT_EQ(to_lower("AB\xff"), "AB\xff");
  EXPECT_EQ(to_title("ab\xff"), "ab\xff");
  EXPECT_EQ(to_lower("AB\xe2\x82"), "AB\xe2\x82");  // cut
}

}  // namespace
}  // namespace wordbridge::letter_case_test
