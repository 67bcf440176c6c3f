#pragma once
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "io/byte_stream.h"
#include "wordbridge/formats.h"
#include "wordbridge/word_vectors.h"

namespace wordbridge {

// wordbridge's own format, .wbvec (docs/file-formats.md): the table lies in the file as it will lie in memory, so that
// loading is copying; every byte is covered by a checksum, block by block, so that the first rows of a large file are
// checked without reading the others.

bool looks_like_native(std::string_view first_bytes);

/// The rows a block at a time. Bounded memory for a plain file; from a pipe or a compressed file, whose words come
/// after its table, the table is held in memory.
std::unique_ptr<VectorSource> open_native(std::unique_ptr<ByteStream> stream, const ReadOptions& options);

/// The whole table at once, in memory of its own, with its content checksum known. Duplicates are set aside.
WordVectors read_native(std::unique_ptr<ByteStream> stream, const ReadOptions& options);

std::unique_ptr<VectorSink> create_native(const std::string& path, std::size_t dimension,
                                          std::optional<std::uint64_t> expected_rows, std::uint64_t space = 0);

}  // namespace wordbridge
