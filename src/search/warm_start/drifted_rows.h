#pragma once
#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "search/kernels/kernels.h"
#include "search/warm_start/drift_move.h"
#include "wordbridge/matrix.h"

namespace wordbridge {

/// The rows y of a table in the directions P of a drift: z near P y, and w at least |y - Pᵀ z|, one line of the cache a
/// row. <c, z> + |r| w, their product with the coefficients of a DriftMove, is what the move may have added to a score.
///
/// The rows are ordered by their products with a typical move, the largest first, and taken in blocks. The moves of all
/// queries are alike, so for each of them only the first blocks can hold large products, and the others are pruned.
class DriftedRows {
 public:
  /// `ids`: the rows that may be neighbors. `typical`: the mean of the moves' coefficients.
  DriftedRows(ConstMatrixView table, std::span<const std::uint32_t> ids, const DriftTable& measures,
              const DriftDirections& directions, const std::array<float, DriftMove::kWidth>& typical,
              const ScoreKernel& kernel);

  /// Drift products of some rows.
  void products(const DriftMove& move, std::span<const std::uint32_t> ids, std::span<float> result) const;

  /// A row whose drift product reaches a threshold.
  struct Reaching {
    std::uint32_t id;
    float product;
  };
  /// All of them, in a fixed order; nothing where these are more than `most`. `visited` is raised by the number of rows
  /// whose products were computed.
  bool find_reaching(const DriftMove& move, double threshold, std::size_t most, std::vector<Reaching>& result,
                     std::size_t& visited) const;

 private:
  static constexpr std::size_t kBlock = 64;
  /// What bounds the products of a block.
  struct Block {
    float largest_key, smallest_key;  // products with the typical move
    float spread;                     // at least the distance of each row from the mean row
    float spread_from_here;           // the largest in this and all blocks after it
  };
  void project(ConstMatrixView table, const DriftTable& measures, const DriftDirections& directions);
  void order_rows();
  void bound_blocks();

  const ScoreKernel& kernel_;
  std::array<float, DriftMove::kWidth> typical_;
  double typical_norm_;
  double largest_norm_;                  // Y
  std::vector<std::uint32_t> ids_;       // by position
  std::vector<std::uint32_t> position_;  // by id
  std::vector<float> keys_;              // by position
  Matrix rows_;                          // by position, kWidth columns
  std::array<double, DriftMove::kWidth> mean_{};
  std::vector<Block> blocks_;
};

}  // namespace wordbridge
