#pragma once
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "wordbridge/matrix.h"
#include "wordbridge/vocabulary.h"

namespace [[gnu::visibility("default")]] wordbridge {

/// What a reader met in a file: every row that was used, mended or set aside is counted here.
struct ReadSummary {
  std::string path;
  std::string format;       // "fastText text", "word2vec binary", ...
  std::string compression;  // "gzip", "zstd", "xz", "bzip2" or empty
  std::uint64_t rows = 0;   // rows that became words
  std::uint64_t dimension = 0;
  std::uint64_t space = 0;  // a digest of the common space that the file says it is in; 0: it says nothing

  // Harmless dirt.
  std::uint64_t duplicates = 0;    // rows whose word came before: the first one counts
  std::uint64_t empty_words = 0;   // rows without a word: set aside
  std::uint64_t invalid_utf8 = 0;  // words kept as their bytes
  std::uint64_t spaced_words = 0;  // words that contain blanks (U+0020, U+00A0, U+3000)
  std::uint64_t zero_rows = 0;     // kept; they take part in nothing
  std::uint64_t blank_lines = 0;   // lines with nothing on them: passed over
  bool no_header = false;          // a text file without the `count dimension` line
  bool byte_order_mark = false;
  bool carriage_returns = false;
  std::uint64_t header_rows = 0;  // rows that the header promised; 0 without header
  bool stopped_early = false;     // max_words was reached; what follows was not read
  // Damage that --lenient skipped.
  std::uint64_t skipped_rows = 0;
  std::string first_skipped;  // the error that the first of them would have been

  /// True where anything but plain rows was met.
  bool dirty() const;
  /// One line for people: `wiki.es.vec: 200000 words x 300 (fastText text, gzip); 3 duplicates set aside, ...`.
  std::string to_line() const;
};

/// Words and their vectors: row i of the table belongs to word i of the vocabulary.
class WordVectors {
 public:
  WordVectors() = default;
  WordVectors(Vocabulary vocabulary, Matrix table, ReadSummary summary = {});

  std::size_t size() const { return vocabulary_.size(); }
  std::size_t dimension() const { return table_.cols(); }
  const Vocabulary& vocabulary() const { return vocabulary_; }
  const Matrix& table() const { return table_; }
  Matrix& table() {
    content_checksum_.clear();
    return table_;
  }
  /// How the file was read; empty for vectors that come from no file.
  const ReadSummary& summary() const { return summary_; }

  /// A vector for a word outside the vocabulary, made of its subwords; nullopt if the file had no subword model.
  std::optional<std::vector<float>> subword_vector(std::string_view word) const;
  using SubwordModel = std::function<std::optional<std::vector<float>>(std::string_view word)>;
  void set_subword_model(SubwordModel model) { subword_model_ = std::move(model); }
  bool has_subword_model() const { return static_cast<bool>(subword_model_); }
  /// Empty where there is none.
  const SubwordModel& subword_model() const { return subword_model_; }

  /// Keeps the first `words` rows.
  void truncate(std::size_t words);

  /// What it is made of, for whoever puts the parts to another use.
  struct Parts {
    Vocabulary vocabulary;
    Matrix table;
    SubwordModel subword_model;
  };
  Parts release() && { return {std::move(vocabulary_), std::move(table_), std::move(subword_model_)}; }

  /// content_checksum() of these vectors: at once where the file carried it, else computed.
  std::string content_checksum() const;
  /// For readers of files that carry it. Forgotten as soon as anybody may change the vectors.
  void set_content_checksum(std::string checksum) { content_checksum_ = std::move(checksum); }

 private:
  Vocabulary vocabulary_;
  Matrix table_;
  ReadSummary summary_;
  SubwordModel subword_model_;
  std::string content_checksum_;  // empty: to be computed
};

/// SHA-256 (hexadecimal) of words and values as they are in memory: the same for the same vectors in any file format.
/// Defined in docs/file-formats.md, section "Content checksum".
std::string content_checksum(const Vocabulary& vocabulary, ConstMatrixView table);

}  // namespace wordbridge
