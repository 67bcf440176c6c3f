#include "retrieval/rerank/transducer.h"

#include <algorithm>
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

double Transducer::log_probability(Symbols x, Symbols y) const { return std::log(Grid(*this, x, y).forward().back()); }

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
