#include "mapping/mapping_test_support.h"

#include <algorithm>
#include <initializer_list>
#include <limits>

namespace wordbridge {

namespace {

Matrix filled(std::size_t rows, std::size_t cols, std::initializer_list<float> values) {
  Matrix matrix(rows, cols);
  std::copy(values.begin(), values.end(), matrix.data());
  return matrix;
}

}  // namespace

Mapping full_mapping() {
  using Step = Normalizer::Step;
  Mapping mapping(filled(2, 3, {1, -0.0f, 0.1f, -2.5f, 1e-40f, 3e38f}),
                  Normalizer::from_parts({Step::unit, Step::center, Step::unit}, {{0.25f, -0.5f, 0.125f}}),
                  Normalizer::from_parts({Step::center, Step::center}, {{1, 2, 3, 4}, {-1, -2, -3, -4}}),
                  filled(2, 4, {1, 2, 3, 4, 5, 6, 7, 8}));
  Provenance& provenance = mapping.provenance;
  provenance.version = "0.1.0";
  provenance.method = "rcsls";
  provenance.options = {{"epochs", "10"}, {"normalization", "unit,center,unit"}};
  provenance.seed = std::numeric_limits<std::uint64_t>::max();
  provenance.max_words = 200000;
  provenance.criterion = "csls";
  provenance.source = {"wiki.\xC3\xB1.vec", std::string(64, 'a'), 5, 3};
  provenance.target = {"wiki \"es\".vec", std::string(64, 'b'), 6, 4};
  provenance.lexicon = "train.txt: 4 of 5 source words";
  provenance.metrics = {{"loss", -0.1}, {"odd", std::numeric_limits<double>::infinity()}, {"third", 1.0 / 3}};
  provenance.report.other = R"({"iterations":[{"loss":-0.25,"accepted":true}],"a first":null})";
  return mapping;
}

Mapping small_mapping() { return Mapping(filled(2, 2, {0, 1, 1, 0}), {}, {}); }

}  // namespace wordbridge
