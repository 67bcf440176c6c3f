#pragma once
#include <memory>
#include <optional>
#include <string>

#include "vectors/vector_stream.h"
#include "vectors/word_vectors.h"

namespace wordbridge {

/// Reads any known format, recognized by content: text (fastText, word2vec, GloVe; plain or compressed), word2vec
/// binary, fastText model, NumPy .npy, wordbridge's own. `-` is standard input. Throws IoError
/// where the system refuses, InputError where the file is damaged.
WordVectors read_vectors(const std::string& path, const ReadOptions& options = {});

/// The same, a block at a time.
std::unique_ptr<VectorSource> open_vectors(const std::string& path, const ReadOptions& options = {});

class ByteStream;
/// The same for a file that is open already, at its first byte.
std::unique_ptr<VectorSource> open_vectors(std::unique_ptr<ByteStream> stream, const ReadOptions& options = {});

enum class VectorFormat { text, word2vec_binary, npy, native };

/// By extension: .vec .txt (and these with .gz .zst .xz .bz2) text, .w2v .bin word2vec binary, .npy NumPy (the words go
/// to the same name with .vocab), .wbvec native. UsageError for others.
VectorFormat format_of_path(const std::string& path);

/// Opens the output at once, so that a missing folder shows before the work. `expected_rows` goes into headers; a wrong
/// one is mended in finish(). `space`, the common space that the vectors are in, goes into formats with a place for it
/// (native).
std::unique_ptr<VectorSink> create_vectors(const std::string& path, VectorFormat format, std::size_t dimension,
                                           std::optional<std::uint64_t> expected_rows = std::nullopt,
                                           std::uint64_t space = 0);

/// All at once.
void write_vectors(const std::string& path, VectorFormat format, const WordVectors& vectors);

}  // namespace wordbridge
