#include "studio/request.h"

#include <gtest/gtest.h>

#include <array>
#include <string>

namespace wordbridge::studio {
namespace request_test {

int status_of(const auto& call) {
  try {
    call();
  } catch (const HttpError& error) {
    return error.status();
  }
  return 200;
}

Request parse(std::string_view target, const std::string& body = "") {
  return Request::parse(Request::Method::get, target, body);
}

TEST(Request, DecodesWhatAddressesEncode) {
  EXPECT_EQ(decode_percent("a%20b+c%2B%c3%A9"), "a b c+\xc3\xa9");
  EXPECT_EQ(decode_percent("%00").size(), 1U);
  for (const char* wrong : {"%", "%4", "%4g", "a%", "%%41"})
    EXPECT_EQ(status_of([&] { decode_percent(wrong); }), 400) << wrong;
}

TEST(Request, KnowsUtf8) {
  for (const char* right : {"", "a", "\xc3\xa9", "\xe2\x82\xac", "\xf0\x9f\x98\x80", "\xed\x9f\xbf"})
    EXPECT_TRUE(is_utf8(right)) << right;
  for (const char* wrong : {"\x80", "\xc3", "\xc0\x80", "\xe0\x80\x80", "\xed\xa0\x80", "\xf4\x90\x80\x80", "\xff",
                            "\xf0\x80\x80\x80", "\xe2\x82"})
    EXPECT_FALSE(is_utf8(wrong));
}

TEST(Request, ParametersAreTakenOnceAndChecked) {
  Request request = parse("/a%2fb?x=1&word=a&word=b%26&flag=1&text=&side=target");
  EXPECT_EQ(request.path(), "/a/b");
  EXPECT_EQ(request.number("x", 7, 0, 10), 1U);
  EXPECT_EQ(request.texts("word"), (std::vector<std::string>{"a", "b&"}));
  EXPECT_TRUE(request.flag("flag"));
  EXPECT_EQ(request.text("text"), "");
  const std::array<std::string, 2> sides = {"source", "target"};
  EXPECT_EQ(request.choice("side", sides), "target");
  EXPECT_EQ(request.choice("other", sides), "source");
  request.end();
  EXPECT_EQ(request.number("missing", 7, 0, 10), 7U);
  EXPECT_EQ(status_of([&] { parse("/a?unknown=1").end(); }), 400);
  EXPECT_EQ(status_of([&] { parse("/a?x=1&x=2").text("x"); }), 400);
  EXPECT_EQ(status_of([&] { parse("/a").text("x"); }), 400);
  EXPECT_EQ(status_of([&] { parse("/a?side=left").choice("side", sides); }), 400);
  for (const char* wrong : {"-1", "11", "1.5", "", "1e3", " 1", "99999999999999999999999"})
    EXPECT_EQ(status_of([&] { parse(std::string("/a?n=") + wrong).number("n", 0, 0, 10); }), 400) << wrong;
  std::string many = "/a?";
  for (std::size_t i = 0; i <= kMostParameters; ++i) many += "&w=1";
  EXPECT_EQ(status_of([&] { parse(many); }), 400);
}

TEST(Request, BodiesAreObjects) {
  EXPECT_EQ(parse("/a", R"({"a": [1]})").object().at("a").at(0).get<int>(), 1);
  for (const char* wrong : {"", "[]", "1", "{", "{\"a\":}", "nul", "{\"a\":1}x"})
    EXPECT_EQ(status_of([&] { parse("/a", wrong).object(); }), 400) << wrong;
  EXPECT_EQ(status_of([&] { parse("/a", "{\"a\":" + std::string(100, '[') + std::string(100, ']') + "}").object(); }),
            400);
}

TEST(Request, PagesOfOthersAreTurnedAway) {
  const AccessRules rules{.address = "127.0.0.1", .port = 8765, .token = ""};
  const auto asked = [&](const Caller& caller, bool body = false) {
    return status_of([&] { check_origin(caller, rules, body); });
  };
  const auto from = [](const char* host, const char* origin = "", const char* site = "", const char* type = "") {
    return Caller{host, origin, site, type, ""};
  };
  EXPECT_EQ(asked(from("127.0.0.1:8765")), 200);
  EXPECT_EQ(asked(from("LOCALHOST:8765", "http://localhost:8765", "same-origin")), 200);
  EXPECT_EQ(asked(from("[::1]:8765", "", "none")), 200);
  for (const char* host : {"", "evil.example:8765", "127.0.0.1", "127.0.0.1:80", "localhost:8765.evil.example", "[::1]",
                           "127.0.0.1:8765:8765", "10.0.0.1:8765", "localhost:08765", "@localhost:8765"})
    EXPECT_EQ(asked(from(host)), 403) << host;
  for (const char* origin : {"http://evil.example", "null", "https://127.0.0.1:8765", "http://127.0.0.1:8766"})
    EXPECT_EQ(asked(from("127.0.0.1:8765", origin)), 403) << origin;
  EXPECT_EQ(asked(from("127.0.0.1:8765", "", "cross-site")), 403);
  EXPECT_EQ(asked(from("127.0.0.1:8765", "", "same-site")), 403);
  for (const char* type : {"", "text/plain", "application/x-www-form-urlencoded", "application/jsonx"})
    EXPECT_EQ(asked(from("127.0.0.1:8765", "", "", type), true), 415) << type;
  EXPECT_EQ(asked(from("127.0.0.1:8765", "", "", "Application/JSON; charset=utf-8"), true), 200);
}

TEST(Request, AServerOfManyTakesAddressesInFiguresAndItsName) {
  const AccessRules rules{.address = "words.example", .port = 80, .token = "secret"};
  EXPECT_EQ(status_of([&] { check_origin({"words.example", "", "", "", ""}, rules, false); }), 200);
  EXPECT_EQ(status_of([&] { check_origin({"192.168.0.7:80", "", "", "", ""}, rules, false); }), 200);
  EXPECT_EQ(status_of([&] { check_origin({"other.example", "", "", "", ""}, rules, false); }), 403);
  const auto with = [&](const char* authorization) {
    return status_of([&] { check_token({"", "", "", "", authorization}, rules); });
  };
  EXPECT_EQ(with("Bearer secret"), 200);
  for (const char* wrong : {"", "Bearer ", "Bearer secre", "Bearer secrets", "secret", "Basic secret"})
    EXPECT_EQ(with(wrong), 401) << wrong;
}

TEST(Request, ComparesSecrets) {
  EXPECT_TRUE(equal_secrets("", ""));
  EXPECT_TRUE(equal_secrets("ab", "ab"));
  EXPECT_FALSE(equal_secrets("ab", "aab"));
  EXPECT_FALSE(equal_secrets("aa", "a"));
  EXPECT_FALSE(equal_secrets("a", ""));
  EXPECT_FALSE(equal_secrets("", "a"));
}

}  // namespace request_test
}  // namespace wordbridge::studio
