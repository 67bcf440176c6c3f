// Any bytes are either text vectors or an InputError; the table read at once is that of the rows one after the other,
// and the quick way through a row agrees with the general one.
#include <algorithm>
#include <bit>
#include <cstdint>
#include <cstdlib>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "io/memory_stream_test_support.h"
#include "vector_source_fuzz.h"
#include "vectors/formats/text.h"
#include "vectors/formats/text_rows.h"
#include "vectors/formats/usual_row.h"
#include "wordbridge/error.h"
#include "wordbridge/vocabulary.h"

using namespace wordbridge;

namespace {

void require(bool holds) {
  if (!holds) std::abort();
}

bool same_bits(std::span<const float> a, std::span<const float> b) {
  const auto bits = [](float value) { return std::bit_cast<std::uint32_t>(value); };
  return std::ranges::equal(a, b, {}, bits, bits);
}

struct Outcome {
  std::string error;  // empty: none
  std::vector<std::string> words;
  std::vector<float> values;
};

/// The rows of a source, the first of equal words only.
Outcome stream_rows(const std::string& bytes, bool lenient) {
  Outcome outcome;
  try {
    const auto source = open_text(std::make_unique<MemoryStream>(bytes, lenient), {.lenient = lenient});
    Vocabulary vocabulary;
    while (const auto block = source->next())
      for (std::size_t i = 0; i < block->words.size(); ++i)
        if (vocabulary.add(block->words[i])) {
          outcome.words.push_back(block->words[i]);
          outcome.values.insert(outcome.values.end(), block->rows.row(i).begin(), block->rows.row(i).end());
        }
  } catch (const InputError& error) {
    outcome.error = error.what();
  }
  return outcome;
}

void check_table(const std::string& bytes, bool lenient) {
  const Outcome expected = stream_rows(bytes, lenient);
  try {
    const WordVectors vectors = read_text(std::make_unique<MemoryStream>(bytes, lenient), {.lenient = lenient});
    require(expected.error.empty() && vectors.size() == expected.words.size());
    for (std::size_t i = 0; i < vectors.size(); ++i) require(vectors.vocabulary()[i] == expected.words[i]);
    require(same_bits(vectors.table().elements(), expected.values));
  } catch (const InputError& error) {
    require(error.what() == expected.error);
  }
}

/// The bytes as one line, for each dimension that may fit.
void check_usual_rows(std::string_view bytes) {
  const std::string line(bytes.substr(0, bytes.find('\n')));
  const std::string margins =
      std::string(UsualRowParser::kBytesBefore, '7') + line + std::string(UsualRowParser::kBytesAfter, '7');
  const std::string_view inside = std::string_view(margins).substr(UsualRowParser::kBytesBefore, line.size());
  for (std::size_t dimension = 1; dimension <= 8; ++dimension) {
    std::vector<float> values(dimension), expected(dimension);
    UsualRowParser parser(dimension);
    const auto word = parser.parse(inside, values);
    if (!word) continue;
    const TextRow row = parse_text_row(line, expected);
    require(row.kind == TextRow::Kind::row && row.word == *word && same_bits(values, expected));
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string bytes(reinterpret_cast<const char*>(data), size);
  check_usual_rows(bytes);
  for (const bool lenient : {false, true}) {
    try {
      const auto source = open_text(std::make_unique<MemoryStream>(bytes, lenient), {.lenient = lenient});
      exhaust(*source);
    } catch (const InputError&) {
    }
    check_table(bytes, lenient);
  }
  return 0;
}
