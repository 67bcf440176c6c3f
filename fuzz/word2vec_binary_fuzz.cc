// Any bytes are either word vectors or an InputError.
#include <cstdint>
#include <memory>
#include <string>

#include "io/memory_stream_test_support.h"
#include "vector_source_fuzz.h"
#include "vectors/formats/word2vec_binary.h"
#include "wordbridge/error.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string bytes(reinterpret_cast<const char*>(data), size);
  wordbridge::looks_like_word2vec_binary(bytes);
  for (const bool lenient : {false, true}) try {
      const auto source = wordbridge::open_word2vec_binary(std::make_unique<wordbridge::MemoryStream>(bytes, lenient),
                                                           {.lenient = lenient});
      wordbridge::exhaust(*source);
    } catch (const wordbridge::InputError&) {
    }
  return 0;
}
