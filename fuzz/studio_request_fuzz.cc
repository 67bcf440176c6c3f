// Any bytes of a request line, of headers and of a body are answered or refused with a status of 400 to 499: what
// stands in front of the endpoints of the studio. The first byte says how many belong to the request line.
#include <algorithm>
#include <array>
#include <cstdint>
#include <cstdlib>
#include <string>
#include <string_view>

#include "studio/layout.h"
#include "studio/request.h"

namespace {

using wordbridge::studio::HttpError;
using wordbridge::studio::Request;

template <class Call>
void refused_at_most(const Call& call) {
  try {
    call();
  } catch (const HttpError& error) {
    if (error.status() < 400 || error.status() > 499) std::abort();
    if (std::string_view(error.what()).find('\n') != std::string_view::npos) std::abort();
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size == 0) return 0;
  const std::string_view text(reinterpret_cast<const char*>(data) + 1, size - 1);
  const std::string_view line = text.substr(0, std::min<std::size_t>(data[0], text.size()));
  const std::string_view rest = text.substr(line.size());
  refused_at_most([&] {
    Request request = Request::parse(Request::Method::post, line, std::string(rest));
    static const std::array<std::string, 2> sides = {"source", "target"};
    refused_at_most([&] { static_cast<void>(request.number("count", 1, 1, 1000)); });
    refused_at_most([&] { static_cast<void>(request.choice("side", sides)); });
    refused_at_most([&] { static_cast<void>(request.flag("explain")); });
    static_cast<void>(request.below("/api/v1"));
    static_cast<void>(request.texts("word"));
    refused_at_most([&] { static_cast<void>(request.object()); });
    request.end();
  });
  const std::string host(line), other(rest);
  refused_at_most([&] {
    wordbridge::studio::check_origin({host, other, "", other, ""}, {.address = host, .port = 80, .token = other}, true);
  });
  refused_at_most([&] {
    wordbridge::studio::check_token({"", "", "", "", host}, {.address = "127.0.0.1", .port = 1, .token = other});
  });
  wordbridge::studio::is_utf8(text);
  try {
    static_cast<void>(wordbridge::studio::Layout::parse(text, "pca"));
  } catch (const wordbridge::InputError&) {
  }
  return 0;
}
