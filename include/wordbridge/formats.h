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

/// One of several shares of a table of numbers, cut at multiples of 1,024 rows: what is mapped part by part is, joined,
/// what comes of the whole table, bit for bit.
struct TablePart {
  std::size_t number = 1, of = 1;
};

/// How to read a file of word vectors. A table of numbers (.npy, safetensors, raw) has no words of its own: they come
/// from a list, or its rows are items with ids, which are never taken for spelling.
struct ReadOptions {
  std::size_t max_words = 0;         // stop after so many words; 0: all
  bool lenient = false;              // skip and count damaged rows instead of failing
  std::string vocabulary_path = {};  // of a table of numbers: the file with one word a line; empty: its name with
                                     // .vocab or .txt, where there is one, else its rows have their numbers as ids
  std::string ids_path = {};         // likewise, but with ids
  bool row_ids = false;              // ids are the numbers of rows, from 0, whatever lies beside the file
  std::string format = {};           // empty: by content; raw:f16:1024 (f16, bf16, f32, f64; numbers a row) for numbers
                                     // without a header; safetensors:NAME for that tensor
  TablePart part = {};               // of a table of numbers: only these rows,
  std::uint64_t start_row = 0;       // and of these without so many
};

/// What names the rows of vectors that were read: words, or ids, which are no spelling. The summary's format tells:
/// "NumPy" has words, "NumPy, items" ids, "NumPy, numbered items" the numbers of its rows.
enum class RowNames { words, ids, numbers };
RowNames row_names(const ReadSummary& summary);

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
  /// Rows that an earlier run left finished; the first to be written is the next (TableWriting::resume_key).
  virtual std::uint64_t kept_rows() const { return 0; }
};

/// Reads any known format, recognized by content: text (fastText, word2vec, GloVe; plain or compressed), word2vec
/// binary, fastText model, NumPy .npy, safetensors, wordbridge's own. `-` is standard input; many files of numbers are
/// one table, their rows one after the other, where the path is a pattern (`old-*.npy`: in the order of their names) or
/// @FILE, a list with one path a line. Throws IoError where the system refuses, InputError where the file is damaged.
WordVectors read_vectors(const std::string& path, const ReadOptions& options = {});

/// The same, a block at a time.
std::unique_ptr<VectorSource> open_vectors(const std::string& path, const ReadOptions& options = {});

/// The same for a file that is open already, at its first byte.
std::unique_ptr<VectorSource> open_vectors(std::unique_ptr<ByteStream> stream, const ReadOptions& options = {});

enum class VectorFormat {
  text,
  word2vec_binary,
  npy,
  npy_float16,
  raw_float32,
  raw_float16,
  native,
  postgres,  // to be written only, as sqlite
  sqlite
};

/// By extension: .vec .txt (and these with .gz .zst .xz .bz2) text, .w2v .bin word2vec binary, .npy NumPy (the words go
/// to the same name with .vocab), .f32 .f16 numbers without a header (likewise), .wbvec native, .copy PostgreSQL, .sql
/// SQLite. UsageError for others.
VectorFormat format_of_path(const std::string& path);

/// For the formats of numbers alone (npy, raw).
struct TableWriting {
  bool row_ids = false;  // the words are the numbers of rows, one after the other: no list of them is written
  // Where it is not empty: rows stay in FILE.unfinished when the work is stopped, and a later run with the same key
  // goes on behind them. It names all that the rows depend on. Only with row_ids.
  std::string resume_key = {};
};

/// Opens the output at once, so that a missing folder shows before the work. `expected_rows` goes into headers; a wrong
/// one is mended in finish(). `space`, the common space that the vectors are in, goes into formats with a place for it
/// (native).
std::unique_ptr<VectorSink> create_vectors(const std::string& path, VectorFormat format, std::size_t dimension,
                                           std::optional<std::uint64_t> expected_rows = std::nullopt,
                                           std::uint64_t space = 0, const TableWriting& writing = {});

/// All at once.
void write_vectors(const std::string& path, VectorFormat format, const WordVectors& vectors);

}  // namespace wordbridge
