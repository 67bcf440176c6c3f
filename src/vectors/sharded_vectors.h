#pragma once
#include <span>
#include <string>

#include "linalg/rows.h"
#include "wordbridge/formats.h"
#include "wordbridge/normalizer.h"
#include "wordbridge/word_vectors.h"

namespace wordbridge {

/// Words and their vectors, sharded over the processes of a job: everybody has all words, and its own rows (RowShards).
class ShardedVectors {
 public:
  ShardedVectors(Vocabulary vocabulary, Matrix own, ReadSummary summary, Communicator& communicator);

  std::size_t size() const { return vocabulary_.size(); }
  std::size_t dimension() const { return own_.cols(); }
  const Vocabulary& vocabulary() const { return vocabulary_; }
  const ReadSummary& summary() const { return summary_; }
  Communicator& communicator() const { return *communicator_; }
  const Matrix& own() const { return own_; }
  Matrix& own() { return own_; }
  /// A view of them.
  ShardedRows rows() const { return {own_, size(), communicator_}; }
  Vocabulary take_vocabulary() && { return std::move(vocabulary_); }

  // By all processes together; all get the same.
  /// That of the whole table (word_vectors.h).
  std::string content_checksum() const;
  /// Some words with their rows, in the order of their numbers, which must ascend.
  WordVectors words(std::span<const WordId> ids) const;

 private:
  Vocabulary vocabulary_;
  Matrix own_;
  ReadSummary summary_;
  Communicator* communicator_;
};

/// Reads any format, as read_vectors() does, into the memory of all processes together: each keeps its own rows. Of a
/// plain .wbvec file it reads only these; other formats are read from end to end by everybody. UsageError for what
/// cannot be: lenient reading, where the processes might not agree which rows there are, and standard input.
ShardedVectors read_sharded_vectors(const std::string& path, const ReadOptions& options, Communicator& communicator);

/// Normalizer::fit() over the whole table: the same means, bit for bit.
Normalizer fit_normalizer(std::span<const Normalizer::Step> steps, ShardedVectors& vectors);

}  // namespace wordbridge
