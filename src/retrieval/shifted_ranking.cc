#include "retrieval/shifted_ranking.h"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <limits>
#include <numeric>

#include "linalg/rows.h"
#include "parallel/thread_pool.h"
#include "retrieval/ranked_targets.h"
#include "search/neighbor_search.h"
#include "search/rounding.h"
#include "wordbridge/context.h"
#include "wordbridge/error.h"

namespace wordbridge {

namespace {

constexpr std::size_t kQueriesAtOnce = 8192;
constexpr std::size_t kSpare = 6;  // candidates beyond those wanted, at first

}  // namespace

ShiftedRanking::ShiftedRanking(UnitRows table, double scale, std::span<const double> shifts)
    : table_(std::move(table)), scale_(scale), shifts_(shifts.begin(), shifts.end()) {
  assert(shifts_.size() == table_.size());
  const std::size_t d = table_.dimension();
  extended_ = Matrix(table_.size(), d + 1);
  for (WordId i = 0; i < table_.size(); ++i) {
    if (table_.is_zero(i)) continue;  // stays zero: takes no part
    largest_shift_ = std::max(largest_shift_, std::abs(shifts_[i]));
    std::ranges::copy(table_[i], extended_.row(i).begin());
    extended_(i, d) = static_cast<float>(-shifts_[i] / scale_);
  }
  search_ = make_search(extended_);
}

/// Some queries on their way to their lists.
class ShiftedRanking::Batch {
 public:
  Batch(const ShiftedRanking& ranking, ConstMatrixView queries, std::span<const double> query_shifts, std::size_t count)
      : ranking_(ranking), queries_(queries), query_shifts_(query_shifts), count_(count), lists_(queries.rows()) {
    const std::size_t d = queries.cols();
    extended_ = Matrix::uninitialized(queries.rows(), d + 1);
    for (std::size_t i = 0; i < queries.rows(); ++i) {
      std::copy_n(queries.row(i).data(), d, extended_.row(i).data());
      extended_(i, d) = 1;
    }
  }

  std::vector<RankedTargets> run() {
    std::vector<std::uint32_t> open(queries_.rows());
    std::iota(open.begin(), open.end(), 0u);
    for (std::size_t depth = count_ + kSpare; !open.empty(); depth *= 4) {
      const Neighbors neighbors = ranking_.search_->search(gather_rows(extended_, open), depth);
      std::vector<std::uint8_t> done(open.size());
      ThreadPool::current().for_chunks(open.size(), kQueriesOfTask, [&](std::size_t begin, std::size_t end, int) {
        for (std::size_t i = begin; i < end; ++i) {
          lists_[open[i]] = rank(open[i], neighbors.ids_of(i));
          done[i] = neighbors.found == ranking_.table_.nonzero() ||
                    is_certain(open[i], neighbors.scores_of(i).back(), lists_[open[i]].threshold());
        }
      });
      std::size_t kept = 0;
      for (std::size_t i = 0; i < open.size(); ++i)
        if (!done[i]) open[kept++] = open[i];
      open.resize(kept);
    }
    return std::move(lists_);
  }

 private:
  RankedTargets rank(std::size_t query, std::span<const std::uint32_t> ids) const {
    RankedTargets list(count_);
    const float* q = queries_.row(query).data();
    for (const std::uint32_t id : ids) {
      const double cosine = exact_score(q, ranking_.table_[id].data(), queries_.cols());
      list.offer(ranking_.scale_ * cosine - (query_shifts_[query] + ranking_.shifts_[id]), id);
    }
    return list;
  }

  /// Whether nothing beyond the found rows, whose extended score is at most `last`, can reach the worst score of the
  /// list.
  ///
  /// With u the unit roundoff of float, C = |q| max|y| and B = max|b|: the extended score is off from the real
  /// cos - b / scale by u (C + B / scale) for its own rounding and by u B / scale for the rounded shift; the float
  /// cosine of the true score by u C. Times scale this is u (2 scale C + 2 B). All roundings in double together are
  /// below (d + 8) 2^-53 of scale C + B + |a|, which the third u covers for d < 2^27; the last term is for denormals.
  bool is_certain(std::size_t query, float last, double worst) const {
    const double shift = query_shifts_[query];
    const double c = norm_above(queries_.row(query).data(), queries_.cols()) * ranking_.table_.largest_norm();
    const double slack = 3 * kFloatRoundoff * (ranking_.scale_ * c + ranking_.largest_shift_ + std::abs(shift)) +
                         ranking_.scale_ * 0x1.0p-147;
    return ranking_.scale_ * static_cast<double>(last) - shift + slack < worst;
  }

  const ShiftedRanking& ranking_;
  ConstMatrixView queries_;
  std::span<const double> query_shifts_;
  std::size_t count_;
  Matrix extended_;  // [q, 1]
  std::vector<RankedTargets> lists_;
};

Candidates ShiftedRanking::best(ConstMatrixView queries, std::span<const double> query_shifts,
                                std::size_t count) const {
  Stage stage("ranking");
  assert(query_shifts.size() == queries.rows());
  count = std::min(count, table_.nonzero());
  std::vector<RankedTargets> lists;
  lists.reserve(queries.rows());
  if (count == 0) {
    lists.resize(queries.rows());
    return to_candidates(lists, 0);
  }
  for (std::size_t begin = 0; begin < queries.rows(); begin += kQueriesAtOnce) {
    const std::size_t end = std::min(begin + kQueriesAtOnce, queries.rows());
    stage.update(begin, queries.rows());
    Batch batch(*this, queries.slice(begin, end), query_shifts.subspan(begin, end - begin), count);
    for (RankedTargets& list : batch.run()) lists.push_back(std::move(list));
  }
  return to_candidates(lists, count);
}

}  // namespace wordbridge
