// What the header of a mapping tells of its training: any bytes are a report or an exception, and what is read is
// written so that it reads the same again.
#include <cstdint>
#include <cstdlib>
#include <exception>
#include <string>
#include <string_view>

#include "wordbridge/alignment_report.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  std::string written;
  try {
    written = wordbridge::to_json(wordbridge::parse_report({reinterpret_cast<const char*>(data), size}));
  } catch (const std::exception&) {
    return 0;
  }
  if (wordbridge::to_json(wordbridge::parse_report(written)) != written) std::abort();
  return 0;
}
