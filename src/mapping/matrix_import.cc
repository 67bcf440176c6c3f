#include "mapping/matrix_import.h"

#include <algorithm>
#include <utility>

#include "wordbridge/error.h"
#include "wordbridge/version.h"

namespace wordbridge {

OptionList<MatrixImportOptions> matrix_import_options() {
  using Options = MatrixImportOptions;
  using Header = PlainMatrixLayout::Header;
  OptionList<Options> list;
  list.add("target-matrix", &Options::target_matrix, "The matrix of the target side, where both sides are moved")
      .file();
  list.add(
      "header", [](auto& options) -> auto& { return options.layout.header; },
      std::vector<std::pair<std::string, Header>>{
          {"detect", Header::detect}, {"yes", Header::present}, {"no", Header::absent}},
      "Whether the first line says 'rows columns'; with it the file holds W, without it W^T");
  list.add(
      "transpose", [](auto& options) -> auto& { return options.layout.transpose; },
      "The file holds the other orientation");
  list.add("normalize", &Options::normalization,
           "What the vectors go through before the matrix: steps 'unit' and 'center' joined by commas, or 'none'")
      .value_name("STEPS");
  return list;
}

bool needs_vectors(std::string_view normalization) {
  return std::ranges::count(Normalizer::parse(normalization), Normalizer::Step::center) > 0;
}

MatrixImport::MatrixImport(MatrixImportOptions options)
    : options_(std::move(options)), steps_(Normalizer::parse(options_.normalization)) {
  Matrix w = read_plain_matrix(options_.matrix, options_.layout);
  std::optional<Matrix> v;
  if (!options_.target_matrix.empty()) v = read_plain_matrix(options_.target_matrix, options_.layout);
  mapping_ = Mapping(std::move(w), {}, {}, std::move(v));
}

void MatrixImport::fit(WordVectors vectors, Side side) {
  require_dimension(vectors.dimension(), side, vectors.summary().path);
  (side == Side::source ? source_origin_ : target_origin_) = {vectors.summary().path, vectors.content_checksum(),
                                                              vectors.size(), vectors.dimension()};
  (side == Side::source ? source_ : target_) = Normalizer::fit(steps_, vectors.table());
}

Mapping MatrixImport::finish() && {
  if (needs_vectors(options_.normalization) && (!source_ || !target_))
    throw UsageError("'center' needs the vectors whose means it subtracts, of both sides");
  const auto normalizer = [&](const std::optional<Normalizer>& fitted) {
    return fitted ? *fitted : Normalizer::from_parts(steps_, {});
  };
  Mapping mapping(mapping_.source_map(), normalizer(source_), normalizer(target_), mapping_.target_map());
  Provenance& provenance = mapping.provenance;
  provenance.version = version();
  provenance.method = "import";
  provenance.options = {{"matrix", options_.matrix}, {"normalization", options_.normalization}};
  if (!options_.target_matrix.empty()) provenance.options["target_matrix"] = options_.target_matrix;
  provenance.criterion = options_.criterion;
  provenance.source = std::move(source_origin_);
  provenance.target = std::move(target_origin_);
  return mapping;
}

}  // namespace wordbridge
