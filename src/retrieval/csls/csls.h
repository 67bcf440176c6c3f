#pragma once
#include <cstddef>
#include <memory>
#include <optional>

#include "wordbridge/common_space.h"
#include "wordbridge/criterion.h"

namespace wordbridge {

class ShardedSpace;

struct CslsOptions {
  /// When to learn r_s(y), the mean similarity of a target to its k nearest source words. The answers are the same, bit
  /// for bit; the time is not.
  enum class Statistics {
    automatic,  // whichever should cost less for the queries of a call
    full,       // for all targets at once, in one pass over both tables
    lazy,       // only for the targets that may be among the best; for few queries
  };

  std::size_t neighbors = 10;  // k
  Statistics statistics = Statistics::automatic;
};

/// "csls": 2 cos(q, y) - r_t(q) - r_s(y), where r_t(q) is the mean cosine of the query to its k nearest targets and
/// r_s(y) that of the target to its k nearest mapped source words (Conneau 2018; equation 2 of the paper). A hub has a
/// large r_s and so loses its advantage. Where a table has fewer than k words, the mean is over what there is.
///
/// The engine of all CSLS: it picks the way that is the least work, over tables that are whole or sharded:
///   few queries       lazily, with r_s of the targets that may win (lazy_csls.h)
///   words of a side   by the lists of nearest words that the pass for r_s left behind (neighbor_list_ranking.h)
///   other vectors     by an index that knows r_s (shifted_ranking.h) or, where the tables are sharded, by a range
///   search
class Csls final : public Criterion {
 public:
  /// `asking`: the side whose words are queries; those of the other one are ranked.
  explicit Csls(CommonSpace space, const CslsOptions& options = {}, Side asking = Side::source);
  /// By all processes together, for the same queries. The space must outlive this.
  explicit Csls(const ShardedSpace& space, const CslsOptions& options = {}, Side asking = Side::source);
  ~Csls() override;

  std::string name() const override { return "csls"; }
  Candidates best(ConstMatrixView queries, std::size_t count) const override;
  /// Without a search for words of the space, where the lists of nearest words are known.
  Candidates best_for(std::span<const AskingWord> words, ConstMatrixView queries, std::size_t count) const override;

  /// For how many targets r_s is known by now: what lazy work has saved.
  std::size_t known_statistics() const;

 private:
  class Tables;
  class RangeRanking;

  bool lazy_is_less_work(std::size_t queries, std::size_t count) const;
  std::optional<Candidates> best_lazily(ConstMatrixView queries, std::size_t count) const;
  Candidates best_fully(ConstMatrixView queries, std::size_t count) const;
  /// Of words of the space, by the lists that the statistics of both sides left behind; nothing where they did not.
  std::optional<Candidates> best_of_lists(std::span<const WordId> words, std::size_t count) const;
  /// Of any vectors, where the space is sharded.
  Candidates rank_in_range(ConstMatrixView queries, std::size_t count) const;

  std::unique_ptr<const Tables> tables_;
  CslsOptions options_;
};

}  // namespace wordbridge
