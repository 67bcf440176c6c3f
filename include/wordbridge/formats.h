#pragma once
#include <algorithm>
#include <cstddef>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "wordbridge/matrix.h"
#include "wordbridge/word_vectors.h"

namespace wordbridge {
class ByteStream;  // hidden
}

namespace [[gnu::visibility("default")]] wordbridge {

/// How to read a file of word vectors.
struct ReadOptions {
  std::size_t max_words = 0;         // stop after so many words; 0: all
  bool lenient = false;              // skip and count damaged rows instead of failing
  std::string vocabulary_path = {};  // for .npy: the file with one word a line; empty: its name with .vocab or .txt
};

/// How many words of a file are worth reading where nobody says otherwise: as many as in the paper.
inline constexpr std::size_t kUsualWords = 200'000;

/// A run of rows in file order.
struct VectorBlock {
  std::vector<std::string> words;
  Matrix rows;  // words.size() x dimension
};

/// Of a block of about 4 MB, the usual size.
inline std::size_t rows_of_block(std::size_t dimension) {
  return std::clamp<std::size_t>((std::size_t{4} << 20) / (dimension * sizeof(float)), 1, 8192);
}

/// A file of word vectors read a block at a time, in bounded memory. Duplicates are passed on (whoever keeps all words
/// sees them), everything else that ReadSummary counts is handled here.
class VectorSource {
 public:
  virtual ~VectorSource() = default;
  virtual std::size_t dimension() const = 0;
  /// Rows that the file promises, where it does: a hint for headers and progress, never trusted.
  virtual std::optional<std::uint64_t> promised_rows() const = 0;
  /// The next rows, or nothing at the end. Throws InputError for damage.
  virtual std::optional<VectorBlock> next() = 0;
  virtual const ReadSummary& summary() const = 0;
};

/// A file of word vectors written a block at a time; nothing appears under its name before finish().
class VectorSink {
 public:
  virtual ~VectorSink() = default;
  virtual void write(const std::vector<std::string>& words, ConstMatrixView rows) = 0;
  virtual void finish() = 0;
};

/// Reads any known format, recognized by content: text (fastText, word2vec, GloVe; plain or compressed), word2vec
/// binary, fastText model, NumPy .npy, wordbridge's own. `-` is standard input. Throws IoError
/// where the system refuses, InputError where the file is damaged.
WordVectors read_vectors(const std::string& path, const ReadOptions& options = {});

/// The same, a block at a time.
std::unique_ptr<VectorSource> open_vectors(const std::string& path, const ReadOptions& options = {});

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
