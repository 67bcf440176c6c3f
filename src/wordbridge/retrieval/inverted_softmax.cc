#include "wordbridge/retrieval/inverted_softmax.h"

#include <fmt/format.h>

#include <algorithm>

#include "wordbridge/base/error.h"
#include "wordbridge/base/random.h"
#include "wordbridge/linalg/gather.h"

namespace wordbridge {

void require_beta(double beta) {
  if (!(beta > 0 && beta <= kMaxBeta))
    throw UsageError(
        fmt::format("beta of the inverted softmax must be above 0 and at most {:.0f}, not {}", kMaxBeta, beta));
}

InvertedSoftmax::InvertedSoftmax(ConstMatrixView sources, ConstMatrixView targets,
                                 const InvertedSoftmaxOptions& options)
    : sources_(sources), targets_(targets), options_(options) {
  require_one_space(sources, targets);
  require_beta(options.beta);
}

std::vector<double> InvertedSoftmax::log_normalizers() const {
  if (options_.sample == 0 || options_.sample >= sources_.rows())
    return softmax_sums(sources_, targets_, options_.beta).logs;
  Random random(options_.seed);
  std::vector<WordId> ids;
  for (const std::size_t id : random.sample(sources_.rows(), options_.sample)) ids.push_back(static_cast<WordId>(id));
  std::ranges::sort(ids);
  return softmax_sums(gather_rows(sources_, ids), targets_, options_.beta).logs;
}

Candidates InvertedSoftmax::best(ConstMatrixView queries, std::size_t count) {
  if (!ranking_) ranking_.emplace(targets_, options_.beta, log_normalizers());
  const std::vector<double> no_shifts(queries.rows());
  return ranking_->best(queries, no_shifts, count);
}

}  // namespace wordbridge
