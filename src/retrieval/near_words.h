#pragma once
#include <cstddef>
#include <vector>

#include "space/table_search.h"
#include "wordbridge/vocabulary.h"

namespace wordbridge {

/// For each query at least k and at most `count` source words near it, the `first` nearest in front, as far as bounds
/// of their scores tell; fewer than k only where there are no more. Others would do, only that near ones make bounds
/// tight: so a sample of the words tells which score about `count` of them reach.
/// Where more than `most` words reach that score in all, an exact search takes its place.
std::vector<std::vector<WordId>> near_words(const TableSearch& sources, ConstMatrixView queries, std::size_t k,
                                            std::size_t first, std::size_t count, std::size_t most);

}  // namespace wordbridge
