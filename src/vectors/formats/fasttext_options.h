#pragma once
#include <cstddef>
#include <cstdint>

#include "io/binary_reader.h"
#include "vectors/formats/fasttext_dictionary.h"

namespace wordbridge {

/// How fastText models begin.
inline constexpr std::int32_t kFastTextMagic = 793712314;

/// The options of a fastText model that matter for word vectors.
struct FastTextOptions {
  /// Where the dimension stands in the file, as a 32-bit number.
  static constexpr std::size_t kDimensionOffset = 8;

  std::int32_t dimension = 0;
  FastTextSubwords subwords;
};

/// Takes magic, version and options from the reader. InputError for other versions, and for dimensions that cannot be.
FastTextOptions read_fasttext_options(BinaryReader& reader);

}  // namespace wordbridge
