#pragma once
#include <optional>
#include <string>

#include "io/byte_stream.h"
#include "wordbridge/mapping.h"

namespace wordbridge {

/// How a fastText model is mapped.
struct ModelMapping {
  Side side = Side::source;
  bool unit = true;          // whether the mapping's rows are brought to length 1, which those of a model cannot be
  bool approximate = false;  // also where the normalization is no affine map
  bool read_twice = true;    // the file can be read again from its beginning, which a pipe cannot
};

/// What is to be said of a model that was written.
struct ModelRemarks {
  std::optional<std::string> warning;  // its vectors are not the mapping's
  std::string note;                    // how near it comes to the mapping; empty: nothing is lost
};

/// Writes a fastText model whose vectors, also those of words that it has not seen, are the mapped vectors of the model
/// in the stream, which was opened from `path` and stands at its first byte. UsageError where the mapping cannot be
/// written so.
ModelRemarks write_mapped_model(const Mapping& mapping, const ModelMapping& how, const std::string& path,
                                ByteStream& stream, const std::string& output);

}  // namespace wordbridge
