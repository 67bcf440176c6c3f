// Any bytes are either word vectors or an InputError. Checksums would keep the fuzzer out, so they are put right first:
// those of the header and of the index always, those of the blocks where the index lies where it should.
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <string>

#include "io/memory_stream_test_support.h"
#include "vector_source_fuzz.h"
#include "vectors/formats/native.h"
#include "vectors/formats/native_layout.h"
#include "wordbridge/error.h"

namespace {

using namespace wordbridge;

std::uint64_t checksum(const std::string& bytes, std::uint64_t begin, std::uint64_t size) {
  if (begin > bytes.size() || size > bytes.size() - begin) return 0;
  return xxh3(bytes.data() + begin, size);
}

void mend(std::string& bytes) {
  NativeHeader header;
  if (bytes.size() < sizeof(header)) return;
  std::memcpy(&header, bytes.data(), sizeof(header));
  const bool small = header.rows < 100'000 && header.dimension < 10'000 && header.block_rows == kContentBlockRows;
  for (std::size_t block = 0; small && block < header.blocks(); ++block) {
    NativeEntry entry;
    const std::uint64_t place = header.index_offset + block * sizeof(entry);
    if (place > bytes.size() || bytes.size() - place < sizeof(entry)) break;
    std::memcpy(&entry, bytes.data() + place, sizeof(entry));
    const std::uint64_t row_bytes = header.dimension * sizeof(float);
    entry.table_checksum =
        checksum(bytes, 128 + block * header.block_rows * row_bytes, header.rows_of(block) * row_bytes);
    entry.words_checksum = checksum(bytes, header.words_offset + entry.words_begin, entry.words_bytes);
    std::memcpy(bytes.data() + place, &entry, sizeof(entry));
  }
  if (header.index_offset <= bytes.size())
    header.index_checksum = checksum(bytes, header.index_offset, bytes.size() - header.index_offset);
  header.header_checksum = xxh3(&header, sizeof(header) - sizeof(header.header_checksum));
  std::memcpy(bytes.data(), &header, sizeof(header));
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  std::string bytes(reinterpret_cast<const char*>(data), size);
  mend(bytes);
  for (const bool lenient : {false, true}) {
    try {
      const auto source = open_native(std::make_unique<MemoryStream>(bytes, lenient), {.lenient = lenient});
      exhaust(*source);
    } catch (const InputError&) {
    }
    try {
      const WordVectors vectors = read_native(std::make_unique<MemoryStream>(bytes, lenient), {.lenient = lenient});
      if (vectors.size() == 0 || vectors.summary().rows != vectors.size()) std::abort();
    } catch (const InputError&) {
    }
  }
  return 0;
}
