#pragma once
#include <cstddef>
#include <functional>
#include <memory>
#include <string_view>

#include "base/atomic_file.h"
#include "io/byte_stream.h"
#include "wordbridge/formats.h"
#include "wordbridge/matrix.h"
#include "wordbridge/word_vectors.h"

namespace wordbridge {

// Models written by fastText (.bin, and quantized .ftz), file versions 11 and 12. Only what word vectors need is read:
// options, dictionary and input matrix. All sizes are checked against the file's length before memory is taken.

/// A fastText model read as word vectors: each word's vector is the mean of its own row of the input matrix and those
/// of its character n-grams, bit for bit as fastText's own. Labels of a classifier are left out.
class FastTextSource : public VectorSource {
 public:
  /// The vector of any word, inside or outside of the dictionary; it keeps the model alive: as a mapping of the file
  /// where that is a plain one, else in memory. Empty where the model has no subwords (maxn 0).
  virtual WordVectors::SubwordModel subword_model() const = 0;
};

bool looks_like_fasttext_model(std::string_view first_bytes);

/// From a pipe or a compressed file the input matrix is held in memory.
std::unique_ptr<FastTextSource> open_fasttext_model(std::unique_ptr<ByteStream> stream, const ReadOptions& options);

/// What becomes of the matrices of a fastText model; rows x the model's dimension go to rows x `dimension`.
struct FastTextMaps {
  using RowMap = std::function<Matrix(Matrix rows)>;
  std::size_t dimension = 0;  // of what comes out
  RowMap input;               // of words and buckets: a word's vector is the mean of some of these rows
  RowMap output;              // of what is predicted
};

/// Copies a fastText model from a stream that stands at its first byte, its matrices mapped, all rows of them, in
/// memory bounded by the dictionary. All else stays. InputError for damage, and for quantized models, whose rows are
/// codes. Commits the file.
void rewrite_fasttext_model(ByteStream& stream, AtomicFile& file, const FastTextMaps& maps);

}  // namespace wordbridge
