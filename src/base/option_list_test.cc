#include "base/option_list.h"

#include <gmock/gmock.h>

#include "wordbridge/error.h"

namespace wordbridge::option_list_test {
namespace {

using ::testing::ElementsAre;
using ::testing::Pair;

enum class Color { red, green };

struct Inner {
  double weight = 0.5;
};

struct Paint {
  bool wet = false;
  int coats = 2;
  std::size_t words = 0;
  double gloss = 0.1;
  std::string name = "plain";
  Color color = Color::green;
  std::optional<double> price = std::nullopt;
  std::vector<double> shades = {1, 2.5};
  std::vector<int> days = {3};
  Inner inner = {};
};

const OptionList<Paint>& paint_options() {
  static const OptionList<Paint> kList = [] {
    OptionList<Paint> list("paint-");
    list.add("wet", &Paint::wet, "Is it wet").undescribed();
    list.add("coats", &Paint::coats, "Coats").range(1, 9);
    list.add("max-words", &Paint::words, "Words").zero("all");
    list.add("gloss", &Paint::gloss, "Gloss").describe_if([](const Paint& paint) { return paint.coats > 2; });
    list.add("name", &Paint::name, "Name").choices({"plain", "fancy"});
    list.add("color", &Paint::color,
             std::vector<std::pair<std::string, Color>>{{"red", Color::red}, {"green", Color::green}}, "Color");
    list.add("price", &Paint::price, "Price").above(0).zero_is_unset();
    list.add("shades", &Paint::shades, "Shades");
    list.add("days", &Paint::days, "Days");
    list.add(
        "weight", [](auto& paint) -> auto& { return paint.inner.weight; }, "Weight");
    return list;
  }();
  return kList;
}

TEST(OptionList, SetsEveryKindOfField) {
  Paint paint;
  for (const auto& [name, value] : std::vector<std::pair<std::string, OptionValue>>{{"paint-wet", true},
                                                                                    {"paint-coats", 3},
                                                                                    {"paint-max-words", "7"},
                                                                                    {"paint-gloss", 0.75},
                                                                                    {"paint-name", "fancy"},
                                                                                    {"paint-color", "red"},
                                                                                    {"paint-price", "12.5"},
                                                                                    {"paint-shades", "4"},
                                                                                    {"paint-days", "1,2"},
                                                                                    {"paint-weight", 2}})
    paint_options().set(paint, name, value);
  EXPECT_TRUE(paint.wet);
  EXPECT_EQ(paint.coats, 3);
  EXPECT_EQ(paint.words, 7u);
  EXPECT_EQ(paint.gloss, 0.75);
  EXPECT_EQ(paint.name, "fancy");
  EXPECT_EQ(paint.color, Color::red);
  EXPECT_EQ(paint.price, 12.5);
  EXPECT_THAT(paint.shades, ElementsAre(4));
  EXPECT_THAT(paint.days, ElementsAre(1, 2));
  EXPECT_EQ(paint.inner.weight, 2);
}

TEST(OptionList, InfosTellDefaultsKindsAndChoices) {
  const OptionInfo coats = paint_options().find("paint-coats")->info();
  EXPECT_EQ(coats.kind, OptionKind::whole);
  EXPECT_EQ(coats.default_text, "2");
  EXPECT_EQ(coats.value_name, "N");
  EXPECT_EQ(coats.max, 9);
  EXPECT_EQ(paint_options().find("paint-max-words")->info().default_text, "all");
  EXPECT_EQ(paint_options().find("paint-price")->info().default_text, "auto");
  EXPECT_EQ(paint_options().find("paint-shades")->info().default_text, "1,2.5");
  const OptionInfo color = paint_options().find("paint-color")->info();
  EXPECT_EQ(color.kind, OptionKind::choice);
  EXPECT_EQ(color.default_text, "green");
  EXPECT_EQ(color.value_name, "red|green");
  EXPECT_THAT(color.choices, ElementsAre("red", "green"));
}

TEST(OptionList, DefaultsSetWhatIsSet) {
  for (const Option<Paint>& option : paint_options().all()) {
    Paint paint;
    option.set(paint, option.info().default_text);
    for (const Option<Paint>& other : paint_options().all())
      EXPECT_EQ(other.get(paint), other.info().default_text) << option.name();
  }
}

TEST(OptionList, AFieldWithoutAValueCanBeSetBackToIt) {
  Paint paint;
  for (const char* unset : {"auto", "0", "0.0"}) {
    paint.price = 1;
    paint_options().set(paint, "paint-price", unset);
    EXPECT_FALSE(paint.price.has_value()) << unset;
  }
  EXPECT_THROW(paint_options().set(paint, "paint-price", "-1"), UsageError);
  EXPECT_THROW(paint_options().set(paint, "paint-price", ""), UsageError);
}

TEST(OptionList, RefusesUnknownNamesAndWrongValuesAndChangesNothing) {
  Paint paint;
  EXPECT_THROW(paint_options().set(paint, "coats", 3), UsageError);
  EXPECT_THROW(paint_options().set(paint, "paint-coats", 10), UsageError);
  EXPECT_THROW(paint_options().set(paint, "paint-coats", true), UsageError);
  EXPECT_THROW(paint_options().set(paint, "paint-name", "odd"), UsageError);
  EXPECT_THROW(paint_options().set(paint, "paint-max-words", "-1"), UsageError);
  EXPECT_THROW(paint_options().set(paint, "paint-days", "4294967297"), UsageError);
  EXPECT_EQ(paint_options().describe(paint), paint_options().describe({}));
}

TEST(OptionList, DescribesByKeysWithoutThePrefix) {
  Paint paint;
  EXPECT_THAT(
      paint_options().describe(paint),
      ElementsAre(Pair("coats", "2"), Pair("color", "green"), Pair("days", "3"), Pair("max_words", "all"),
                  Pair("name", "plain"), Pair("price", "auto"), Pair("shades", "1,2.5"), Pair("weight", "0.5")));
  paint.coats = 3;
  EXPECT_EQ(paint_options().describe(paint).at("gloss"), "0.1");
  OptionList<Paint> dashed("", OptionList<Paint>::Keys::dashes);
  dashed.add("max-words", &Paint::words, "Words");
  EXPECT_EQ(dashed.describe(paint).at("max-words"), "0");
}

struct House {
  Paint front, back;
};

TEST(OptionList, ServesAStructThatHoldsTheOther) {
  const OptionList<House> list = paint_options().within<House>(&House::back);
  House house;
  list.set(house, "paint-coats", 4);
  EXPECT_EQ(house.back.coats, 4);
  EXPECT_EQ(house.front.coats, 2);
  EXPECT_EQ(list.find("paint-coats")->info().default_text, "2");
  EXPECT_EQ(list.describe(house), paint_options().describe(house.back));
  EXPECT_EQ(list.names(), paint_options().names());
}

}  // namespace
}  // namespace wordbridge::option_list_test
