#pragma once
#include <functional>
#include <string>
#include <vector>

#include "search/kernels/kernel_choice.h"
#include "search/neighbor_search.h"
#include "wordbridge/matrix.h"

namespace wordbridge {

/// How the vectors of a test case are spread.
enum class Spread {
  kGaussian,
  kDecaying,    // one dominant direction, decaying spectrum, as uncentered word vectors have
  kClustered,   // few centers, many rows close to each
  kDuplicated,  // every row several times, some negated
  kNearTies,    // rows that differ from each other in the last bits only
  kSparse,      // most values zero, some whole rows
  kHuge,        // products overflow float
  kTiny,        // products underflow float
  kDenormal,
  kMixedNorms,  // norms over thirty decimal orders
  kIntegers,    // small whole numbers: many exact ties
  kAxes,        // one value a row, the worst case of a scale a row
};
std::vector<Spread> all_spreads();
std::string name_of(Spread spread);

/// Rows of the given spread; the same seed gives the same rows. About one row in eleven is zero where the spread is not
/// kGaussian.
Matrix random_rows(Spread spread, std::size_t rows, std::size_t dimension, std::uint64_t seed);

/// All kernels of this machine; those that know staged tables twice: once more with stages for tables of any size.
std::vector<const Kernels*> tested_kernels();
/// The fastest that filter blocks of rows by themselves.
const Kernels& kernels_with_blocks();

/// Whether work ends by Cancelled in a context that is cancelled by another thread after so many turns of a loop of it;
/// 0: before the work begins.
bool ends_cancelled(const std::function<void()>& work, std::size_t turns);

/// Why `actual` differs from `expected` in a bit, or an empty string.
std::string difference(const Neighbors& expected, const Neighbors& actual);

}  // namespace wordbridge
