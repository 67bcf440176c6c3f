#include "retrieval/gc/ranks.h"

#include <algorithm>
#include <functional>
#include <numeric>
#include <utility>

#include "linalg/blas.h"
#include "linalg/rows.h"
#include "parallel/thread_pool.h"
#include "search/kernels/kernel_choice.h"
#include "search/neighbor_search.h"
#include "search/pruning/refine_candidates.h"
#include "search/rounding.h"
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

namespace {

constexpr std::size_t kTargetsOfBlock = 256;
constexpr std::size_t kSourcesAtOnce = 1024;  // counted before asking whether it is enough

struct Counts {
  std::uint32_t above, not_below;
};

Counts count_nearer(std::span<const float> values, float above, float not_below) {
  Counts counts{};
  for (const float value : values) {
    counts.above += value > above ? 1u : 0u;
    counts.not_below += value >= not_below ? 1u : 0u;
  }
  return counts;
}

}  // namespace

/// Some targets, and the questions about them that are not settled.
class CountedRanks::Block {
 public:
  Block(const CountedRanks& ranks, std::span<const RankQuestion> questions) : ranks_(ranks), questions_(questions) {}

  /// `numbers`: of the questions, by target. Puts the ranks where the questions are.
  void count(std::span<const std::uint32_t> numbers, std::span<std::optional<std::size_t>> result) {
    for (const std::uint32_t number : numbers) {
      const RankQuestion& question = questions_[number];
      const float* target = ranks_.targets_.row(question.target).data();
      const std::size_t d = ranks_.targets_.cols();
      const double slack = fp32_slack(d, norm_above(target, d) * ranks_.largest_norm_);
      open_.push_back(
          {number, 0, 0, float_below(double{question.score} + slack), float_below(double{question.score} - slack)});
    }
    gather();
    Matrix products = Matrix::uninitialized(rows_.rows(), kSourcesAtOnce);
    for (std::size_t begin = 0; begin < ranks_.sources_.rows() && !open_.empty(); begin += kSourcesAtOnce) {
      Context::poll();
      const ConstMatrixView sources =
          ranks_.sources_.slice(begin, std::min(begin + kSourcesAtOnce, ranks_.sources_.rows()));
      const MatrixView some(products.data(), rows_.rows(), sources.rows());
      multiply_abt_into(rows_, sources, some);
      for (Open& open : open_) add_nearer(open, some.row(open.row), sources);
      std::erase_if(open_, [&](const Open& open) { return open.count > questions_[open.number].enough; });
      if (4 * targets_left() < 3 * rows_.rows()) gather();
    }
    for (const Open& open : open_) result[open.number] = open.count;
  }

 private:
  struct Open {
    std::uint32_t number;  // of the question
    std::uint32_t row;
    std::size_t count;
    float surely, perhaps;  // products above, or only not below these, are of nearer words
  };

  std::size_t targets_left() const {
    std::size_t left = 0;
    for (std::size_t i = 0; i < open_.size(); ++i) left += i == 0 || open_[i].row != open_[i - 1].row;
    return left;
  }

  /// The rows of the targets with open questions.
  void gather() {
    std::vector<WordId> targets;
    for (Open& open : open_) {
      const WordId target = questions_[open.number].target;
      if (targets.empty() || targets.back() != target) targets.push_back(target);
      open.row = static_cast<std::uint32_t>(targets.size() - 1);
    }
    rows_ = gather_rows(ranks_.targets_, targets);
  }

  void add_nearer(Open& open, std::span<const float> products, ConstMatrixView sources) const {
    const Counts counts = count_nearer(products, open.surely, open.perhaps);
    open.count += counts.above;
    if (counts.above == counts.not_below) return;
    const RankQuestion& question = questions_[open.number];
    for (std::size_t i = 0; i < products.size(); ++i)
      if (products[i] >= open.perhaps && !(products[i] > open.surely))
        open.count += exact_score(sources.row(i).data(), rows_.row(open.row).data(), rows_.cols()) > question.score;
  }

  const CountedRanks& ranks_;
  std::span<const RankQuestion> questions_;
  std::vector<Open> open_;  // by target
  Matrix rows_;
};

CountedRanks::CountedRanks(const UnitRows& sources, ConstMatrixView targets)
    : nonzero_(sources), sources_(nonzero_.rows()), largest_norm_(sources.largest_norm()), targets_(targets) {}

std::vector<std::optional<std::size_t>> CountedRanks::ranks(std::span<const RankQuestion> questions) const {
  std::vector<std::uint32_t> order(questions.size());
  std::iota(order.begin(), order.end(), 0u);
  std::ranges::sort(order, [&](std::uint32_t a, std::uint32_t b) {
    return questions[a].target < questions[b].target || (questions[a].target == questions[b].target && a < b);
  });
  std::vector<std::size_t> starts;  // of blocks
  std::size_t targets = 0;
  for (std::size_t i = 0; i < order.size(); ++i)
    if (i == 0 || questions[order[i]].target != questions[order[i - 1]].target)
      if (targets++ % kTargetsOfBlock == 0) starts.push_back(i);
  std::vector<std::optional<std::size_t>> result(questions.size());
  ThreadPool::current().for_chunks(starts.size(), 1, [&](std::size_t b, std::size_t, int) {
    const std::size_t end = b + 1 < starts.size() ? starts[b + 1] : order.size();
    Block(*this, questions).count(std::span(order).subspan(starts[b], end - starts[b]), result);
  });
  return result;
}

}  // namespace wordbridge
