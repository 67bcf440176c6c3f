#include "studio/request.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <charconv>

namespace wordbridge::studio {

namespace {

int hex_digit(char c) {
  if (c >= '0' && c <= '9') return c - '0';
  if (c >= 'a' && c <= 'f') return c - 'a' + 10;
  if (c >= 'A' && c <= 'F') return c - 'A' + 10;
  return -1;
}

char lower(char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; }

std::string lower(std::string_view text) {
  std::string result(text);
  std::ranges::transform(result, result.begin(), [](char c) { return lower(c); });
  return result;
}

/// "[::1]:80" as "[::1]", "a:80" as "a"; nothing where the port is another.
std::optional<std::string> host_at_port(std::string_view text, std::uint16_t port) {
  const std::size_t end = text.starts_with('[') ? text.find(']') : text.rfind(':');
  const std::size_t colon = text.starts_with('[') ? (end == std::string_view::npos ? end : end + 1) : end;
  if (colon == std::string_view::npos || colon >= text.size() || text[colon] != ':') {
    if (port != 80) return std::nullopt;
    return lower(text);
  }
  if (text.substr(colon + 1) != std::to_string(port)) return std::nullopt;
  return lower(text.substr(0, colon));
}

/// An address in figures: no name that somebody else could point here.
bool is_numeric(std::string_view host) {
  if (host.starts_with('[')) return true;
  return !host.empty() && std::ranges::all_of(host, [](char c) { return (c >= '0' && c <= '9') || c == '.'; });
}

bool is_this_host(const std::string& host, const AccessRules& rules) {
  if (host == "localhost" || host == "127.0.0.1" || host == "[::1]") return true;
  if (rules.loopback()) return false;
  return is_numeric(host) || host == lower(rules.address);
}

}  // namespace

std::string decode_percent(std::string_view text) {
  std::string result;
  result.reserve(text.size());
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] != '%') {
      result += text[i] == '+' ? ' ' : text[i];
      continue;
    }
    const int high = i + 2 < text.size() ? hex_digit(text[i + 1]) : -1, low = high < 0 ? -1 : hex_digit(text[i + 2]);
    if (low < 0) throw HttpError(400, "a '%' in the query is not followed by two hexadecimal digits");
    result += static_cast<char>(16 * high + low);
    i += 2;
  }
  return result;
}

bool is_utf8(std::string_view text) {
  for (std::size_t i = 0; i < text.size();) {
    const auto first = static_cast<unsigned char>(text[i]);
    const std::size_t length = first < 0x80   ? 1
                               : first < 0xC2 ? 0
                               : first < 0xE0 ? 2
                               : first < 0xF0 ? 3
                               : first < 0xF5 ? 4
                                              : 0;
    if (length == 0 || i + length > text.size()) return false;
    std::uint32_t code = length == 1 ? first : first & (0x7FU >> length);
    for (std::size_t k = 1; k < length; ++k) {
      const auto next = static_cast<unsigned char>(text[i + k]);
      if ((next & 0xC0U) != 0x80U) return false;
      code = code << 6 | (next & 0x3FU);
    }
    if ((length == 3 && (code < 0x800 || (code >= 0xD800 && code < 0xE000))) ||
        (length == 4 && (code < 0x10000 || code > 0x10FFFF)))
      return false;
    i += length;
  }
  return true;
}

bool equal_secrets(std::string_view a, std::string_view b) {
  unsigned difference = a.size() == b.size() ? 0 : 1;
  for (std::size_t i = 0; i < a.size(); ++i)
    difference |= static_cast<unsigned char>(a[i]) ^ static_cast<unsigned char>(b.empty() ? '\0' : b[i % b.size()]);
  return difference == 0;
}

bool AccessRules::loopback() const { return address == "localhost" || address == "::1" || address.starts_with("127."); }

void check_origin(const Caller& caller, const AccessRules& rules, bool has_body) {
  const auto host = host_at_port(caller.host, rules.port);
  if (!host || !is_this_host(*host, rules)) throw HttpError(403, "the request is for another host than this server");
  if (!caller.origin.empty() && lower(caller.origin) != "http://" + lower(caller.host))
    throw HttpError(403, "the request comes from a page of another origin");
  if (!caller.fetch_site.empty() && caller.fetch_site != "same-origin" && caller.fetch_site != "none")
    throw HttpError(403, "the request comes from a page of another origin");
  if (!has_body) return;
  const std::string type = lower(caller.content_type.substr(0, caller.content_type.find(';')));
  if (type != "application/json") throw HttpError(415, "the body must be application/json");
}

void check_token(const Caller& caller, const AccessRules& rules) {
  constexpr std::string_view kScheme = "Bearer ";
  if (rules.token.empty()) return;
  if (!caller.authorization.starts_with(kScheme) ||
      !equal_secrets(std::string_view(caller.authorization).substr(kScheme.size()), rules.token))
    throw HttpError(401, "a token is needed: Authorization: Bearer TOKEN");
}

Request Request::parse(Method method, std::string_view target, std::string body) {
  Request request;
  request.method_ = method;
  const std::size_t question = target.find('?');
  request.path_ = decode_percent(target.substr(0, question));
  request.body_ = std::move(body);
  std::string_view query = question == std::string_view::npos ? "" : target.substr(question + 1);
  while (!query.empty()) {
    const std::size_t end = query.find('&');
    const std::string_view piece = query.substr(0, end);
    query.remove_prefix(end == std::string_view::npos ? query.size() : end + 1);
    if (piece.empty()) continue;
    if (request.parameters_.size() == kMostParameters)
      throw HttpError(400, fmt::format("there are more than {} parameters", kMostParameters));
    const std::size_t equal = piece.find('=');
    request.parameters_.emplace_back(
        decode_percent(piece.substr(0, equal)),
        equal == std::string_view::npos ? std::string() : decode_percent(piece.substr(equal + 1)));
  }
  return request;
}

Request::Method Request::method_of(std::string_view name) {
  if (name == "GET" || name == "HEAD") return Method::get;
  if (name == "POST") return Method::post;
  if (name == "DELETE") return Method::remove;
  throw HttpError(405, "the method is not one of GET, POST and DELETE");
}

std::optional<std::string> Request::below(std::string_view prefix) const {
  if (!path_.starts_with(prefix) || path_.size() == prefix.size()) return std::nullopt;
  return path_.substr(prefix.size());
}

bool Request::has(std::string_view name) const {
  return std::ranges::any_of(parameters_, [&](const auto& parameter) { return parameter.first == name; });
}

std::vector<std::string> Request::texts(std::string_view name) {
  std::vector<std::string> values;
  std::erase_if(parameters_, [&](auto& parameter) {
    if (parameter.first != name) return false;
    values.push_back(std::move(parameter.second));
    return true;
  });
  return values;
}

std::string Request::text(std::string_view name, std::string_view otherwise) {
  std::vector<std::string> values = texts(name);
  if (values.size() > 1) throw HttpError(400, fmt::format("'{}' is given twice", name));
  return values.empty() ? std::string(otherwise) : std::move(values.front());
}

std::string Request::text(std::string_view name) {
  if (!has(name)) throw HttpError(400, fmt::format("'{}' is missing", name));
  return text(name, "");
}

std::uint64_t Request::number(std::string_view name, std::uint64_t otherwise, std::uint64_t least, std::uint64_t most) {
  if (!has(name)) return otherwise;
  const std::string value = text(name, "");
  std::uint64_t result = 0;
  const auto [end, error] = std::from_chars(value.data(), value.data() + value.size(), result);
  if (error != std::errc() || end != value.data() + value.size() || result < least || result > most)
    throw HttpError(400, fmt::format("'{}' must be a whole number from {} to {}", name, least, most));
  return result;
}

bool Request::flag(std::string_view name) { return number(name, 0, 0, 1) == 1; }

std::string Request::choice(std::string_view name, std::span<const std::string> choices) {
  std::string value = text(name, choices.front());
  if (std::ranges::count(choices, value) == 0)
    throw HttpError(400, fmt::format("'{}' must be one of {}", name, fmt::join(choices, ", ")));
  return value;
}

void Request::end() const {
  if (!parameters_.empty()) throw HttpError(400, "a parameter is not known here; openapi.json lists those that are");
}

Json Request::object() const {
  try {
    Json json = Json::parse(body_, kMostBodyDepth);
    if (!json.is_object()) throw HttpError(400, "the body must be an object of JSON");
    return json;
  } catch (const JsonError& error) {
    throw HttpError(400, fmt::format("the body is no JSON: {}", error.what()));
  }
}

}  // namespace wordbridge::studio
