#pragma once
#include <cstddef>
#include <string>
#include <vector>

#include "wordbridge/matrix.h"

namespace wordbridge {

/// Products of other features, for what only counts together: an equal string says less of a short or frequent word.
class ProductFeatures {
 public:
  /// Of those products whose two factors are among the names.
  explicit ProductFeatures(const std::vector<std::string>& names);

  /// "equal x cosine", ...
  const std::vector<std::string>& names() const { return names_; }
  /// `factors`: one column for each of the names given; `values`: one for each product.
  void compute(ConstMatrixViewD factors, MatrixViewD values) const;

 private:
  struct Factors {
    std::size_t first, second;  // columns
  };
  std::vector<std::string> names_;
  std::vector<Factors> factors_;
};

}  // namespace wordbridge
