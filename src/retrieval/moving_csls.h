#pragma once
#include <cstddef>
#include <span>

#include "retrieval/csls/csls_memory.h"
#include "space/table_search.h"
#include "space/unit_rows.h"
#include "wordbridge/criterion.h"

namespace wordbridge {

/// CSLS for the same words again and again while their side moves, as under the maps of a training, and the other side
/// stands still: its index is made once, and what was near a word under one map is where the search begins under the
/// next (csls/csls_memory.h). The same answers as those of Csls over each pair of tables, bit for bit.
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
