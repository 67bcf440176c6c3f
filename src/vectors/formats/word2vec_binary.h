#pragma once
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "io/byte_stream.h"
#include "wordbridge/formats.h"

namespace wordbridge {

// The binary format of the word2vec program: a line `count dimension`, then for each word its bytes, a space, the
// vector as little-endian float32, and a line break that some writers leave out.

/// True for the first bytes of such a file (64 KiB or the whole file, where it is shorter). The text format begins with
/// the same line; what follows tells them apart.
bool looks_like_word2vec_binary(std::string_view first_bytes);

/// The count of the header is a hint: rows beyond it are read too, but a file that ends before it is damaged.
std::unique_ptr<VectorSource> open_word2vec_binary(std::unique_ptr<ByteStream> stream, const ReadOptions& options);

/// The format ends a word at its first space, so write() throws InputError for a word that holds a space or a line
/// break, or is empty: such words would come back changed.
std::unique_ptr<VectorSink> create_word2vec_binary(const std::string& path, std::size_t dimension,
                                                   std::optional<std::uint64_t> expected_rows);

}  // namespace wordbridge
