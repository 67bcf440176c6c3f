#pragma once
#include <cstddef>
#include <cstdint>
#include <span>

namespace wordbridge {

/// The same words, right or wrong under two maps.
struct PairedOutcomes {
  std::size_t gained = 0;  // right under the second only
  std::size_t lost = 0;    // right under the first only

  /// Both lists have as many words.
  static PairedOutcomes of(std::span<const std::uint8_t> first, std::span<const std::uint8_t> second);
  /// The exact sign test: the probability that of gained + lost words so many or more are gained where gains and losses
  /// are equally likely.
  double p_value() const;
};

/// Wilson's 95% interval of a share of which `right` of `count` were seen; [0, 1] where none was.
struct ShareInterval {
  double low = 0, high = 1;
  static ShareInterval of(std::size_t right, std::size_t count);
};

}  // namespace wordbridge
