#include "search/warm_start/moving_search.h"

#include "search/int8_search.h"
#include "search/warm_start/warm_start_search.h"

namespace wordbridge {

std::unique_ptr<MovingSearch> make_moving_search(const NeighborSearch& search, std::size_t parts) {
  // Bounds come from the filter; where there is none, products are what the machine does best.
  if (const auto* int8 = dynamic_cast<const Int8Search*>(&search))
    return std::make_unique<WarmStartSearch>(*int8, parts);
  return std::make_unique<RepeatedSearch>(search);
}

}  // namespace wordbridge
