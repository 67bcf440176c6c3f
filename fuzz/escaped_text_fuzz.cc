// Any bytes come back from a field of a tab-separated line, which holds no tab, line break or control character; what
// is shown on a terminal holds none either.
#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <string>
#include <string_view>

#include "base/escaped_text.h"

namespace {

void require_no_controls(std::string_view text) {
  if (std::ranges::any_of(text, [](char c) { return static_cast<unsigned char>(c) < 0x20 || c == 0x7F; })) std::abort();
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  const std::string field = wordbridge::escape_field(text);
  require_no_controls(field);
  if (wordbridge::unescape_field(field) != text) std::abort();
  wordbridge::unescape_field(text);
  require_no_controls(wordbridge::escape_controls(text, wordbridge::Layout::escaped));
  wordbridge::csv_cell(text, wordbridge::Formulas::disarmed);
  return 0;
}
