#pragma once
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/option_list.h"
#include "mapping/plain_matrix.h"
#include "wordbridge/mapping.h"

namespace wordbridge {

/// A matrix that another program wrote, and what has to be known to use it.
struct MatrixImportOptions {
  std::string matrix = {};         // file of the source side's
  std::string target_matrix = {};  // file of the target side's, where both sides are moved
  PlainMatrixLayout layout = {};
  std::string normalization = "unit";  // what the vectors go through before the matrix
  std::string criterion = "csls";      // the retrieval that goes with it
};

/// All but the matrix and the criterion, by name.
OptionList<MatrixImportOptions> matrix_import_options();

/// A matrix on its way to become a mapping.
class MatrixImport {
 public:
  /// Reads the matrices. UsageError where they do not fit together, or for a normalization that is none.
  explicit MatrixImport(MatrixImportOptions options);

  /// UsageError, naming it, where that side takes vectors of another dimension.
  void require_dimension(std::size_t dimension, Side side, std::string_view name) const {
    mapping_.require_dimension(dimension, side, name);
  }
  /// Takes the means of that side from its vectors, and remembers them as those that the mapping is for.
  void fit(WordVectors vectors, Side side);
  /// UsageError where the normalization centers and a side had no vectors to take the means from. How many words of the
  /// files are usually read (max_words) is the caller's to add.
  Mapping finish() &&;

 private:
  MatrixImportOptions options_;
  std::vector<Normalizer::Step> steps_;
  Mapping mapping_;                            // the matrices alone
  std::optional<Normalizer> source_, target_;  // where they were fitted
  VectorsOrigin source_origin_, target_origin_;
};

/// Whether a chain of normalization steps needs vectors to be fitted on; UsageError where it is none.
bool needs_vectors(std::string_view normalization);

}  // namespace wordbridge
