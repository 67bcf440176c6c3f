#pragma once
#include <optional>
#include <span>
#include <vector>

namespace wordbridge {

/// Pearson's correlation of two lists of the same length; nothing where it is not defined: for fewer than two pairs, or
/// where all values of a list are the same.
std::optional<double> pearson_correlation(std::span<const double> x, std::span<const double> y);

/// Spearman's: Pearson's of the ranks, where equal values share the mean of their ranks.
std::optional<double> spearman_correlation(std::span<const double> x, std::span<const double> y);

/// Ranks from 1, equal values sharing the mean of theirs.
std::vector<double> shared_ranks(std::span<const double> values);

}  // namespace wordbridge
