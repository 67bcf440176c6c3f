#pragma once
#include <memory>
#include <string>

#include "cli/options/vector_options.h"
#include "cli/session.h"
#include "io/byte_stream.h"
#include "wordbridge/mapping.h"

namespace wordbridge::cli {

/// How a fastText model is mapped.
struct ModelMapping {
  Side side = Side::source;
  bool unit = true;          // whether the mapping's rows are brought to length 1, which those of a model cannot be
  bool approximate = false;  // also where the normalization is no affine map
};

/// Writes a fastText model whose vectors, also those of words that it has not seen, are the mapped vectors of the model
/// in the stream, which was opened from the file and stands at its first byte. UsageError where the mapping cannot be
/// written so.
void write_mapped_model(Session& session, const Mapping& mapping, const ModelMapping& how, const VectorFile& file,
                        ByteStream& stream, const std::string& output);

}  // namespace wordbridge::cli
