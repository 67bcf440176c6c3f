#pragma once
#include <cstdint>
#include <vector>

#include "wordbridge/linalg/matrix.h"

namespace wordbridge {

/// An order of the rows of a few coordinates each in which every `group` rows in turn are like each other, and the
/// groups themselves follow each other at random: so the first groups are a sample of all. Halves the rows by the
/// coordinate of largest variance, again and again. The last group may be smaller.
std::vector<std::uint32_t> likeness_order(ConstMatrixView rows, std::size_t group);

}  // namespace wordbridge
