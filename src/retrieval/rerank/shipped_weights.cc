#include "retrieval/rerank/shipped_weights.h"

#include <vector>

namespace wordbridge {

std::span<const RerankModel::Feature> shipped_weights() {
  static const std::vector<RerankModel::Feature> kWeights = {
#include "retrieval/rerank/shipped_weights.inc"
  };
  return kWeights;
}

}  // namespace wordbridge
