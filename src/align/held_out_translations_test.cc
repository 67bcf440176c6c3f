#include "align/held_out_translations.h"

#include <gmock/gmock.h>

#include "space/space_test_support.h"
#include "wordbridge/error.h"

namespace wordbridge::held_out_translations_test {
namespace {

using ::testing::ElementsAre;

TEST(HeldOutTranslations, SaysOfEachWordWhetherItIsRight) {
  // Three axes: every word finds itself.
  const Matrix axes = Matrix::identity(3);
  const CommonSpace space = space_of(axes, axes);
  EXPECT_THAT(HeldOutTranslations(Lexicon({{2, 2}, {0, 1}, {1, 2}, {1, 1}})).translated_right(space, 1),
              ElementsAre(0, 1, 1));
  EXPECT_EQ(HeldOutTranslations(Lexicon({{2, 2}, {2, 0}})).size(), 1u);
}

TEST(HeldOutTranslations, WantsWords) { EXPECT_THROW(HeldOutTranslations{Lexicon()}, UsageError); }

}  // namespace
}  // namespace wordbridge::held_out_translations_test
