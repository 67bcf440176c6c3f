#pragma once
#include <cstdint>
#include <map>
#include <memory>
#include <vector>

#include "linalg/rows.h"
#include "search/sharded_search.h"
#include "space/csls_statistics.h"
#include "space/table_search.h"
#include "space/unit_rows.h"
#include "vectors/sharded_vectors.h"
#include "wordbridge/mapping.h"

namespace wordbridge {

/// The words of two languages in the space that they share, sharded over the processes of a job: everybody has all
/// words, and its own rows with the searches over them. What is asked of both is asked by all processes together.
class ShardedSpace {
 public:
  /// Both sides as the mapping maps them. UsageError where a dimension is another.
  ShardedSpace(const Mapping& mapping, ShardedVectors source, ShardedVectors target);
  /// Vectors that share a space already. UsageError where the dimensions differ.
  ShardedSpace(ShardedVectors source, ShardedVectors target);

  std::size_t size(Side side) const { return vocabulary(side).size(); }
  std::size_t dimension() const { return source_.rows.dimension(); }
  Communicator& communicator() const { return *source_.table.communicator; }
  const Vocabulary& vocabulary(Side side) const { return at(side).vocabulary; }
  /// Own rows of length 1, or zero.
  const UnitRows& own(Side side) const { return at(side).rows; }
  /// The rows of all processes.
  const ShardedRows& table(Side side) const { return at(side).table; }
  /// How many of them are not zero, and which.
  std::size_t nonzero(Side side) const { return at(side).nonzero; }
  bool is_zero(Side side, WordId word) const { return at(side).zero[word] != 0; }
  /// Over all rows, and over the own ones.
  const ShardedSearch& search(Side side) const { return at(side).search; }
  /// With k neighbors; made when it is first asked for, by all processes.
  CslsStatistics& csls(std::size_t k) const;
  /// The pairs that the mapping was learned from, where it carries them; else nullptr.
  const std::shared_ptr<const StoredLexicon>& lexicon() const { return lexicon_; }

 private:
  struct Language {
    Language(Vocabulary words, Matrix own, Communicator& communicator);
    Language(const Language&) = delete;
    Language& operator=(const Language&) = delete;

    Vocabulary vocabulary;
    UnitRows rows;
    ShardedRows table;
    TableSearch own_search;
    ShardedSearch search;
    std::vector<std::uint8_t> zero;  // of the rows of all processes
    std::size_t nonzero = 0;
  };
  const Language& at(Side side) const { return side == Side::source ? source_ : target_; }

  Language source_, target_;
  mutable std::map<std::size_t, std::unique_ptr<CslsStatistics>> csls_;  // by k
  std::shared_ptr<const StoredLexicon> lexicon_;
};

}  // namespace wordbridge
