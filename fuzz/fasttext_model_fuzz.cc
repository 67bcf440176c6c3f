// Any bytes are either a fastText model or an InputError; any word has a vector or none.
#include <cstdint>
#include <memory>
#include <string>

#include "io/memory_stream_test_support.h"
#include "vector_source_fuzz.h"
#include "vectors/formats/fasttext_model.h"
#include "wordbridge/error.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string bytes(reinterpret_cast<const char*>(data), size);
  for (const bool size_known : {false, true}) try {
      const auto source = wordbridge::open_fasttext_model(std::make_unique<wordbridge::MemoryStream>(bytes, size_known),
                                                          {.lenient = size_known});
      if (const auto model = source->subword_model())
        for (const char* word : {"", "</s>", "a", "Brückenbau", "\xff\x80\x80"}) model(word);
      wordbridge::exhaust(*source);
    } catch (const wordbridge::InputError&) {
    }
  return 0;
}
