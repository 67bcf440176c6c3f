#pragma once
#include <cstdint>
#include <string>
#include <string_view>

#include "base/atomic_file.h"
#include "wordbridge/mapping.h"

namespace wordbridge {

// The .wbmap format, defined in docs/file-formats.md, section "Mapping files".

/// No mapping file is longer.
constexpr std::uint64_t kMostMappingBytes = std::uint64_t{2} << 30;

/// read_mapping() from the bytes of a whole file; `path` is for messages.
Mapping parse_mapping(std::string_view bytes, const std::string& path);

/// The bytes of a whole file, as write_mapping() writes them.
std::string mapping_bytes(const Mapping& mapping);

/// write_mapping() into a file opened before the work; commits it.
void write_mapping(const Mapping& mapping, AtomicFile& file);

/// True where the bytes begin as a mapping file does.
bool looks_like_mapping(std::string_view bytes);

/// Everything but the values, as the file's header holds it: a JSON object (dimensions, normalization, provenance; of a
/// re-ranker only its weights, of the lexicon how many pairs it has).
/// `indent` < 0: on one line.
std::string describe_json(const Mapping& mapping, int indent = -1);

}  // namespace wordbridge
