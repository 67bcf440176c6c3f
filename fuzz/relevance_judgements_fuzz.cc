// Any bytes are a list of judgements or an InputError.
#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <string>

#include "evaluation/relevance_judgements.h"
#include "io/memory_stream_test_support.h"
#include "wordbridge/error.h"

using namespace wordbridge;

namespace {

void require(bool holds) {
  if (!holds) std::abort();
}

RelevanceJudgements read(std::string text, bool lenient) {
  MemoryStream stream(std::move(text));
  return read_relevance_judgements(stream, lenient);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string text(reinterpret_cast<const char*>(data), size);
  try {
    const RelevanceJudgements lenient = read(text, true);
    require(!lenient.judgements.empty());
    for (const auto& judgement : lenient.judgements)
      require(!judgement.query.empty() && !judgement.item.empty() && std::isfinite(judgement.grade) &&
              judgement.grade >= 0);
    try {
      require(read(text, false).judgements == lenient.judgements);
      require(lenient.skipped_lines == 0);
    } catch (const InputError&) {
      require(lenient.skipped_lines > 0);
    }
  } catch (const InputError&) {
  }
  return 0;
}
