#include "retrieval/rerank/product_features.h"

#include <algorithm>
#include <array>
#include <string_view>
#include <utility>

namespace wordbridge {

namespace {

constexpr std::array<std::pair<std::string_view, std::string_view>, 6> kProducts = {{{"equal", "log rank"},
                                                                                     {"equal", "cosine"},
                                                                                     {"equal", "rank difference"},
                                                                                     {"equal", "length"},
                                                                                     {"edit", "cosine"},
                                                                                     {"edit", "ngrams"}}};

}  // namespace

ProductFeatures::ProductFeatures(const std::vector<std::string>& names) {
  for (const auto& [first, second] : kProducts) {
    const auto a = std::ranges::find(names, first), b = std::ranges::find(names, second);
    if (a == names.end() || b == names.end()) continue;
    names_.push_back(std::string(first) + " x " + std::string(second));
    factors_.push_back({static_cast<std::size_t>(a - names.begin()), static_cast<std::size_t>(b - names.begin())});
  }
}

void ProductFeatures::compute(ConstMatrixViewD factors, MatrixViewD values) const {
  for (std::size_t i = 0; i < factors.rows(); ++i)
    for (std::size_t j = 0; j < factors_.size(); ++j)
      values(i, j) = factors(i, factors_[j].first) * factors(i, factors_[j].second);
}

}  // namespace wordbridge
