// Any bytes are a manifest of a hub or an InputError, and what was read is written in one way; records of finished work
// are read or not.
#include <cstdint>
#include <cstdlib>
#include <string>

#include "hub/hub_manifest.h"
#include "wordbridge/error.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string text(reinterpret_cast<const char*>(data), size);
  try {
    const std::string written = to_json(wordbridge::parse_manifest(text, "manifest.json"));
    if (to_json(wordbridge::parse_manifest(written, "manifest.json")) != written) std::abort();
  } catch (const wordbridge::InputError&) {
  }
  wordbridge::parse_table_record(text);
  wordbridge::parse_aligned_record(text);
  wordbridge::parse_pair_record(text);
  return 0;
}
