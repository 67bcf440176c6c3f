// Any bytes are a set of similarities or an InputError.
#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <string>

#include "evaluation/similarity.h"
#include "io/memory_stream_test_support.h"
#include "wordbridge/error.h"

using namespace wordbridge;

namespace {

void require(bool holds) {
  if (!holds) std::abort();
}

SimilarityPairs read(std::string text, bool lenient) {
  MemoryStream stream(std::move(text));
  return read_similarity_pairs(stream, lenient);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string text(reinterpret_cast<const char*>(data), size);
  try {
    const SimilarityPairs lenient = read(text, true);
    require(!lenient.pairs.empty());
    for (const SimilarityPairs::Pair& pair : lenient.pairs)
      require(!pair.first.empty() && !pair.second.empty() && std::isfinite(pair.score));
    try {
      require(read(text, false).pairs == lenient.pairs);
      require(lenient.skipped_lines == 0);
    } catch (const InputError&) {
      require(lenient.skipped_lines > 0);
    }
  } catch (const InputError&) {
  }
  return 0;
}
