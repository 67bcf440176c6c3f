#include "base/option_error.h"

#include <gtest/gtest.h>

namespace wordbridge::option_error_test {
namespace {

TEST(OptionError, EveryFrontEndSpellsOptionsItsOwnWay) {
  const OptionError error("of two, " + OptionName("learning-rate") + " belongs to " + OptionName("method", "rcsls") +
                          ", not to smith");
  EXPECT_STREQ(error.what(), "of two, learning-rate belongs to method rcsls, not to smith");
  EXPECT_EQ(command_line_text(error), "of two, --learning-rate belongs to --method rcsls, not to smith");
  EXPECT_EQ(error.message().text(spell_as_keyword), "of two, learning_rate belongs to method=rcsls, not to smith");
}

TEST(OptionError, OtherTextStaysAsItIs) {
  const OptionError error(OptionName("init", "a--b_c-d.wbmap") + ": --x and y-z are no options of ours");
  EXPECT_EQ(error.message().text(spell_as_keyword), "init=a--b_c-d.wbmap: --x and y-z are no options of ours");
  EXPECT_EQ(command_line_text(UsageError("learning-rate")), "learning-rate");
}

}  // namespace
}  // namespace wordbridge::option_error_test
