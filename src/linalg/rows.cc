#include "linalg/rows.h"

#include <cstring>
#include <numeric>
#include <string>
#include <vector>

namespace wordbridge {

Matrix ShardedRows::gather(std::span<const std::uint32_t> numbers) const {
  if (is_whole()) return gather_rows(own, numbers);
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

bool ShardedRows::all(bool mine) const {
  bool result = true;
  for (const auto& one : exchange<std::uint8_t>({static_cast<std::uint8_t>(mine)})) result = result && one.front() != 0;
  return result;
}

FetchedRows::FetchedRows(const ShardedRows& table) : table_(table) {
  if (table.is_whole()) return;
  fetched_ = Matrix(0, table.own.cols());
  places_.assign(table.rows, kAbsent);
}

void FetchedRows::fetch(std::span<const std::vector<std::uint32_t>> lists) {
  if (table_.is_whole()) return;
  std::vector<std::uint32_t> missing;
  const auto before = static_cast<std::uint32_t>(fetched_.rows());
  for (const auto& list : lists)
    for (const std::uint32_t number : list)
      if (places_[number] == kAbsent) {
        places_[number] = before + static_cast<std::uint32_t>(missing.size());
        missing.push_back(number);
      }
  const Matrix rows = table_.gather(missing);
  Matrix together = Matrix::uninitialized(before + rows.rows(), rows.cols());
  std::ranges::copy(fetched_.elements(), together.data());
  std::ranges::copy(rows.elements(), together.data() + fetched_.size());
  fetched_ = std::move(together);
}

std::vector<std::vector<std::uint32_t>> FetchedRows::places(std::vector<std::vector<std::uint32_t>> lists) const {
  if (!table_.is_whole())
    for (auto& list : lists)
      for (std::uint32_t& number : list) number = places_[number];
  return lists;
}

}  // namespace wordbridge
