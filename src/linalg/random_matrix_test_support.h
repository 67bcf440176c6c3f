#pragma once
#include <cstdint>

#include "wordbridge/matrix.h"

namespace wordbridge {

/// Independent standard normal entries.
Matrix random_matrix(std::size_t rows, std::size_t cols, std::uint64_t seed);
/// The same with rows of length 1.
Matrix random_unit_rows(std::size_t rows, std::size_t cols, std::uint64_t seed);
/// Rows orthonormal if rows <= cols, columns otherwise.
Matrix random_orthogonal(std::size_t rows, std::size_t cols, std::uint64_t seed);
/// Largest |a - b| over all entries; infinity where the shapes differ.
double largest_difference(ConstMatrixView a, ConstMatrixView b);

}  // namespace wordbridge
