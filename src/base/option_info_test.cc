#include "wordbridge/option_info.h"

#include "base/option_text.h"

#include <gmock/gmock.h>

#include "wordbridge/error.h"

namespace wordbridge::option_info_test {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

/// What the error of a call says; empty where there is none.
template <class Call>
std::string error_of(const Call& call) {
  try {
    call();
  } catch (const UsageError& error) {
    return error.what();
  }
  return {};
}

const OptionInfo kCount{.name = "count", .kind = OptionKind::whole, .min = 1, .max = 16};
const OptionInfo kRate{.name = "rate", .kind = OptionKind::real, .min = 0, .above_min = true};

TEST(OptionInfo, ReadsWholeNumbers) {
  EXPECT_EQ(parse_whole(kCount, "1"), 1);
  EXPECT_EQ(parse_whole(kCount, "16"), 16);
  for (const char* text : {"", "x", "1.5", "1 ", " 1", "+1", "0x2", "1e1", "-"})
    EXPECT_EQ(error_of([&] { parse_whole(kCount, text); }), "count: '" + std::string(text) + "' is not a whole number");
  for (const char* text : {"0", "17", "-3", "99999999999999999999999"})
    EXPECT_EQ(error_of([&] { parse_whole(kCount, text); }), "count must be from 1 to 16, not " + std::string(text));
  const OptionInfo all{.name = "n", .min = 0, .zero = "all"};
  EXPECT_EQ(parse_whole(all, "all"), 0);
  EXPECT_EQ(parse_whole(all, "0"), 0);
}

TEST(OptionInfo, ReadsNumbers) {
  EXPECT_EQ(parse_real(kRate, "0.1"), 0.1);
  EXPECT_EQ(parse_real(kRate, "1e3"), 1000);
  for (const char* text : {"", "x", "1,5", "nan", "inf", "1 "})
    EXPECT_EQ(error_of([&] { parse_real(kRate, text); }), "rate: '" + std::string(text) + "' is not a number");
  EXPECT_EQ(error_of([] { parse_real(kRate, "0"); }), "rate must be above 0, not 0");
  OptionInfo share{.name = "share", .min = 0, .max = 1};
  share.below_max = true;
  EXPECT_EQ(error_of([&] { parse_real(share, "1"); }), "share must be 0 or more and below 1, not 1");
  EXPECT_EQ(error_of([&] { parse_real({.name = "e", .max = 1}, "2"); }), "e must be at most 1, not 2");
}

TEST(OptionInfo, ReadsFlagsChoicesAndLists) {
  EXPECT_TRUE(parse_flag({.name = "f"}, "true"));
  EXPECT_FALSE(parse_flag({.name = "f"}, "false"));
  EXPECT_THAT(error_of([] { parse_flag({.name = "f"}, "yes"); }), HasSubstr("f: 'yes'"));
  const OptionInfo choice{.name = "c", .choices = {"a", "b"}};
  EXPECT_EQ(parse_choice(choice, "b"), 1u);
  EXPECT_EQ(error_of([&] { parse_choice(choice, "d"); }), "c: 'd' is none of a, b");
  EXPECT_EQ(error_of([] {
              parse_choice({.name = "loss", .choices = {"mean", "logsumexp"}}, "maen");
            }),
            "loss: 'maen' is none of mean, logsumexp; did you mean 'mean'?");
  EXPECT_THAT(parse_reals(kRate, "1,2.5"), ElementsAre(1, 2.5));
  for (const char* text : {"", "1,,2", "1,", "x", "0"})
    EXPECT_EQ(error_of([&] { parse_reals(kRate, text); }),
              "rate takes numbers above 0 joined by commas, not '" + std::string(text) + "'");
  EXPECT_THAT(parse_wholes(kCount, "1,16"), ElementsAre(1, 16));
  EXPECT_THAT(error_of([] { parse_wholes(kCount, "1.5"); }), HasSubstr("count takes whole numbers"));
}

TEST(OptionInfo, ValuesOfAllTypesAreText) {
  EXPECT_EQ(OptionValue("x").text(), "x");
  EXPECT_EQ(OptionValue(true).text(), "true");
  EXPECT_EQ(OptionValue(10).text(), "10");
  EXPECT_EQ(OptionValue(std::size_t{10}).text(), "10");
  EXPECT_EQ(OptionValue(0.1).text(), "0.1");
  EXPECT_EQ(OptionValue(3.0).text(), "3");
  EXPECT_EQ(OptionValue(std::vector<double>{1, 0.25}).text(), "1,0.25");
  for (const double value : {1 / 3.0, 1e-300, 12345678.9}) EXPECT_EQ(parse_real({}, OptionValue(value).text()), value);
}

TEST(OptionInfo, HelpTellsTheDefault) {
  EXPECT_EQ((OptionInfo{.help = "Steps", .default_text = "10"}).help_with_default(), "Steps (default: 10)");
  EXPECT_EQ((OptionInfo{.help = "A file"}).help_with_default(), "A file");
  EXPECT_EQ((OptionInfo{.kind = OptionKind::flag, .help = "Do it", .default_text = "false"}).help_with_default(),
            "Do it");
}

TEST(OptionInfo, UnknownNamesAreAnsweredWithTheNearest) {
  EXPECT_EQ(error_of([] {
              throw_unknown_option("lerning-rate", {"epochs", "learning-rate"});
            }),
            "unknown option 'lerning-rate'; did you mean learning-rate?");
  EXPECT_EQ(error_of([] { throw_unknown_option("x", {"epochs"}); }), "unknown option 'x'");
}

}  // namespace
}  // namespace wordbridge::option_info_test
