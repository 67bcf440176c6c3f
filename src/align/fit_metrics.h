#pragma once
#include <map>
#include <string>

#include "align/paired_rows.h"

namespace wordbridge {

/// How well W (d_t x d_s) brings the pairs that it was fitted on together, for the provenance: the number of "pairs",
/// "mean_cosine" of W x_i and y_i, and "relative_error" ‖X Wᵀ − Y‖ / ‖Y‖ (Frobenius, by the weights of the pairs).
std::map<std::string, double> fit_metrics(const PairedRows& rows, ConstMatrixView w);

}  // namespace wordbridge
