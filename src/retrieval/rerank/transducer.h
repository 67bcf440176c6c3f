#pragma once
#include <array>
#include <cstddef>
#include <span>
#include <vector>

#include "retrieval/rerank/alphabet.h"

namespace wordbridge {

/// A memoryless transducer: it writes two words at once, unit by unit, each unit being none, one or two symbols of
/// either side (0:1, 1:0, 1:1, 1:2, 2:1, 2:2), drawn with a probability that depends on nothing before. The probability
/// T(x, y) of two words is the sum over all ways to cut them into units.
class Transducer {
 public:
  using Symbols = std::span<const Alphabet::Symbol>;

  /// All probabilities are 0.
  Transducer(std::size_t source_symbols, std::size_t target_symbols);

  /// A side of a unit: none, one or two symbols, as a number.
  class Parts {
   public:
    explicit Parts(std::size_t symbols) : symbols_(symbols) {}
    std::size_t count() const { return 1 + symbols_ + symbols_ * symbols_; }
    static std::size_t none() { return 0; }
    std::size_t one(Alphabet::Symbol a) const { return 1 + a; }
    std::size_t two(Alphabet::Symbol a, Alphabet::Symbol b) const { return 1 + symbols_ + a * symbols_ + b; }
    bool is_long(std::size_t part) const { return part > symbols_; }
    /// Its symbols.
    std::vector<Alphabet::Symbol> symbols_of(std::size_t part) const;

   private:
    std::size_t symbols_;
  };
  const Parts& source() const { return source_; }
  const Parts& target() const { return target_; }

  double operator()(std::size_t source_part, std::size_t target_part) const {
    return table_[source_part * target_.count() + target_part];
  }
  double& operator()(std::size_t source_part, std::size_t target_part) {
    return table_[source_part * target_.count() + target_part];
  }
  /// Row by row: all target parts of a source part.
  std::span<double> elements() { return table_; }
  std::span<const double> elements() const { return table_; }
  /// Whether a unit has two symbols on one side at least.
  bool is_long(std::size_t source_part, std::size_t target_part) const {
    return source_.is_long(source_part) || target_.is_long(target_part);
  }

  /// log T(x, y); minus infinity where it cannot be written.
  double log_probability(Symbols x, Symbols y) const;
  /// The same of several y, bit for bit, some at a time: the sum of one must wait for each of its terms.
  std::vector<double> log_probabilities(Symbols x, std::span<const std::vector<Alphabet::Symbol>> ys) const;
  /// Adds to `counts` how often each unit is expected in the two words, times `weight`. Gives log T(x, y).
  double add_expected_units(Symbols x, Symbols y, double weight, Transducer& counts) const;
  /// Gives the long units of the two words the probability that short ones write them with, as far as they have none.
  void open_long_units(Symbols x, Symbols y);

 private:
  class Grid;
  class Lanes;

  Parts source_, target_;
  std::vector<double> table_;
};

}  // namespace wordbridge
