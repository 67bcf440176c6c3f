#pragma once
#include <cstddef>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "mapping/rerank_model.h"
#include "retrieval/rerank/shipped_weights.h"
#include "wordbridge/common_space.h"
#include "wordbridge/lexicon.h"

namespace wordbridge {

struct TransferOptions {
  std::string features = "all";  // FeatureChoice
  std::span<const RerankModel::Feature> weights = shipped_weights();
  std::size_t words = 15'000;  // most frequent words of each language among which pairs are looked for
  double surest = 0.5;         // probability from which a pair stays when the first re-ranker has looked at it
};

/// Frequent words that are each other's best by CSLS: what a map knows of translations by itself.
std::vector<RerankModel::Pair> found_by_map(const CommonSpace& space, std::size_t words = TransferOptions().words);

/// A re-ranker for two languages with few known pairs or none: its weights were learned on other languages. What
/// features know of translations they learn from the known pairs and from the space itself: from frequent words that
/// are each other's best by CSLS, and then from those of its own translations that it is sure of. nullptr where these
/// have no cognates (by meaning alone, weights of other languages do no better than CSLS), and where spelling says
/// nothing (objection_to_spelling).
std::shared_ptr<const RerankModel> transfer_reranker(const CommonSpace& space, const Lexicon& known,
                                                     const TransferOptions& options = {});

}  // namespace wordbridge
