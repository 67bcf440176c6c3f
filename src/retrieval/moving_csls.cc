#include "retrieval/moving_csls.h"

#include <optional>
#include <utility>

#include "linalg/rows.h"
#include "retrieval/csls.h"
#include "retrieval/lazy_csls.h"
#include "space/neighborhood_means.h"
#include "wordbridge/common_space.h"

namespace wordbridge {

namespace {

/// Words that ask for more than one of so many targets want r_s of most of them.
constexpr std::size_t kTargetsOfWord = 8;
/// A word is looked for on both sides, and so are some targets for it.
constexpr std::size_t kQueriesOfWord = 3;

}  // namespace

MovingCsls::MovingCsls(UnitRows targets, std::vector<WordId> words, std::size_t k)
    : targets_(std::move(targets)),
      words_(std::move(words)),
      k_(k),
      target_search_(targets_.rows(), kQueriesOfWord * words_.size()),
      memory_(targets_.size()) {}

Candidates MovingCsls::best(const UnitRows& sources, std::size_t count) {
  const Matrix queries = gather_rows(sources.rows(), words_);
  if (kTargetsOfWord * words_.size() * count <= targets_.size()) {
    const TableSearch source_search(sources.rows(), kQueriesOfWord * words_.size());
    NeighborhoodMeans means(targets_.rows(), source_search, k_);
    LazyCsls lazy(source_search, target_search_, means, k_, &memory_);
    if (std::optional<Candidates> found = lazy.best(queries, count)) return std::move(*found);
  }
  return Csls(CommonSpace(sources, targets_), {.neighbors = k_, .statistics = CslsOptions::Statistics::full})
      .best(queries, count);
}

}  // namespace wordbridge
