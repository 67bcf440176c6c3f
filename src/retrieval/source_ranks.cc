#include "retrieval/source_ranks.h"

#include <algorithm>

#include "linalg/blas.h"
#include "parallel/thread_pool.h"
#include "search/neighbor_search.h"
#include "search/rounding.h"

namespace wordbridge {

namespace {

constexpr std::size_t kSourceBlock = 512;  // sources of one product
constexpr std::size_t kStride = 2048;      // sources counted before asking whether it is enough

std::size_t count_above(std::span<const float> values, float limit) {
  std::uint32_t count = 0;
  for (const float value : values) count += value > limit ? 1u : 0u;
  return count;
}

}  // namespace

SourceRanks::SourceRanks(const UnitRows& sources)
    : nonzero_(sources), sources_(nonzero_.rows()), largest_norm_(sources.largest_norm()) {}

void SourceRanks::prepare(ConstMatrixView targets) {
  targets_ = targets;
  if (products_.rows() != targets.rows()) products_ = Matrix::uninitialized(targets.rows(), sources_.rows());
  slack_.resize(targets.rows());
  for (std::size_t i = 0; i < targets.rows(); ++i)
    slack_[i] = fp32_slack(targets.cols(), norm_above(targets.row(i).data(), targets.cols()) * largest_norm_);
}

void SourceRanks::multiply(std::size_t begin, std::size_t end) {
  const MatrixView block(products_.data() + begin, targets_.rows(), end - begin, sources_.rows());
  multiply_abt_into(targets_, sources_.slice(begin, end), block);
}

void SourceRanks::load(ConstMatrixView targets) {
  prepare(targets);
  ThreadPool::current().for_chunks(sources_.rows(), kSourceBlock,
                                   [&](std::size_t begin, std::size_t end, int) { multiply(begin, end); });
}

void SourceRanks::load_alone(ConstMatrixView targets) {
  prepare(targets);
  for (std::size_t begin = 0; begin < sources_.rows(); begin += kSourceBlock)
    multiply(begin, std::min(begin + kSourceBlock, sources_.rows()));
}

std::optional<std::size_t> SourceRanks::nearer(std::size_t target, float score, std::size_t enough) const {
  const auto products = products_.row(target);
  const float surely = float_below(static_cast<double>(score) + slack_[target]);
  std::size_t count = 0;
  for (std::size_t begin = 0; begin < products.size(); begin += kStride) {
    count += count_above(products.subspan(begin, std::min(kStride, products.size() - begin)), surely);
    if (count > enough) return std::nullopt;
  }
  const float perhaps = float_below(static_cast<double>(score) - slack_[target]);
  for (std::size_t i = 0; i < products.size(); ++i)
    if (products[i] >= perhaps && !(products[i] > surely))
      count += exact_score(sources_.row(i).data(), targets_.row(target).data(), targets_.cols()) > score ? 1 : 0;
  if (count > enough) return std::nullopt;
  return count;
}

}  // namespace wordbridge
