#pragma once
#include <cstdint>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "io/binary_reader.h"
#include "wordbridge/vocabulary.h"

namespace wordbridge {

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

}  // namespace wordbridge
