#pragma once
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "linalg/matrix.h"
#include "vectors/read_summary.h"
#include "vectors/vocabulary.h"

namespace wordbridge {

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

  /// A vector for a word outside the vocabulary, made of its subwords; nothing where the file had no subword model.
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
