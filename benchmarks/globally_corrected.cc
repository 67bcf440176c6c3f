// Globally corrected retrieval for some words: ranks where they can win, against the nearest source words of every
// target, and counting for the words that are among these of too few.
#include <algorithm>
#include <limits>
#include <string>
#include <vector>

#include "benchmarks/report.h"
#include "benchmarks/search_tables.h"
#include "retrieval/gc/ranks.h"
#include "retrieval/globally_corrected.h"
#include "retrieval/ranked_targets.h"
#include "search/int8_search.h"
#include "space/unit_rows.h"
#include "wordbridge/common_space.h"

using namespace wordbridge;
using namespace wordbridge::benchmarks;

namespace {

constexpr std::size_t kDepth = 50;    // nearest source words of each target
constexpr std::size_t kBlock = 2048;  // targets at once

double score_of(std::size_t rank, float cosine) {
  return (static_cast<double>(cosine) - 1) / 2 - static_cast<double>(rank);
}

std::size_t enough_for(const RankedTargets& list) {
  const double worst = list.threshold();
  return worst == -std::numeric_limits<double>::infinity() ? std::numeric_limits<std::size_t>::max()
                                                           : static_cast<std::size_t>(-worst + 1);
}

/// Asks for the ranks of all queries with the targets [begin, end).
void count(ConstMatrixView queries, ConstMatrixView targets, std::size_t begin, std::size_t end,
           const CountedRanks& ranks, std::span<const std::size_t> open, std::vector<RankedTargets>& lists) {
  std::vector<RankQuestion> questions;
  for (const std::size_t q : open)
    for (std::size_t y = begin; y < end; ++y) {
      const float cosine = exact_score(queries.row(q).data(), targets.row(y).data(), targets.cols());
      questions.push_back({static_cast<WordId>(y), cosine, enough_for(lists[q])});
    }
  const auto counted = ranks.ranks(questions);
  for (std::size_t i = 0; i < counted.size(); ++i)
    if (counted[i])
      lists[open[i / (end - begin)]].offer(score_of(*counted[i], questions[i].score), questions[i].target);
}

std::vector<RankedTargets> by_lists_and_counting(ConstMatrixView queries, const UnitRows& sources,
                                                 ConstMatrixView targets, std::size_t wanted) {
  const Neighbors near = Int8Search(sources.rows()).search(targets, kDepth);
  std::vector<RankedTargets> lists(queries.rows(), RankedTargets(wanted));
  for (std::size_t q = 0; q < queries.rows(); ++q)
    for (std::size_t y = 0; y < targets.rows(); ++y) {
      const auto scores = near.scores_of(y);
      const float cosine = exact_score(queries.row(q).data(), targets.row(y).data(), targets.cols());
      if (cosine < scores.back()) continue;
      const auto rank = std::ranges::partition_point(scores, [&](float score) { return score > cosine; });
      lists[q].offer(score_of(static_cast<std::size_t>(rank - scores.begin()), cosine), static_cast<WordId>(y));
    }
  std::vector<std::size_t> open;
  for (std::size_t q = 0; q < lists.size(); ++q)
    if (lists[q].size() < wanted) {
      open.push_back(q);
      lists[q] = RankedTargets(wanted);
    }
  const CountedRanks ranks(sources, targets);
  for (std::size_t begin = 0; begin < targets.rows(); begin += kBlock)
    count(queries, targets, begin, std::min(begin + kBlock, targets.rows()), ranks, open, lists);
  return lists;
}

}  // namespace

int main(int argc, char** argv) {
  Report report("globally_corrected", "the best targets of some words by the globally corrected criterion", argc, argv);
  const SearchTableOptions options(report, 20'000);
  const std::size_t words = report.option("queries", 1500, "words that are asked for, from all over the table");
  const std::size_t wanted = report.option("count", 10, "targets for each");
  report.check_options();
  const SearchTables tables = search_tables(options, report, 5000);
  const UnitRows source = UnitRows::take(mapped_sources(tables, report)), target = UnitRows::view(tables.target);
  Matrix queries = Matrix::uninitialized(std::min(words, source.size()), source.dimension());
  for (std::size_t i = 0; i < queries.rows(); ++i)
    std::ranges::copy(source[static_cast<WordId>(i * source.size() / queries.rows())], queries.row(i).begin());
  std::vector<RankedTargets> slow;
  Candidates fast;
  const auto times = best_times({[&] { slow = by_lists_and_counting(queries, source, target.rows(), wanted); },
                                 [&] { fast = GloballyCorrected(CommonSpace(source, target)).best(queries, wanted); }},
                                1);
  const Candidates expected = to_candidates(slow, std::min(wanted, target.nonzero()));
  if (expected.targets != fast.targets || expected.scores != fast.scores) report.say("DIFFERENT answers");
  report.add(less_is_better("lists of 50 for every target, and counting, vs ranks where they can win", times[0],
                            times[1], "s", 10));
  return report.finish();
}
