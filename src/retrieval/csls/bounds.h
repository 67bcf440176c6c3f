#pragma once
#include <cstddef>
#include <cstdint>
#include <functional>
#include <limits>
#include <optional>
#include <span>
#include <vector>

#include "search/sharded_search.h"
#include "search/top_k.h"
#include "space/table_search.h"
#include "wordbridge/matrix.h"
#include "wordbridge/vocabulary.h"

namespace wordbridge {

/// Some queries of lazy CSLS, with what all its steps need to know of them.
struct CslsBatch {
  ConstMatrixView queries, sources, targets;
  std::size_t k = 0;                 // source words that r_s is a mean over
  std::vector<double> query_means;   // r_t(q)
  double mean_slack = 0;             // of lower bounds of r_s
  std::vector<double> score_slacks;  // of upper bounds of the scores of each query

  /// An upper bound of the CSLS score of a query for a target, from their fp32 product and a lower bound of r_s.
  double upper_bound(std::size_t query, double product, double lower_mean) const {
    return 2 * product - (query_means[query] + lower_mean) + score_slacks[query];
  }
};

/// What is known of r_s(y) of each target y before it is computed; what one query learns serves all.
struct MeanBounds {
  explicit MeanBounds(std::size_t targets)
      : mean(targets, -std::numeric_limits<float>::infinity()),
        kth_score(targets, -std::numeric_limits<float>::infinity()) {}

  std::vector<float> mean;       // mean[y] <= r_s(y)
  std::vector<float> kth_score;  // k source words score at least this with y: the exact search can start from it
};

/// A target that may be among the best of a query: r_s is at least `mean`, so it scores at most `upper_bound`.
struct OpenTarget {
  double upper_bound, mean;
  float kth_score;  // as in MeanBounds
  WordId id;
};

/// The open targets of each query.
using OpenTargets = std::vector<std::vector<OpenTarget>>;

/// What the bounds of lazy CSLS need to know of the rows of a table.
struct RowNorms {
  double largest = 0;        // at least the largest norm
  std::size_t eligible = 0;  // rows that are not zero
};
RowNorms row_norms(ConstMatrixView table);
/// Of the table of a search, which may know them.
RowNorms row_norms(const TableSearch& search);

/// A side of a space as lazy CSLS sees it: words that are whole or sharded, and the search over them.
struct CslsTable {
  explicit CslsTable(const TableSearch& table) : search(table), norms(row_norms(table)) {}
  CslsTable(const ShardedSearch& table, const RowNorms& row_norms) : search(table), norms(row_norms) {}

  ShardedSearch search;
  RowNorms norms;  // of the rows of all processes

  ShardedRows rows() const { return search.table(); }
  ConstMatrixView own() const { return search.table().own; }
};

/// How far a mean of k products in float may be above r_s(y), the mean of the k largest scores of sources s with y:
/// `largest_source` and `largest_target` bound |s| and |y|, d is their dimension. Infinite where products may overflow.
///
/// Each fp32 product is within fp32_slack(d) of such a score. For a mean vector A of k sources, <A, y> in real numbers
/// is the mean of the real products, each within a rounding u of the float score; A was rounded to float (u |A| |y|,
/// |A| <= max|s|, or denormals); and the fp32 product is within fp32_slack(d): together less than fp32_slack(d + 4).
/// Sums of k doubles lose k 2^-53.
double mean_slack(std::size_t d, std::size_t k, double largest_source, double largest_target);

/// How far 2 <q, y> - (r_t(q) + r_s(y)) may be above what products in float and a few roundings in double make of it,
/// for a query of a norm of at most `query_norm`.
double score_slack(std::size_t d, double query_norm, double largest_source, double largest_target);

/// Fine bounds of some targets for a query: r_s(y) is at least the mean of the k best of y's scores to the given source
/// words, at least k, by a matrix product; the k-th best of these is a lower bound of the k-th best of all.
std::vector<OpenTarget> fine_bounds(const CslsBatch& batch, const MeanBounds& bounds, std::size_t query,
                                    std::span<const WordId> targets, std::span<const WordId> sources);

/// A(q), a landmark for each query q: the mean of the k first source words of its pool. As the mean of the scores of y
/// to any k source words is at most r_s(y), <A(q), y> is a lower bound of it, but for rounding.
Matrix landmarks(ConstMatrixView sources, const std::vector<std::vector<WordId>>& pools, std::size_t k);

/// Coarse lower bounds of r_s for all targets by one matrix product: mean[y] = max(mean[y], max over landmarks a of
/// <a, y> - slack). `best`, one a target: the landmark with the largest product; empty: nobody wants to know.
void raise_by_landmarks(ConstMatrixView landmarks, ConstMatrixView targets, double slack, std::span<float> mean,
                        std::span<std::uint32_t> best = {});

/// The upper bound of a target for a query by the query's own landmark.
OpenTarget bound_by_landmark(const CslsBatch& batch, const MeanBounds& bounds, std::size_t query,
                             std::span<const float> landmark, WordId target);

/// Drops the targets whose upper bounds are below the `threshold`.
void prune_targets(std::vector<OpenTarget>& open, double threshold);

/// Best upper bounds first.
void sort_by_upper_bound(std::vector<OpenTarget>& open);

/// What is known of a target for one query serves all: raises `bounds` to the best of all open targets, and lowers the
/// upper bounds of these accordingly.
void share_bounds(OpenTargets& open, MeanBounds& bounds);

/// The best `count` of all processes, from the best of each: lists of numbers of rows of that table.
std::vector<TopK<double>> merge_lists(std::vector<TopK<double>> own, std::size_t count, const ShardedRows& table);

/// The targets of all processes: their rows, and how many are asked for a query.
struct TargetsAsked {
  ShardedRows rows;
  std::size_t count = 0;
};

/// Refines open targets, which are sorted, by their exact scores: best upper bounds first and in portions that double,
/// because each raises the threshold by which the others are pruned. Ends after `portions`, or when none is left.
/// `learn` computes r_s of some targets, by number; `score` is the exact score of a query for the own target at a
/// place, where r_s is known. Open targets go by place, those of lists by number.
void refine_in_portions(OpenTargets& open, std::vector<TopK<double>>& lists, std::size_t portions,
                        const TargetsAsked& targets, const std::function<void(std::vector<WordId> numbers)>& learn,
                        const std::function<std::optional<double>(std::size_t query, WordId place)>& score);

}  // namespace wordbridge
