// Any bytes are either a mapping or an InputError. The checksum would keep almost all inputs from the header's checks,
// so each is tried as it comes and with the checksum that fits it.
#include <cstdint>
#include <string>
#include <string_view>

#include "base/checksum.h"
#include "mapping/mapping_format.h"
#include "mapping/rerank_model.h"
#include "wordbridge/error.h"

namespace {

void try_to_read(std::string_view bytes) {
  try {
    const wordbridge::Mapping mapping = wordbridge::parse_mapping(bytes, "input");
    wordbridge::describe_json(mapping);
    if (mapping.reranker) wordbridge::parse_rerank_model(wordbridge::to_json(*mapping.reranker));
    for (const auto side : {wordbridge::Side::source, wordbridge::Side::target})
      mapping.apply(wordbridge::Matrix(1, mapping.input_dimension(side)), side, true);
  } catch (const wordbridge::InputError&) {
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  std::string bytes(reinterpret_cast<const char*>(data), size);
  try_to_read(bytes);
  wordbridge::Sha256 hash;
  hash.update(bytes);
  const auto digest = hash.finish();
  try_to_read(bytes.append(reinterpret_cast<const char*>(digest.data()), digest.size()));
  return 0;
}
