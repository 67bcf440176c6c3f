#pragma once
#include <span>

#include "mapping/rerank_model.h"

namespace wordbridge {

/// Weights, means and deviations that were learned on other languages (tools/average_rerankers), for lexicons too small
/// to learn all from.
std::span<const RerankModel::Feature> shipped_weights();

}  // namespace wordbridge
