#include "retrieval/inverted_softmax.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>
#include <numeric>
#include <span>
#include <string_view>
#include <utility>
#include <vector>

#include "base/random.h"
#include "linalg/blas.h"
#include "linalg/rows.h"
#include "parallel/thread_pool.h"
#include "retrieval/shifted_ranking.h"
#include "search/neighbor_search.h"
#include "space/common_space_state.h"
#include "space/nonzero_rows.h"
#include "wordbridge/context.h"
#include "wordbridge/error.h"

namespace wordbridge {

namespace {

constexpr std::size_t kSummedTargets = 128, kSummedSources = 512;

/// e^x for x from -2.9 million to about 0, to two units in the last place; 0 below -87. Without calls, branches or
/// comparisons of floats, so that compilers make vector code of loops over it: a pass over the tables takes as many
/// exponentials as products.
float exponential(float x) {
  constexpr float kRounder = 12582912.0f;  // 1.5 * 2^23: a sum with it has no room for a fraction
  const float rounded = x * 1.44269504f + kRounder;
  const float n = rounded - kRounder;
  const float f = (x - n * 0.693359375f) + n * 2.12194440e-4f;  // x - n log 2, in two parts; |f| <= log 2 / 2
  const float e =
      1 + f * (1 + f * (0.5f + f * (0.16666667f + f * (0.041666668f + f * (0.0083333338f + f * 0.0013888889f)))));
  // The last bits of the sum are those of n. 2^n has the exponent n + 127, which is not above 0 where it underflows.
  const std::int32_t exponent = std::bit_cast<std::int32_t>(rounded) - std::bit_cast<std::int32_t>(kRounder) + 127;
  const std::int32_t normal = -static_cast<std::int32_t>(exponent > 0);
  return e * std::bit_cast<float>((exponent << 23) & normal);
}

constexpr std::size_t kLanes = 8;  // partial sums that compilers keep in vector registers

float largest_of(std::span<const float> values) {
  std::array<float, kLanes> lanes;
  lanes.fill(values[0]);
  std::size_t i = 0;
  for (; i + kLanes <= values.size(); i += kLanes)
    for (std::size_t lane = 0; lane < kLanes; ++lane) lanes[lane] = std::max(lanes[lane], values[i + lane]);
  for (; i < values.size(); ++i) lanes[0] = std::max(lanes[0], values[i]);
  return *std::ranges::max_element(lanes);
}

/// Some hundred terms of [-1, 1]: float is plenty.
float sum_of(std::span<const float> values) {
  std::array<float, kLanes> lanes{};
  std::size_t i = 0;
  for (; i + kLanes <= values.size(); i += kLanes)
    for (std::size_t lane = 0; lane < kLanes; ++lane) lanes[lane] += values[i + lane];
  for (; i < values.size(); ++i) lanes[0] += values[i];
  return std::accumulate(lanes.begin(), lanes.end(), 0.0f);
}

/// The sums of one target, from numbers that come in runs: relative to the largest exponent so far.
struct RunningSums {
  double largest = -std::numeric_limits<double>::infinity();
  double weights = 0, products = 0;

  /// Overwrites the run: it is the only memory at hand that is in the cache.
  void add(std::span<float> run, float beta) {
    const double top = static_cast<double>(beta) * largest_of(run);
    if (top > largest) {
      const double shrink = std::exp(largest - top);  // 0 at first
      weights *= shrink;
      products *= shrink;
      largest = top;
    }
    std::array<float, kSummedSources> weight;  // as many as are in a run
    const auto shift = static_cast<float>(largest);
    for (std::size_t i = 0; i < run.size(); ++i) weight[i] = exponential(beta * run[i] - shift);
    for (std::size_t i = 0; i < run.size(); ++i) run[i] *= weight[i];
    weights += sum_of(std::span(weight).first(run.size()));
    products += sum_of(run);
  }
};

}  // namespace

SoftmaxSums softmax_sums(const UnitRows& unit_sources, ConstMatrixView targets, double beta) {
  Stage stage("normalizers");
  SoftmaxSums sums{std::vector<double>(targets.rows()), std::vector<double>(targets.rows())};
  if (unit_sources.nonzero() == 0) return sums;
  const NonzeroRows nonzero(unit_sources);
  const ConstMatrixView sources = nonzero.rows();
  std::atomic<std::uint64_t> done{0};
  ThreadPool::current().for_chunks(targets.rows(), kSummedTargets, [&](std::size_t begin, std::size_t end, int worker) {
    Matrix products = Matrix::uninitialized(end - begin, kSummedSources);
    std::vector<RunningSums> running(end - begin);
    for (std::size_t first = 0; first < sources.rows(); first += kSummedSources) {
      Context::poll();
      const std::size_t last = std::min(first + kSummedSources, sources.rows());
      const MatrixView block(products.data(), end - begin, last - first, kSummedSources);
      multiply_abt_into(targets.slice(begin, end), sources.slice(first, last), block);
      for (std::size_t i = 0; i < running.size(); ++i) running[i].add(block.row(i), static_cast<float>(beta));
    }
    for (std::size_t i = 0; i < running.size(); ++i) {
      sums.logs[begin + i] = running[i].largest + std::log(running[i].weights);
      sums.means[begin + i] = running[i].products / running[i].weights;
    }
    const std::uint64_t so_far = done += end - begin;
    if (worker == 0) stage.update(so_far, targets.rows());  // the thread that called
  });
  return sums;
}

namespace {

constexpr double kFirstBeta = 30;
constexpr double kPrecision = 1.02;

/// The derivative of the log-likelihood by beta. It falls as beta grows, because log sum exp is convex.
class Slope {
 public:
  Slope(const UnitRows& sources, const UnitRows& targets, const Lexicon& lexicon) : sources_(sources) {
    std::vector<WordId> words;  // only the normalizers of the lexicon's targets matter
    std::size_t pairs = 0;
    for (const Lexicon::Pair& pair : lexicon.pairs()) {
      if (sources.is_zero(pair.source) || targets.is_zero(pair.target)) continue;
      sum_of_cosines_ += exact_score(sources[pair.source].data(), targets[pair.target].data(), sources.dimension());
      words.push_back(pair.target);
      ++pairs;
    }
    if (pairs == 0) throw UsageError("beta is fitted on a lexicon, and none of its pairs is usable");
    std::ranges::sort(words);
    for (auto at = words.begin(); at != words.end();) {
      const auto next = std::ranges::upper_bound(at, words.end(), *at);
      times_.push_back(static_cast<double>(next - at));
      at = next;
    }
    words.erase(std::unique(words.begin(), words.end()), words.end());
    targets_ = gather_rows(targets.rows(), words);
  }

  double operator()(double beta) const {
    const SoftmaxSums sums = softmax_sums(sources_, targets_, beta);
    double slope = sum_of_cosines_;
    for (std::size_t i = 0; i < times_.size(); ++i) slope -= times_[i] * sums.means[i];
    return slope;
  }

 private:
  const UnitRows& sources_;
  double sum_of_cosines_ = 0;  // of the pairs
  Matrix targets_;             // the distinct ones
  std::vector<double> times_;  // in how many pairs each stands
};

}  // namespace

double fit_beta(const CommonSpace& space, const Lexicon& lexicon) {
  const Slope slope(space.state().rows(Side::source), space.state().rows(Side::target), lexicon);
  double low = kFirstBeta, high = kFirstBeta;
  if (slope(kFirstBeta) > 0) {
    do {
      if (high >= kLargestBeta) return kLargestBeta;
      low = high;
      high = std::min(2 * high, kLargestBeta);
    } while (slope(high) > 0);
  } else {
    do {
      if (low <= kLeastBeta) return kLeastBeta;
      high = low;
      low = std::max(low / 2, kLeastBeta);
    } while (slope(low) <= 0);
  }
  while (high / low > kPrecision) {
    const double middle = std::sqrt(low * high);
    (slope(middle) > 0 ? low : high) = middle;
  }
  return std::sqrt(low * high);
}

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
