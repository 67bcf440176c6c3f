#include "space/sharded_space.h"

#include <fmt/format.h>

#include <utility>
#include <vector>

#include "wordbridge/error.h"
#include "wordbridge/normalizer.h"

namespace wordbridge {

namespace {

/// The own rows as a mapping maps them. Blocks of own rows are whole chunks of the products, so that every row comes
/// out with the bits that it has in a whole table.
Matrix mapped_rows(const Mapping& mapping, ShardedVectors& vectors, Side side) {
  mapping.require_dimension(vectors.dimension(), side, vectors.summary().path);
  return mapping.apply(std::move(vectors.own()), side, true);
}

Matrix unit_rows_of(ShardedVectors& vectors) {
  Matrix rows = std::move(vectors.own());
  normalize_rows(rows);
  return rows;
}

}  // namespace

ShardedSpace::Language::Language(Vocabulary words, Matrix own, Communicator& communicator)
    : vocabulary(std::move(words)),
      rows(UnitRows::take(std::move(own))),
      table{rows.rows(), vocabulary.size(), &communicator},
      own_search(rows.rows()),
      search(own_search, table),
      zero(vocabulary.size()) {
  std::vector<WordId> mine;
  for (std::size_t place = 0; place < rows.size(); ++place)
    if (rows.is_zero(static_cast<WordId>(place))) mine.push_back(static_cast<WordId>(table.shards().number(place)));
  nonzero = zero.size();
  for (const auto& one : table.exchange(std::move(mine))) {
    for (const WordId word : one) zero[word] = 1;
    nonzero -= one.size();
  }
}

CslsStatistics& ShardedSpace::csls(std::size_t k) const {
  std::unique_ptr<CslsStatistics>& statistics = csls_[k];
  if (!statistics) statistics = std::make_unique<CslsStatistics>(search(Side::source), search(Side::target), k);
  return *statistics;
}

ShardedSpace::ShardedSpace(const Mapping& mapping, ShardedVectors source, ShardedVectors target)
    : source_(std::move(source).take_vocabulary(), mapped_rows(mapping, source, Side::source), source.communicator()),
      target_(std::move(target).take_vocabulary(), mapped_rows(mapping, target, Side::target), target.communicator()),
      lexicon_(mapping.lexicon) {}

ShardedSpace::ShardedSpace(ShardedVectors source, ShardedVectors target)
    : source_(std::move(source).take_vocabulary(), unit_rows_of(source), source.communicator()),
      target_(std::move(target).take_vocabulary(), unit_rows_of(target), target.communicator()) {
  if (source_.rows.dimension() != target_.rows.dimension())
    throw UsageError(fmt::format("source and target vectors of dimensions {} and {} are not in one space",
                                 source_.rows.dimension(), target_.rows.dimension()));
}

}  // namespace wordbridge
