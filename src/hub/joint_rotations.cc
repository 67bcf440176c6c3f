#include "hub/joint_rotations.h"

#include <cmath>
#include <optional>
#include <utility>

#include "linalg/blas.h"
#include "linalg/lapack.h"
#include "wordbridge/error.h"

namespace wordbridge {

namespace {

constexpr int kMostRounds = 50;
constexpr double kStill = 1e-7;  // of the sum: less than that is no progress

class RotationSearch {
 public:
  RotationSearch(std::span<const std::size_t> dimensions, std::size_t pivot, std::span<const JointTerm> terms)
      : dimensions_(dimensions), pivot_(pivot), terms_(terms), maps_(dimensions.size()) {
    maps_[pivot] = MatrixD::identity(dimensions[pivot]);
  }

  JointRotations run() {
    start();
    JointRotations result;
    result.sums.push_back(sum());
    for (int round = 0; round < kMostRounds; ++round) {
      for (std::size_t i = 0; i < maps_.size(); ++i)
        if (i != pivot_) maps_[i] = nearest_orthogonal(pull(i));
      result.sums.push_back(sum());
      const double before = result.sums[result.sums.size() - 2];
      if (result.sums.back() - before <= kStill * std::abs(before)) break;
    }
    for (std::optional<MatrixD>& map : maps_) result.maps.push_back(std::move(*map));
    return result;
  }

 private:
  /// What the other languages want of this one's map, those whose maps are known: sum of c W_other C, d x d_i.
  MatrixD pull(std::size_t language) const {
    MatrixD sum(dimensions_[pivot_], dimensions_[language]);
    for (const JointTerm& term : terms_) {
      const bool is_one = term.one == language;
      if (!is_one && term.other != language) continue;
      const std::optional<MatrixD>& map = maps_[is_one ? term.other : term.one];
      if (!map) continue;
      const MatrixD product = is_one ? multiply(*map, term.products) : multiply_abt(*map, term.products);
      for (std::size_t i = 0; i < sum.size(); ++i) sum.data()[i] += term.weight * product.data()[i];
    }
    return sum;
  }

  bool reaches_known(std::size_t language) const {
    for (const JointTerm& term : terms_)
      if ((term.one == language && maps_[term.other]) || (term.other == language && maps_[term.one])) return true;
    return false;
  }

  /// In waves around the pivot: those that have terms with it, then those that have terms with these.
  void start() {
    for (std::size_t known = 1; known < maps_.size();) {
      std::vector<std::pair<std::size_t, MatrixD>> wave;
      for (std::size_t i = 0; i < maps_.size(); ++i)
        if (!maps_[i] && reaches_known(i)) wave.emplace_back(i, nearest_orthogonal(pull(i)));
      if (wave.empty()) throw UsageError("a language has no lexicon that leads to the pivot");
      known += wave.size();
      for (auto& [i, map] : wave) maps_[i] = std::move(map);
    }
  }

  double sum() const {
    double result = 0;
    for (const JointTerm& term : terms_) {
      const MatrixD mapped = multiply(*maps_[term.other], term.products);  // d x d_one
      double trace = 0;
      for (std::size_t i = 0; i < mapped.size(); ++i) trace += mapped.data()[i] * maps_[term.one]->data()[i];
      result += term.weight * trace;
    }
    return result;
  }

  std::span<const std::size_t> dimensions_;
  std::size_t pivot_;
  std::span<const JointTerm> terms_;
  std::vector<std::optional<MatrixD>> maps_;
};

}  // namespace

JointRotations joint_rotations(std::span<const std::size_t> dimensions, std::size_t pivot,
                               std::span<const JointTerm> terms) {
  return RotationSearch(dimensions, pivot, terms).run();
}

}  // namespace wordbridge
