#pragma once
#include <cstdint>

#include "wordbridge/matrix.h"

namespace wordbridge {

/// Independent normal elements of that standard deviation.
MatrixD random_map(std::size_t rows, std::size_t cols, double scale, std::uint64_t seed);

/// Infinite where the shapes differ or an element is not a number.
double largest_difference(ConstMatrixViewD a, ConstMatrixViewD b);

/// ‖A − B‖ in the Frobenius norm.
double distance(ConstMatrixViewD a, ConstMatrixViewD b);

}  // namespace wordbridge
