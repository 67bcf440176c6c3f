#pragma once
#include <cstddef>
#include <functional>

#include "base/atomic_file.h"
#include "io/byte_stream.h"
#include "wordbridge/matrix.h"

namespace wordbridge {

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
