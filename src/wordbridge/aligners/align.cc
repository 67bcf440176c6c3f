#include <fmt/format.h>

#include <algorithm>
#include <cassert>
#include <cmath>
#include <utility>
#include <vector>

#include "wordbridge/aligners/aligner.h"
#include "wordbridge/base/error.h"
#include "wordbridge/base/version.h"
#include "wordbridge/parallel/context.h"

namespace wordbridge {

namespace {

VectorsOrigin origin_of(const WordVectors& vectors) {
  return {vectors.summary().path, vectors.content_checksum(), vectors.size(), vectors.dimension()};
}

Lexicon without_zero_rows(const Lexicon& lexicon, const Matrix& source, const Matrix& target) {
  std::vector<Lexicon::Pair> pairs;
  pairs.reserve(lexicon.size());
  for (const Lexicon::Pair& pair : lexicon.pairs()) {
    assert(pair.source < source.rows() && pair.target < target.rows());
    if (!is_zero(source.row(pair.source)) && !is_zero(target.row(pair.target))) pairs.push_back(pair);
  }
  if (pairs.empty() && !lexicon.empty()) throw UsageError("every pair of the lexicon has a word whose vector is zero");
  return Lexicon(std::move(pairs), lexicon.coverage());
}

bool is_finite(const Matrix& map) {
  return std::ranges::all_of(map.elements(), [](float value) { return std::isfinite(value); });
}

}  // namespace

Mapping align(const Aligner& aligner, WordVectors& source, WordVectors& target, const Lexicon& lexicon,
              std::span<const Normalizer::Step> normalization) {
  Provenance provenance;
  provenance.version = version();
  provenance.method = aligner.name();
  provenance.options = aligner.options();
  provenance.criterion = "csls";
  {
    Stage stage("checksums");
    stage.update(0, 2);
    provenance.source = origin_of(source);
    stage.update(1, 2);
    provenance.target = origin_of(target);
  }
  Normalizer source_normalizer = Normalizer::fit(normalization, source.table());
  Normalizer target_normalizer = Normalizer::fit(normalization, target.table());
  provenance.options["normalization"] = source_normalizer.name();

  const Lexicon usable = without_zero_rows(lexicon, source.table(), target.table());
  AlignmentResult result = aligner.solve({source, target, usable});
  if (!is_finite(result.source_map) || (result.target_map && !is_finite(*result.target_map)))
    throw Error(fmt::format("{} gave a map that is not finite", aligner.name()));
  provenance.lexicon = lexicon.coverage().to_line();
  provenance.metrics = std::move(result.metrics);
  if (usable.size() < lexicon.size())
    provenance.metrics["zero_pairs"] = static_cast<double>(lexicon.size() - usable.size());
  provenance.report = std::move(result.report);
  Mapping mapping(std::move(result.source_map), std::move(source_normalizer), std::move(target_normalizer),
                  std::move(result.target_map));
  mapping.provenance = std::move(provenance);
  return mapping;
}

}  // namespace wordbridge
