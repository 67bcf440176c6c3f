// Any bytes with any words are either a table of items or an InputError, whatever format is said to be theirs. The
// input is a list of words (empty: rows are numbered), a NUL, a table.
#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

#include <cstdint>
#include <cstdlib>
#include <memory>
#include <string>

#include "io/memory_stream_test_support.h"
#include "vector_source_fuzz.h"
#include "vectors/formats/item_table.h"
#include "wordbridge/error.h"

namespace {

/// A file in memory that can be opened by path.
std::string vocabulary_with(const std::string& words) {
  static const int file = ::memfd_create("words", 0);
  if (file < 0 || ::ftruncate(file, 0) != 0) std::abort();
  if (::pwrite(file, words.data(), words.size(), 0) != static_cast<ssize_t>(words.size())) std::abort();
  return "/proc/self/fd/" + std::to_string(file);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string bytes(reinterpret_cast<const char*>(data), size);
  const std::size_t end = std::min(bytes.size(), bytes.find('\0'));
  wordbridge::ReadOptions options;
  if (end > 0) options.vocabulary_path = vocabulary_with(bytes.substr(0, end));
  for (const std::string format : {"", "safetensors", "safetensors:x", "raw:f16:3"})
    for (const bool lenient : {false, true}) try {
        options.format = format;
        options.lenient = lenient;
        const auto source = wordbridge::open_item_table(
            std::make_unique<wordbridge::MemoryStream>(bytes.substr(std::min(bytes.size(), end + 1)), lenient),
            options);
        wordbridge::exhaust(*source);
      } catch (const wordbridge::InputError&) {
      }
  return 0;
}
