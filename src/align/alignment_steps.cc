#include "align/alignment_steps.h"

#include <fmt/format.h>

#include <algorithm>
#include <cassert>
#include <cmath>
#include <utility>
#include <vector>

#include "wordbridge/error.h"
#include "wordbridge/version.h"

namespace wordbridge {

namespace {

bool is_finite(const Matrix& map) {
  return std::ranges::all_of(map.elements(), [](float value) { return std::isfinite(value); });
}

}  // namespace

Provenance new_provenance(const Aligner& aligner) {
  Provenance provenance;
  provenance.version = version();
  provenance.method = aligner.name();
  provenance.options = aligner.options();
  provenance.criterion = "csls";
  provenance.seed = Context::current().seed();
  return provenance;
}

Lexicon without_weightless(const Lexicon& lexicon) {
  std::vector<Lexicon::Pair> pairs;
  pairs.reserve(lexicon.size());
  for (const Lexicon::Pair& pair : lexicon.pairs()) {
    if (!(pair.weight >= 0) || !std::isfinite(pair.weight))
      throw UsageError(
          fmt::format("a pair of the lexicon has the weight {}: a number from 0 up is wanted", pair.weight));
    if (pair.weight > 0) pairs.push_back(pair);
  }
  if (pairs.size() == lexicon.size()) return lexicon;
  if (pairs.empty()) throw UsageError("every pair of the lexicon has the weight 0");
  return Lexicon(std::move(pairs), lexicon.coverage());
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

Mapping solve_to_mapping(const Aligner& aligner, const AlignmentProblem& problem, Provenance provenance,
                         Normalizer source, Normalizer target, std::size_t zero_pairs) {
  provenance.options["normalization"] = source.name();
  AlignmentResult result = aligner.solve(problem);
  if (!is_finite(result.source_map) || (result.target_map && !is_finite(*result.target_map)))
    throw Error(fmt::format("{} gave a map that is not finite", aligner.name()));
  provenance.metrics = std::move(result.metrics);
  if (zero_pairs > 0) provenance.metrics["zero_pairs"] = static_cast<double>(zero_pairs);
  provenance.report = std::move(result.report);
  Mapping mapping(std::move(result.source_map), std::move(source), std::move(target), std::move(result.target_map));
  mapping.provenance = std::move(provenance);
  return mapping;
}

}  // namespace wordbridge
