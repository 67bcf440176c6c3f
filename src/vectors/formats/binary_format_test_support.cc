#include "vectors/formats/binary_format_test_support.h"

#include <fstream>
#include <iterator>
#include <limits>
#include <stdexcept>

#include "base/random.h"
#include "wordbridge/error.h"

namespace wordbridge {

CollectedVectors collect(VectorSource& source) {
  CollectedVectors all;
  all.dimension = source.dimension();
  while (const auto block = source.next()) {
    all.words.insert(all.words.end(), block->words.begin(), block->words.end());
    const auto values = block->rows.elements();
    all.values.insert(all.values.end(), values.begin(), values.end());
  }
  all.summary = source.summary();
  return all;
}

std::string floats(std::initializer_list<float> values) {
  std::string bytes;
  for (const float value : values) bytes += bytes_of(value);
  return bytes;
}

bool same_bits(std::span<const float> a, std::span<const float> b) {
  return a.size() == b.size() && (a.empty() || std::memcmp(a.data(), b.data(), a.size_bytes()) == 0);
}

std::string file_bytes(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  if (!file) throw std::runtime_error("cannot open " + path);
  return {std::istreambuf_iterator<char>(file), {}};
}

SampleVectors sample_vectors(std::size_t rows, std::size_t dimension, std::uint64_t seed) {
  const float special[] = {0.0F,
                           -0.0F,
                           std::numeric_limits<float>::denorm_min(),
                           std::numeric_limits<float>::max(),
                           std::numeric_limits<float>::lowest(),
                           1e-40F};
  Random random(seed);
  SampleVectors sample{{}, Matrix(rows, dimension)};
  for (std::size_t i = 0; i < rows; ++i) {
    sample.words.push_back((i % 3 == 0 ? "wort-\u00fc" : "word") + std::to_string(i));
    for (float& value : sample.rows.row(i))
      value = random.index(8) == 0 ? special[random.index(std::size(special))] : static_cast<float>(random.normal());
  }
  return sample;
}

}  // namespace wordbridge
