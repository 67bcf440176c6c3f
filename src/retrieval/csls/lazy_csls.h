#pragma once
#include <cstddef>
#include <optional>
#include <span>
#include <vector>

#include "retrieval/csls/bounds.h"
#include "retrieval/csls/csls_memory.h"
#include "space/neighborhood_means.h"
#include "space/table_search.h"
#include "space/unit_rows.h"
#include "wordbridge/criterion.h"

namespace wordbridge {

/// CSLS ranking without r_s(y) for every target: exact, with the same bits as the full computation.
///
/// The mean of the scores of y to *any* k source words is at most r_s(y), so it gives an upper bound of the CSLS score,
/// and a target whose bound is strictly below the count-th best score known needs no exact r_s. For a batch of queries:
///   1. Source words near each query (near_words()), and the targets nearest to it. Of these the ones with the best
///   fine
///      bounds get their exact r_s, and with it their nearest source words.
///   2. Landmarks: the mean vector of k source words that are nearest to many targets near a query. One matrix product
///      gives coarse lower bounds of r_s for all targets (bounds.h).
///   3. Thresholds: the count-th best score of each query among the targets whose r_s is known.
///   4. A range search over all targets with thresholds and coarse bounds leaves candidates.
///   5. Fine bounds (bounds.h), the mean of the k best of y's scores to source words near the query, prune
///      them, first by few source words and then, once the best of what is left have their exact r_s, by many. What one
///      query learns of a target serves all (share_bounds()).
///   6. What is left gets its exact r_s in growing portions, best upper bound first.
///
/// Where the same queries come again under another map, a memory takes the place of 1 and 2 (csls_memory.h): the
/// targets that were best get their exact r_s, and source words that were near a target bound its r_s.
///
/// Where the tables are sharded, every process bounds its own targets. Source words that bounds need are fetched;
/// thresholds and what is to be learned next are those of all processes.
class LazyCsls {
 public:
  /// `sources` and `targets`: searches over the tables; `means`: r_s of the targets; `memory`: of the last call, and
  /// for the next one, each with the same queries on other source tables, which are whole. All must outlive this.
  LazyCsls(const TableSearch& sources, const TableSearch& targets, NeighborhoodMeans& means, std::size_t k,
           CslsMemory* memory = nullptr)
      : LazyCsls(CslsTable(sources), CslsTable(targets), means, k, memory) {}
  LazyCsls(const CslsTable& sources, const CslsTable& targets, NeighborhoodMeans& means, std::size_t k,
           CslsMemory* memory = nullptr);

  /// nullopt if the bounds turn out to be worth nothing, so that the full computation is less work: where all
  /// targets are alike, or no source word has a vector.
  std::optional<Candidates> best(ConstMatrixView queries, std::size_t count);

 private:
  class Batch;
  void learn(std::vector<WordId> targets);
  std::size_t queries_at_once() const;

  CslsTable sources_, targets_;
  NeighborhoodMeans& means_;
  std::size_t k_;
  MeanBounds bounds_;  // of the own targets, by place
  CslsMemory own_memory_;
  CslsMemory& memory_;
};

/// CSLS for the same words again and again while their side moves, as under the maps of a training, and the other side
/// stands still: its index is made once, and what was near a word under one map is where the search begins under the
/// next (csls_memory.h). The same answers as those of Csls over each pair of tables, bit for bit.
class MovingCsls {
 public:
  /// `words`: the source words that ask; `k`: neighbors.
  MovingCsls(UnitRows targets, std::vector<WordId> words, std::size_t k);

  /// The best targets of the words, for the whole source table where it lies now. Always as many rows.
  Candidates best(const UnitRows& sources, std::size_t count);

 private:
  UnitRows targets_;
  std::vector<WordId> words_;
  std::size_t k_;
  TableSearch target_search_;
  CslsMemory memory_;
};

}  // namespace wordbridge
