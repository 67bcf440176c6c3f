#include "retrieval/rerank/shipped_weights.h"

#include <vector>

#include "retrieval/rerank/translation_model.h"

namespace wordbridge {

std::span<const RerankModel::Feature> shipped_weights() {
  static const std::vector<RerankModel::Feature> kWeights = {
#include "retrieval/rerank/shipped_weights.inc"
  };
  return kWeights;
}

const RerankModel::Translations& shipped_translations() {
  static const RerankModel::Translations kTranslations = {
#include "retrieval/rerank/shipped_translations.inc"
  };
  return kTranslations;
}

}  // namespace wordbridge
