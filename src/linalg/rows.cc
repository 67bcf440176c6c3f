#include "linalg/rows.h"

#include <cstring>
#include <numeric>
#include <string>
#include <vector>

namespace wordbridge {

Matrix ShardedRows::gather(std::span<const std::uint32_t> numbers) const {
  const RowShards parts = shards();
  const std::size_t bytes = own.cols() * sizeof(float);
  std::string mine;
  for (const std::uint32_t number : numbers)
    if (parts.owns(number)) mine.append(reinterpret_cast<const char*>(own.row(parts.place(number)).data()), bytes);
  const std::vector<std::string> all = communicator->all_gather(mine);
  Matrix result = Matrix::uninitialized(numbers.size(), own.cols());
  std::vector<std::size_t> taken(all.size(), 0);
  for (std::size_t i = 0; i < numbers.size(); ++i) {
    const std::size_t owner = parts.owner(numbers[i]);
    std::memcpy(result.row(i).data(), all[owner].data() + taken[owner], bytes);
    taken[owner] += bytes;
  }
  return result;
}

Matrix ShardedRows::gather_range(std::size_t begin, std::size_t end) const {
  std::vector<std::uint32_t> numbers(end - begin);
  std::iota(numbers.begin(), numbers.end(), static_cast<std::uint32_t>(begin));
  return gather(numbers);
}

}  // namespace wordbridge
