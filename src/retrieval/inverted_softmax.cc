#include "retrieval/inverted_softmax.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "base/random.h"
#include "linalg/rows.h"
#include "retrieval/shifted_ranking.h"
#include "space/common_space_state.h"
#include "wordbridge/error.h"

namespace wordbridge {

void require_beta(double beta) {
  if (!(beta > 0 && beta <= kMaxBeta))
    throw UsageError(
        fmt::format("beta of the inverted softmax must be above 0 and at most {:.0f}, not {}", kMaxBeta, beta));
}

InvertedSoftmax::InvertedSoftmax(CommonSpace space, const InvertedSoftmaxOptions& options, Side asking)
    : space_(std::move(space)), options_(options), asking_(asking) {
  require_beta(options.beta);
}

std::vector<double> InvertedSoftmax::log_normalizers() const {
  const UnitRows &sources = space_.state().rows(asking_), &targets = space_.state().rows(other(asking_));
  if (options_.sample == 0 || options_.sample >= sources.size())
    return softmax_sums(sources, targets.rows(), options_.beta).logs;
  Random random(options_.seed);
  std::vector<WordId> ids;
  for (const std::size_t id : random.sample(sources.size(), options_.sample)) ids.push_back(static_cast<WordId>(id));
  std::ranges::sort(ids);
  return softmax_sums(UnitRows::take(gather_rows(sources.rows(), ids)), targets.rows(), options_.beta).logs;
}

std::shared_ptr<ShiftedRanking> InvertedSoftmax::ranking() const {
  const std::string name = fmt::format("isf ranking, beta {}, sample {} of seed {}, {} asks", options_.beta,
                                       options_.sample, options_.seed, name_of(asking_));
  return space_.state().shared<ShiftedRanking>(name, [&] {
    return std::make_shared<ShiftedRanking>(space_.state().rows(other(asking_)), options_.beta, log_normalizers());
  });
}

Candidates InvertedSoftmax::best(ConstMatrixView queries, std::size_t count) const {
  require_dimension(queries, space_.table(other(asking_)));
  const std::vector<double> no_shifts(queries.rows());
  return ranking()->best(queries, no_shifts, count);
}

}  // namespace wordbridge
