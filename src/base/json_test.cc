#include "base/json.h"

#include <gtest/gtest.h>

#include <cmath>
#include <map>
#include <set>
#include <sstream>

namespace wordbridge::json_test {
namespace {

/// What an error of JSON says; empty if there is none.
template <class Call>
std::string reason_of(const Call& call) {
  try {
    call();
  } catch (const JsonError& error) {
    return error.what();
  }
  return "";
}

TEST(Json, BracesAreObjectsWhereEachElementIsANamedPairAndArraysElsewhere) {
  const Json object = {{"words", 3}, {"names", {"a", "b", "c"}}, {"inner", {{"x", nullptr}, {"y", true}}}};
  EXPECT_EQ(object.dump(), R"({"words":3,"names":["a","b","c"],"inner":{"x":null,"y":true}})");
  const Json rows = {{1, 2}, {3, 4}};
  EXPECT_EQ(rows.dump(), "[[1,2],[3,4]]");
  EXPECT_EQ(Json::array().dump(), "[]");
  EXPECT_EQ(Json::object().dump(), "{}");
  EXPECT_EQ(Json().dump(), "null");
}

TEST(Json, ContainersBecomeArraysAndMapsObjects) {
  const double numbers[] = {0.5, 1};
  EXPECT_EQ(Json(numbers).dump(), "[0.5,1.0]");
  EXPECT_EQ(Json(std::vector<bool>{true, false}).dump(), "[true,false]");
  EXPECT_EQ(Json(std::set<std::string>{"b", "a"}).dump(), R"(["a","b"])");
  EXPECT_EQ(Json(std::map<std::string, int>{{"b", 1}, {"a", -2}}).dump(), R"({"a":-2,"b":1})");
  EXPECT_EQ(Json(std::vector<std::vector<int>>{{1}, {}}).dump(), "[[1],[]]");
}

TEST(Json, NumbersAreWrittenSoThatTheSameOnesAreReadAgain) {
  EXPECT_EQ(Json(0.1).dump(), "0.1");
  EXPECT_EQ(Json(1e300).dump(), "1e+300");
  EXPECT_EQ(Json(100.0).dump(), "100.0");
  EXPECT_EQ(Json(-0.0).dump(), "-0.0");
  EXPECT_EQ(Json(std::numeric_limits<std::uint64_t>::max()).dump(), "18446744073709551615");
  EXPECT_EQ(Json(std::numeric_limits<std::int64_t>::min()).dump(), "-9223372036854775808");
  EXPECT_EQ(Json(std::nan("")).dump(), "null");
  for (const double number : {1.0 / 3, 5e-324, 1.7976931348623157e308})
    EXPECT_EQ(Json::parse(Json(number).dump()).get<double>(), number);
}

TEST(Json, TextIsKeptAndInvalidUtf8Replaced) {
  const std::string text("a\0\"\\\n\x7f\xc3\xbc", 8);
  EXPECT_EQ(Json(text).dump(), "\"a\\u0000\\\"\\\\\\n\x7f\xc3\xbc\"");
  EXPECT_EQ(Json::parse(Json(text).dump()), text);
  EXPECT_EQ(Json("a\xff").dump(), "\"a\xef\xbf\xbd\"");
}

TEST(Json, ObjectsKeepTheOrderOfTheirMembersAndTheLastOfTwo) {
  Json object = Json::parse(R"({"z": 1, "a": 2, "z": 3})");
  EXPECT_EQ(object.dump(), R"({"z":3,"a":2})");
  object["m"] = "new";
  object["a"] = Json::array();
  object.erase("z");
  object.erase("none");
  EXPECT_EQ(object.dump(1), "{\n \"a\": [],\n \"m\": \"new\"\n}");
  object.update({{"m", 1}, {"n", 2}});
  EXPECT_EQ(object.dump(), R"({"a":[],"m":1,"n":2})");
  std::string names;
  for (const auto& [name, value] : object.items()) names += name;
  EXPECT_EQ(names, "amn");
}

TEST(Json, NullBecomesWhatIsPutIntoIt) {
  Json json;
  EXPECT_EQ(json.size(), 0u);
  EXPECT_EQ(json.begin(), json.end());
  EXPECT_TRUE(json.items().empty());
  json["list"].push_back(1);
  json["list"].push_back({{"a", 2}, {"b", 3}});
  EXPECT_EQ(json.dump(), R"({"list":[1,{"a":2,"b":3}]})");
}

TEST(Json, GivesWhatItHolds) {
  const Json json =
      Json::parse(R"({"n": 3, "x": -1, "f": 0.5, "t": "text", "l": ["a", "b"], "m": {"k": 1.5}, "b": true})");
  EXPECT_EQ(json.at("n").get<std::size_t>(), 3u);
  EXPECT_EQ(json["n"].get<double>(), 3);
  EXPECT_EQ(json["x"].get<int>(), -1);
  EXPECT_EQ(json["f"].get<float>(), 0.5f);
  EXPECT_TRUE(json["b"].get<bool>());
  EXPECT_EQ(json["t"].text(), "text");
  EXPECT_EQ(json["l"].get<std::vector<std::string>>(), (std::vector<std::string>{"a", "b"}));
  EXPECT_EQ(json["l"].get<std::set<std::string>>(), (std::set<std::string>{"a", "b"}));
  EXPECT_EQ((json["m"].get<std::map<std::string, double>>()), (std::map<std::string, double>{{"k", 1.5}}));
  EXPECT_EQ(json["l"][1], "b");
  EXPECT_EQ(json.value("n", 7), 3);
  EXPECT_EQ(json.value("none", 7), 7);
  EXPECT_EQ(json.value("none", "nothing"), "nothing");
  EXPECT_TRUE(json["n"].is_natural() && json["x"].is_integer() && !json["x"].is_natural() && !json["f"].is_integer());
}

TEST(Json, SaysWhatItDoesNotHold) {
  const Json json = Json::parse(R"({"n": -3, "f": 0.5, "t": "text", "l": [1], "big": 4294967296})");
  EXPECT_EQ(reason_of([&] { json.at("none"); }), "'none' is missing");
  EXPECT_EQ(reason_of([&] { json["t"].at("x"); }), "an object is expected");
  EXPECT_EQ(reason_of([&] { json["l"].at(1); }), "the array has no element 1");
  EXPECT_EQ(reason_of([&] { json["t"].at(0); }), "an array is expected");
  EXPECT_EQ(reason_of([&] { static_cast<void>(json["t"].get<int>()); }), "a whole number from 0 up is expected");
  EXPECT_EQ(reason_of([&] { static_cast<void>(json["n"].get<std::size_t>()); }),
            "a whole number from 0 up is expected");
  EXPECT_EQ(reason_of([&] { static_cast<void>(json["f"].get<int>()); }), "a whole number from 0 up is expected");
  EXPECT_EQ(reason_of([&] { static_cast<void>(json["big"].get<std::uint32_t>()); }),
            "a smaller whole number is expected");
  EXPECT_EQ(reason_of([&] { static_cast<void>(json["n"].get<bool>()); }), "true or false is expected");
  EXPECT_EQ(reason_of([&] { static_cast<void>(json["t"].get<double>()); }), "a number is expected");
  EXPECT_EQ(reason_of([&] { static_cast<void>(json["n"].text()); }), "a text is expected");
  EXPECT_EQ(reason_of([&] { static_cast<void>(json["l"].get<std::vector<std::string>>()); }), "a text is expected");
  EXPECT_EQ(reason_of([&] { static_cast<void>(json["t"].get<std::vector<int>>()); }), "an array is expected");
  EXPECT_EQ(reason_of([&] { static_cast<void>(json["l"].items()); }), "an object is expected");
  EXPECT_EQ(reason_of([&] { static_cast<void>(json["l"].value("x", 1)); }), "an object is expected");
  EXPECT_EQ(reason_of([&] { Json("text").push_back(1); }), "an array is expected");
}

TEST(Json, SaysWhereATextIsNoJson) {
  for (const auto& [text, byte] :
       {std::pair("", 0), std::pair("{\"a\": 1,}", 8), std::pair("[1, 2", 5), std::pair("x", 0)}) {
    SCOPED_TRACE(text);
    EXPECT_FALSE(Json::accept(text));
    try {
      Json::parse(text);
      FAIL();
    } catch (const JsonSyntaxError& error) {
      EXPECT_STREQ(error.what(), "not JSON");
      EXPECT_EQ(error.byte(), static_cast<std::size_t>(byte));
    }
  }
  EXPECT_EQ(reason_of([] { Json::parse("\"a\xff\""); }), "not JSON");
  EXPECT_EQ(reason_of([] { Json::parse("1e999"); }), "a number beyond all bounds");
}

TEST(Json, NestsToTheDepthThatIsAllowed) {
  const auto nested = [](std::size_t depth) { return std::string(depth, '[') + std::string(depth, ']'); };
  EXPECT_EQ(Json::parse(nested(100)).dump(), nested(100));
  EXPECT_EQ(reason_of([&] { Json::parse(nested(103)); }), "nested too deeply");
  EXPECT_EQ(reason_of([&] { Json::parse(nested(13), 10); }), "nested too deeply");
  EXPECT_EQ(reason_of([&] { Json::parse(std::string(1'000'000, '[')); }), "nested too deeply");
}

TEST(Json, EqualsByValue) {
  EXPECT_EQ(Json(1), 1.0);
  EXPECT_EQ(Json(1), 1u);
  EXPECT_NE(Json(-1), std::numeric_limits<std::uint64_t>::max());
  EXPECT_NE(Json(1), true);
  EXPECT_EQ(Json::parse("[1, 2.0]"), (Json{1.0, 2}));
  EXPECT_NE(Json::parse("[1, 2]"), (Json{2, 1}));
  EXPECT_NE(Json("1"), 1);
  std::ostringstream out;
  out << Json{{"a", 1}};
  EXPECT_EQ(out.str(), R"({"a":1})");
}

}  // namespace
}  // namespace wordbridge::json_test
