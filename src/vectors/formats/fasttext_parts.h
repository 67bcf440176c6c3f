#pragma once
#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include "io/binary_reader.h"
#include "io/memory_block.h"
#include "wordbridge/vocabulary.h"

namespace wordbridge {

/// The rows and columns of the matrix of that name, both sensible: rows * cols * 4 does not overflow afterwards.
std::pair<std::uint64_t, std::uint64_t> read_fasttext_shape(BinaryReader& reader, std::string_view matrix);

/// A product quantizer of fastText: a vector is cut into parts, each replaced by the nearest of its 256 centroids.
class FastTextQuantizer {
 public:
  FastTextQuantizer() = default;
  explicit FastTextQuantizer(BinaryReader& reader);

  std::int32_t dimension() const { return dimension_; }
  /// Codes (bytes) of a vector.
  std::int32_t parts() const { return parts_; }
  /// sum += scale * the vector with these codes; sum.size() == dimension().
  void add(std::span<const std::uint8_t> codes, float scale, std::span<float> sum) const;
  float first(std::uint8_t code) const { return centroids_[code]; }

 private:
  static constexpr std::size_t kCentroids = 256;
  std::int32_t dimension_ = 0, parts_ = 0, part_size_ = 0, last_part_size_ = 0;
  std::vector<float> centroids_;  // part after part, 256 x the part's size each
};

/// The input matrix of a fastText model, dense or quantized. A dense one, which may be gigabytes, stays in its file
/// where that can be mapped.
class FastTextMatrix {
 public:
  static FastTextMatrix read_dense(BinaryReader& reader);
  static FastTextMatrix read_quantized(BinaryReader& reader);

  std::uint64_t rows() const { return rows_; }
  std::uint64_t cols() const { return cols_; }
  /// sum += the row; sum.size() == cols().
  void add_row(std::uint64_t row, std::span<float> sum) const;

 private:
  FastTextMatrix(std::uint64_t rows, std::uint64_t cols) : rows_(rows), cols_(cols) {}

  std::uint64_t rows_, cols_;
  MemoryBlock data_;  // dense: rows x cols float32, not aligned; quantized: rows x parts codes
  FastTextQuantizer quantizer_;
  MemoryBlock norm_codes_;  // where the norms are quantized apart: one code a row
  FastTextQuantizer norm_quantizer_;
};

/// What a fastText model says of its subwords: the n-grams of `<word>` with minn <= n <= maxn characters, hashed into
/// `bucket` rows. maxn 0: no subwords.
struct FastTextSubwords {
  std::int32_t minn = 0;
  std::int32_t maxn = 0;
  std::int32_t bucket = 0;
};

/// The words of a fastText model, and which rows of its input matrix make up the vector of any word.
class FastTextDictionary {
 public:
  /// Reads the dictionary section; the labels of a classifier are left out. InputError for damage.
  FastTextDictionary(BinaryReader& reader, FastTextSubwords subwords);

  /// In the model's order: the most frequent first.
  const Vocabulary& words() const { return words_; }
  /// The rows of a word whose mean is its vector: its own, if it is in the dictionary, and those of its n-grams. May be
  /// empty for a word that is not.
  std::vector<std::uint64_t> rows_of(std::string_view word) const;
  std::vector<std::uint64_t> rows_of(WordId id) const;
  /// Every row above is less than this.
  std::uint64_t rows_needed() const { return words_.size() + bucket_rows_; }
  /// True where only some buckets were kept (quantized models).
  bool pruned() const { return pruned_; }

 private:
  void read_words(BinaryReader& reader, std::int32_t words, std::int32_t labels);
  void read_kept_buckets(BinaryReader& reader, std::int64_t count);
  void append_ngrams(std::string_view word, std::vector<std::uint64_t>& rows) const;

  FastTextSubwords subwords_;
  Vocabulary words_;
  bool pruned_ = false;
  std::uint64_t bucket_rows_ = 0;                                  // rows of the matrix that belong to buckets
  std::unordered_map<std::uint32_t, std::uint32_t> kept_buckets_;  // bucket -> its place, where pruned_
};

/// fastText's hash of an n-gram: FNV-1a over bytes taken as signed.
std::uint32_t fasttext_hash(std::string_view ngram);

/// How fastText models begin.
inline constexpr std::int32_t kFastTextMagic = 793712314;

/// The options of a fastText model that matter for word vectors.
struct FastTextOptions {
  /// Where the dimension stands in the file, as a 32-bit number.
  static constexpr std::size_t kDimensionOffset = 8;

  std::int32_t dimension = 0;
  FastTextSubwords subwords;
};

/// Takes magic, version and options from the reader. InputError for other versions, and for invalid dimensions.
FastTextOptions read_fasttext_options(BinaryReader& reader);

}  // namespace wordbridge
