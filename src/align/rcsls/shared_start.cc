#include "align/rcsls/shared_start.h"

#include <algorithm>
#include <cstring>
#include <span>
#include <utility>

namespace wordbridge {

namespace {

/// Where each of the rows stands among others; both ascend.
std::vector<std::uint32_t> places(std::span<const std::uint32_t> rows, std::span<const std::uint32_t> among) {
  std::vector<std::uint32_t> result;
  for (const std::uint32_t row : rows) {
    const auto found = std::ranges::lower_bound(among, row);
    const bool there = found != among.end() && *found == row;
    result.push_back(there ? static_cast<std::uint32_t>(found - among.begin()) : MovingSearch::kNoSlot);
  }
  return result;
}

bool same_bits(ConstMatrixViewD a, const MatrixD& b) {
  if (a.rows() != b.rows() || a.cols() != b.cols()) return false;
  for (std::size_t i = 0; i < a.rows(); ++i)
    if (std::memcmp(a.row(i).data(), b.row(i).data(), a.cols() * sizeof(double)) != 0) return false;
  return true;
}

ObjectiveValue without_searches(ObjectiveValue value) {
  value.saved_scans += std::exchange(value.searched, 0);
  return value;
}

}  // namespace

StartedObjective::StartedObjective(RcslsObjective& objective, const TrainingPairs& words, MovingSearch& target_pool,
                                   MovingSearch& source_pool, SharedStart& start)
    : objective_(objective), words_(words), target_pool_(target_pool), source_pool_(source_pool), start_(start) {}

bool StartedObjective::has_pairs_of_start() const {
  return start_.known && std::ranges::equal(words_.pairs(), start_.pairs) &&
         std::ranges::equal(words_.source_rows(), start_.source_rows) &&
         std::ranges::equal(words_.target_rows(), start_.target_rows);
}

void StartedObjective::take_over(bool moved) {
  target_pool_.take_over(*start_.target_search, places(words_.source_rows(), start_.source_rows), moved);
  source_pool_.take_over(*start_.source_search, places(words_.target_rows(), start_.target_rows), moved);
}

void StartedObjective::keep(ConstMatrixViewD w, const ObjectiveValue& value) {
  start_.pairs.assign(words_.pairs().begin(), words_.pairs().end());
  start_.source_rows.assign(words_.source_rows().begin(), words_.source_rows().end());
  start_.target_rows.assign(words_.target_rows().begin(), words_.target_rows().end());
  start_.w = MatrixD::copy_of(w);
  start_.value = value;
  start_.target_search->take_over(target_pool_, places(start_.source_rows, start_.source_rows), false);
  start_.source_search->take_over(source_pool_, places(start_.target_rows, start_.target_rows), false);
  start_.known = true;
}

ObjectiveValue StartedObjective::evaluate(ConstMatrixViewD w) {
  if (std::exchange(begun_, true)) return evaluate_next(w);
  const bool same = has_pairs_of_start() && same_bits(w, start_.w);
  if (start_.known) take_over(!same);
  if (same) return without_searches(start_.value);
  ObjectiveValue value = objective_.evaluate(w);
  if (!start_.known) keep(w, value);
  return value;
}

ObjectiveValue StartedObjective::evaluate_next(ConstMatrixViewD w) {
  const bool same_pairs = has_pairs_of_start();
  if (same_pairs)
    for (const SharedStart::Evaluation& known : start_.evaluations)
      if (same_bits(w, known.w)) return without_searches(known.value);
  ObjectiveValue value = objective_.evaluate(w);
  if (same_pairs && start_.remembers) {
    if (start_.evaluations.size() == SharedStart::kMostEvaluations) start_.evaluations.pop_front();
    start_.evaluations.push_back({MatrixD::copy_of(w), value});
  }
  return value;
}

}  // namespace wordbridge
