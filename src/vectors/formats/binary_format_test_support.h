#pragma once
#include <cstring>
#include <initializer_list>
#include <span>
#include <string>
#include <vector>

#include "base/error_test_support.h"
#include "wordbridge/formats.h"
#include "wordbridge/matrix.h"

namespace wordbridge {

/// All rows of a source, joined.
struct CollectedVectors {
  std::vector<std::string> words;
  std::vector<float> values;  // words.size() x dimension
  std::size_t dimension = 0;
  ReadSummary summary;
};
CollectedVectors collect(VectorSource& source);

/// The bytes of a number as they are in memory (little-endian).
template <class T>
std::string bytes_of(T value) {
  std::string bytes(sizeof(value), '\0');
  std::memcpy(bytes.data(), &value, sizeof(value));
  return bytes;
}
std::string floats(std::initializer_list<float> values);

/// True where both hold the same bits.
bool same_bits(std::span<const float> a, std::span<const float> b);

/// All bytes of a file; std::runtime_error where there is none.
std::string file_bytes(const std::string& path);

/// Words and pseudo-random finite rows with all kinds of values: subnormal, negative zero, the largest.
struct SampleVectors {
  std::vector<std::string> words;
  Matrix rows;
};
SampleVectors sample_vectors(std::size_t rows, std::size_t dimension, std::uint64_t seed);

}  // namespace wordbridge
