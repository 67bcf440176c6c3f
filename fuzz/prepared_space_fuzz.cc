// Any bytes are either a prepared space, of which words can be asked, or an InputError. Checksums would keep the fuzzer
// out, so they are put right first, where header and directory tell where they lie.
#include <algorithm>
#include <cstdint>
#include <cstring>
#include <string>
#include <vector>

#include "base/checksum.h"
#include "io/memory_stream_test_support.h"
#include "retrieval/nearest_words.h"
#include "wordbridge/error.h"
#include "wordbridge/prepared_space.h"
#include "wordbridge/translate.h"

namespace {

using namespace wordbridge;

std::uint64_t number_at(const std::string& bytes, std::size_t place) {
  std::uint64_t number = 0;
  if (place + sizeof(number) <= bytes.size()) std::memcpy(&number, bytes.data() + place, sizeof(number));
  return number;
}

void put(std::string& bytes, std::size_t place, std::uint64_t number) {
  if (place + sizeof(number) <= bytes.size()) std::memcpy(bytes.data() + place, &number, sizeof(number));
}

void mend(std::string& bytes) {
  if (bytes.size() < 128) return;
  const std::uint64_t directory = number_at(bytes, 24), sections = number_at(bytes, 16) >> 32;
  if (directory > bytes.size() || sections > (bytes.size() - directory) / 64) return;
  const std::uint64_t checksums = directory + 64 * sections;
  for (std::uint64_t i = 0; i < sections; ++i) {
    const std::uint64_t offset = number_at(bytes, directory + 64 * i + 40);
    const std::uint64_t length = number_at(bytes, directory + 64 * i + 48);
    std::uint64_t block = number_at(bytes, directory + 64 * i + 56);
    if (offset > bytes.size() || length > bytes.size() - offset || block > bytes.size()) continue;
    for (std::uint64_t at = 0; at < length; at += 65'536, ++block)
      put(bytes, checksums + 8 * block, xxh3(bytes.data() + offset + at, std::min<std::uint64_t>(65'536, length - at)));
  }
  put(bytes, 48, xxh3(bytes.data() + directory, bytes.size() - directory));
  put(bytes, 120, xxh3(bytes.data(), 120));
}

void ask(const PreparedSpace& file) {
  const CommonSpace& space = file.space();
  const std::vector<std::string> words = {std::string(space.vocabulary(Side::source)[0]), "nobody"};
  for (const char* criterion : {"csls", "nn"}) Translator(space, {.criterion = criterion}).translate(words, 12);
  if (space.reranker() != nullptr) Translator(space).translate(words, 5);
  nearest_words(space, words, Side::target, 3);
  file.check();
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  std::string bytes(reinterpret_cast<const char*>(data), size);
  for (const bool mended : {false, true}) {
    if (mended) mend(bytes);
    try {
      MemoryStream stream(bytes);
      ask(PreparedSpace(stream));
    } catch (const InputError&) {
    } catch (const UsageError&) {  // a re-ranker with features that are unknown
    }
  }
  return 0;
}
