#pragma once
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/json.h"
#include "wordbridge/error.h"

namespace wordbridge::studio {

/// An answer that is not what was asked for: a status of HTTP, and one line for people.
class HttpError : public Error {
 public:
  HttpError(int status, const std::string& reason) : Error(reason), status_(status) {}
  int status() const { return status_; }

 private:
  int status_;
};

/// What a request may weigh. Headers and the request line together are bounded by the server.
inline constexpr std::size_t kMostParameters = 1024;
inline constexpr std::size_t kMostBodyBytes = std::size_t{8} << 20;
inline constexpr int kMostBodyDepth = 16;

/// "%41b+c" as "Ab c"; HttpError 400 for an escape that is none.
std::string decode_percent(std::string_view text);
bool is_utf8(std::string_view text);
/// Equal or not, in a time that does not tell where they differ.
bool equal_secrets(std::string_view a, std::string_view b);

/// What the headers of a request say about where it comes from. Empty: the header is missing.
struct Caller {
  std::string host, origin, fetch_site, content_type, authorization;
};

/// Who may ask.
struct AccessRules {
  std::string address = "127.0.0.1";  // that the server listens on
  std::uint16_t port = 0;
  std::string token;  // empty: none is wanted

  bool loopback() const;
};

/// HttpError 403 for a request to another host than this one (a page elsewhere whose name was pointed here: DNS
/// rebinding), or from a page of another origin; 415 for a body that is not JSON where `has_body`.
void check_origin(const Caller& caller, const AccessRules& rules, bool has_body);
/// HttpError 401 where a token is wanted and the request brings none or another one.
void check_token(const Caller& caller, const AccessRules& rules);

/// A request as the endpoints see it: a path below the root of the API, parameters of the query, a body. Whoever reads
/// a parameter takes it; what nobody takes is refused, so that a misspelt one does not go unnoticed.
class Request {
 public:
  enum class Method { get, post, remove };

  /// HttpError 400 for what cannot be read. `target` is as it stands in the request line, path and query.
  static Request parse(Method method, std::string_view target, std::string body);
  /// HttpError 405 for any other than GET, HEAD, POST and DELETE.
  static Method method_of(std::string_view name);

  Method method() const { return method_; }
  const std::string& path() const { return path_; }
  /// "/decisions/3" below "/decisions/": "3".
  std::optional<std::string> below(std::string_view prefix) const;

  bool has(std::string_view name) const;
  std::string text(std::string_view name);  // HttpError 400 where it is missing
  std::string text(std::string_view name, std::string_view otherwise);
  std::vector<std::string> texts(std::string_view name);
  std::uint64_t number(std::string_view name, std::uint64_t otherwise, std::uint64_t least, std::uint64_t most);
  bool flag(std::string_view name);  // "1" or "0"
  /// One of some words, the first where it is missing.
  std::string choice(std::string_view name, std::span<const std::string> choices);
  /// HttpError 400 where a parameter is left.
  void end() const;

  /// The body as an object of JSON; HttpError 400 where it is none.
  Json object() const;
  const std::string& body() const { return body_; }

 private:
  Method method_ = Method::get;
  std::string path_, body_;
  std::vector<std::pair<std::string, std::string>> parameters_;
};

}  // namespace wordbridge::studio
