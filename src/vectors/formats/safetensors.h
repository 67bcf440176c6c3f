#pragma once
#include <string>
#include <string_view>

#include "io/binary_reader.h"
#include "vectors/formats/number_table.h"

namespace wordbridge {

// safetensors: 8 bytes with the length of a header, the header in JSON, which names the tensors with their types,
// shapes and places, and behind it their numbers, without gaps.

bool looks_like_safetensors(std::string_view first_bytes);

/// Takes the header from the reader, and describes the tensor of that name (empty: the only table of floating-point
/// numbers). InputError where any tensor's size is not that of its shape and type, where they overlap,
/// leave gaps or do not fit the file, and where there is no such table, saying what there is.
NumberTable read_safetensors_header(BinaryReader& reader, const std::string& name);

}  // namespace wordbridge
