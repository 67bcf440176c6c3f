#include "retrieval/gc/listed_ranks.h"

#include <algorithm>
#include <functional>
#include <utility>

#include "linalg/rows.h"
#include "parallel/thread_pool.h"
#include "search/kernels/kernel_choice.h"
#include "search/pruning/refine_candidates.h"
#include "wordbridge/context.h"

namespace wordbridge {

namespace {

constexpr std::size_t kTargetsAtOnce = 2048;                   // of a range search
constexpr std::size_t kMostFound = std::size_t{1} << 23;       // rows that it may find: 64 MB
constexpr std::size_t kMostRemembered = std::size_t{1} << 24;  // scores: 64 MB
constexpr float kNoneKnown = std::numeric_limits<float>::infinity();

}  // namespace

std::vector<std::optional<std::size_t>> ListedRanks::ranks(std::span<const RankQuestion> questions) {
  learn(questions);
  std::vector<std::optional<std::size_t>> result;
  result.reserve(questions.size());
  for (const RankQuestion& question : questions) {
    const std::vector<float>& scores = nearer_[question.target];
    const auto end = std::ranges::partition_point(scores, [&](float nearer) { return nearer > question.score; });
    const auto rank = static_cast<std::size_t>(end - scores.begin());
    result.push_back(rank > question.enough ? std::nullopt : std::optional(rank));
  }
  return result;
}

ListedRanks::Wanted ListedRanks::unknown_of(std::span<const RankQuestion> questions) const {
  std::vector<RankQuestion> unknown;
  for (const RankQuestion& question : questions)  // what is listed may be enough, though more is nearer
    if (question.score < known_above_[question.target] && nearer_[question.target].size() <= question.enough)
      unknown.push_back(question);
  std::ranges::sort(unknown, [](const RankQuestion& a, const RankQuestion& b) {
    return a.target < b.target || (a.target == b.target && a.score < b.score);
  });
  Wanted wanted;
  for (const RankQuestion& question : unknown)
    if (wanted.targets.empty() || wanted.targets.back() != question.target) {
      wanted.targets.push_back(question.target);
      wanted.scores.push_back(double{std::min(question.score, expected_[question.target])});
    }
  return wanted;
}

void ListedRanks::learn(std::span<const RankQuestion> questions) {
  std::size_t remembered = 0;
  for (const auto& scores : nearer_) remembered += scores.size();
  if (remembered > kMostRemembered) {
    nearer_.assign(nearer_.size(), {});
    std::ranges::fill(known_above_, kNoneKnown);
  }
  const Wanted wanted = unknown_of(questions);
  for (std::size_t begin = 0; begin < wanted.targets.size(); begin += kTargetsAtOnce) {
    const std::size_t count = std::min(kTargetsAtOnce, wanted.targets.size() - begin);
    search(std::span(wanted.targets).subspan(begin, count), std::span(wanted.scores).subspan(begin, count));
  }
}

void ListedRanks::search(std::span<const WordId> targets, std::span<const double> scores) {
  const std::size_t d = targets_.cols();
  const ConstMatrixView table = sources_.table();
  const Matrix rows = gather_rows(targets_, targets);
  const std::optional<RangeSearchResult> found =
      sources_.range_search(rows, scores, {}, std::max(kMostFound, table.rows()));
  if (!found) {  // too many for one search; those of a single target never are
    const std::size_t half = targets.size() / 2;
    search(targets.first(half), scores.first(half));
    search(targets.subspan(half), scores.subspan(half));
    return;
  }
  const ScoreKernel& kernel = *kernels().score;
  ThreadPool::current().for_chunks(targets.size(), 8, [&](std::size_t begin, std::size_t end, int) {
    for (std::size_t i = begin; i < end; ++i) {
      Context::poll();
      const float limit = static_cast<float>(scores[i]);
      const std::span<const ScoredRow> candidates = found->of(i);
      std::vector<float> nearer;
      visit_prefetched(
          candidates.size(), d, [&](std::size_t j) { return table.row(candidates[j].id).data(); },
          [&](std::size_t j) {
            const float score = kernel.exact_score(rows.row(i).data(), table.row(candidates[j].id).data(), d);
            if (score > limit) nearer.push_back(score);
            return true;
          });
      std::ranges::sort(nearer, std::greater<>());
      nearer_[targets[i]] = std::move(nearer);
      known_above_[targets[i]] = limit;
    }
  });
}

}  // namespace wordbridge
