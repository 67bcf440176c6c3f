#pragma once
#include <algorithm>
#include <ranges>

#include "wordbridge/matrix.h"

namespace wordbridge {

/// The rows with these numbers, in their order; in double if asked for.
template <class To = float, std::ranges::contiguous_range Numbers>
BasicMatrix<To> gather_rows(ConstMatrixView table, const Numbers& numbers) {
  BasicMatrix<To> rows = BasicMatrix<To>::uninitialized(numbers.size(), table.cols());
  for (std::size_t i = 0; i < numbers.size(); ++i)
    std::copy_n(table.row(numbers[i]).data(), table.cols(), rows.row(i).data());
  return rows;
}
template <std::ranges::contiguous_range Numbers>
MatrixD gather_rows(ConstMatrixViewD table, const Numbers& numbers) {
  MatrixD rows = MatrixD::uninitialized(numbers.size(), table.cols());
  for (std::size_t i = 0; i < numbers.size(); ++i)
    std::copy_n(table.row(numbers[i]).data(), table.cols(), rows.row(i).data());
  return rows;
}

}  // namespace wordbridge
