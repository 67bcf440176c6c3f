#include "retrieval/rerank/transducer.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

namespace wordbridge {

Transducer::Transducer(std::size_t source_symbols, std::size_t target_symbols)
    : source_(source_symbols), target_(target_symbols), table_(source_.count() * target_.count()) {}

std::vector<Alphabet::Symbol> Transducer::Parts::symbols_of(std::size_t part) const {
  using Symbol = Alphabet::Symbol;
  if (part == 0) return {};
  if (part <= symbols_) return {static_cast<Symbol>(part - 1)};
  const std::size_t pair = part - 1 - symbols_;
  return {static_cast<Symbol>(pair / symbols_), static_cast<Symbol>(pair % symbols_)};
}

/// The cells (i, j) of two words: i symbols of x and j of y are written.
class Transducer::Grid {
 public:
  /// `longest`: symbols that a unit may have on a side.
  Grid(const Transducer& transducer, Symbols x, Symbols y, std::size_t longest = 2)
      : transducer_(transducer), x_(x), y_(y), longest_(longest), width_(y.size() + 1) {
    target_parts_[0].assign(width_, Parts::none());
    for (std::size_t j = 0; j < width_; ++j) {
      target_parts_[1].push_back(j >= 1 ? transducer.target_.one(y[j - 1]) : 0);
      target_parts_[2].push_back(j >= 2 ? transducer.target_.two(y[j - 2], y[j - 1]) : 0);
    }
  }

  std::size_t cell(std::size_t i, std::size_t j) const { return i * width_ + j; }
  std::size_t cells() const { return (x_.size() + 1) * width_; }

  /// Calls visit(from cell, to cell, unit) for every unit that ends in a cell, cells in order of writing.
  template <class Visit>
  void for_each_step(const Visit& visit) const {
    for (std::size_t i = 0; i <= x_.size(); ++i)
      for (std::size_t j = 0; j < width_; ++j) visit_steps_to(i, j, visit);
  }
  /// The same in reverse.
  template <class Visit>
  void for_each_step_back(const Visit& visit) const {
    for (std::size_t i = x_.size() + 1; i-- > 0;)
      for (std::size_t j = width_; j-- > 0;) visit_steps_to(i, j, visit);
  }

  std::vector<double> forward() const {
    std::vector<double> sums(cells());
    sums[0] = 1;
    for_each_step(
        [&](std::size_t from, std::size_t to, std::size_t unit) { sums[to] += sums[from] * transducer_.table_[unit]; });
    return sums;
  }
  std::vector<double> backward() const {
    std::vector<double> sums(cells());
    sums.back() = 1;
    for_each_step_back(
        [&](std::size_t from, std::size_t to, std::size_t unit) { sums[from] += sums[to] * transducer_.table_[unit]; });
    return sums;
  }

 private:
  std::size_t source_part(std::size_t i, std::size_t symbols) const {
    return symbols == 0   ? Parts::none()
           : symbols == 1 ? transducer_.source_.one(x_[i - 1])
                          : transducer_.source_.two(x_[i - 2], x_[i - 1]);
  }
  template <class Visit>
  void visit_steps_to(std::size_t i, std::size_t j, const Visit& visit) const {
    const std::size_t columns = transducer_.target_.count();
    for (std::size_t a = 0; a <= std::min(i, longest_); ++a) {
      const std::size_t row = source_part(i, a) * columns;
      for (std::size_t b = 0; b <= std::min(j, longest_); ++b)
        if (a + b != 0 && (a != 0 || b == 1) && (b != 0 || a == 1))
          visit(cell(i - a, j - b), cell(i, j), row + target_parts_[b][j]);
    }
  }

  const Transducer& transducer_;
  Symbols x_, y_;
  std::size_t longest_, width_;
  std::array<std::vector<std::size_t>, 3> target_parts_;  // that end at j, by their length
};

/// The grids of one x and up to four y side by side. Columns of zeros on the left stand for cells and symbols that are
/// not there, and what is beyond the end of a shorter y is never looked at.
class Transducer::Lanes {
 public:
  static constexpr std::size_t kCount = 4;

  Lanes(const Transducer& transducer, std::span<const std::vector<Alphabet::Symbol>> ys)
      : transducer_(transducer), ys_(ys) {
    for (const auto& y : ys) width_ = std::max(width_, y.size() + 1);
    one_.resize(width_);
    two_.resize(width_);
    for (std::size_t lane = 0; lane < ys.size(); ++lane)
      for (std::size_t j = 1; j <= ys[lane].size(); ++j) {
        one_[j][lane] = transducer.target_.one(ys[lane][j - 1]);
        if (j > 1) two_[j][lane] = transducer.target_.two(ys[lane][j - 2], ys[lane][j - 1]);
      }
  }

  /// T(x, y) of each.
  std::array<double, kCount> probabilities(Symbols x) const {
    const std::size_t stride = width_ + kLeft;
    std::vector<Cell> cells(3 * stride);                                            // the rows i, i - 1 and i - 2
    const auto row = [&](std::size_t i) { return cells.data() + i % 3 * stride; };  // column j at j + kLeft
    row(0)[kLeft].fill(1);
    for (std::size_t i = 0; i <= x.size(); ++i) {
      const auto units = [&](std::size_t part) {
        return transducer_.table_.data() + part * transducer_.target_.count();
      };
      const double* none = units(Parts::none());
      const double* one = i >= 1 ? units(transducer_.source_.one(x[i - 1])) : none;
      const double* two = i >= 2 ? units(transducer_.source_.two(x[i - 2], x[i - 1])) : none;
      Cell *now = row(i), *before = row(i + 2), *earlier = row(i + 1);
      for (std::size_t j = i == 0 ? 1 : 0; j < width_; ++j)
        for (std::size_t lane = 0; lane < kCount; ++lane) {
          const std::size_t last = one_[j][lane], last_two = two_[j][lane];
          double sum = now[j + kLeft - 1][lane] * none[last];
          sum += before[j + kLeft][lane] * one[Parts::none()];
          sum += before[j + kLeft - 1][lane] * one[last];
          sum += before[j + kLeft - 2][lane] * one[last_two];
          sum += earlier[j + kLeft - 1][lane] * two[last];
          sum += earlier[j + kLeft - 2][lane] * two[last_two];
          now[j + kLeft][lane] = sum;
        }
    }
    std::array<double, kCount> result = {};
    for (std::size_t lane = 0; lane < ys_.size(); ++lane) result[lane] = row(x.size())[ys_[lane].size() + kLeft][lane];
    return result;
  }

 private:
  using Cell = std::array<double, kCount>;
  static constexpr std::size_t kLeft = 2;

  const Transducer& transducer_;
  std::span<const std::vector<Alphabet::Symbol>> ys_;
  std::size_t width_ = 1;
  std::vector<std::array<std::size_t, kCount>> one_, two_;  // parts of y that end at a column
};

double Transducer::log_probability(Symbols x, Symbols y) const { return std::log(Grid(*this, x, y).forward().back()); }

std::vector<double> Transducer::log_probabilities(Symbols x, std::span<const std::vector<Alphabet::Symbol>> ys) const {
  std::vector<double> logs;
  for (std::size_t begin = 0; begin < ys.size(); begin += Lanes::kCount) {
    const auto some = ys.subspan(begin, std::min(Lanes::kCount, ys.size() - begin));
    const auto probabilities = Lanes(*this, some).probabilities(x);
    for (std::size_t lane = 0; lane < some.size(); ++lane) logs.push_back(std::log(probabilities[lane]));
  }
  return logs;
}

double Transducer::add_expected_units(Symbols x, Symbols y, double weight, Transducer& counts) const {
  const Grid grid(*this, x, y);
  const std::vector<double> forward = grid.forward(), backward = grid.backward();
  const double total = forward.back();
  if (!(total > 0)) return -std::numeric_limits<double>::infinity();
  const double scale = weight / total;
  grid.for_each_step([&](std::size_t from, std::size_t to, std::size_t unit) {
    counts.table_[unit] += scale * forward[from] * table_[unit] * backward[to];
  });
  return std::log(total);
}

void Transducer::open_long_units(Symbols x, Symbols y) {
  const auto open = [&](std::size_t i, std::size_t a, std::size_t j, std::size_t b) {
    if (i + a > x.size() || j + b > y.size()) return;
    const std::size_t from = a == 1 ? source_.one(x[i]) : source_.two(x[i], x[i + 1]);
    const std::size_t to = b == 1 ? target_.one(y[j]) : target_.two(y[j], y[j + 1]);
    double& probability = (*this)(from, to);
    if (probability == 0) probability = Grid(*this, x.subspan(i, a), y.subspan(j, b), 1).forward().back();
  };
  for (std::size_t i = 0; i < x.size(); ++i)
    for (std::size_t j = 0; j < y.size(); ++j) {
      open(i, 2, j, 2);
      open(i, 1, j, 2);
      open(i, 2, j, 1);
    }
}

}  // namespace wordbridge
