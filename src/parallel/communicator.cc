#include "parallel/communicator.h"

#include <cstdint>
#include <cstring>
#include <map>

#include "wordbridge/error.h"

namespace wordbridge {

namespace {

void append_number(std::string& bytes, std::uint64_t number) {
  bytes.append(reinterpret_cast<const char*>(&number), sizeof(number));
}

std::uint64_t take_number(const char*& at) {
  std::uint64_t number = 0;
  std::memcpy(&number, at, sizeof(number));
  at += sizeof(number);
  return number;
}

}  // namespace

std::vector<double> Communicator::sum_in_order(std::span<const Chunk> own) {
  std::string bytes;
  for (const Chunk& chunk : own) {
    append_number(bytes, chunk.number);
    append_number(bytes, chunk.sums.size());
    bytes.append(reinterpret_cast<const char*>(chunk.sums.data()), chunk.sums.size() * sizeof(double));
  }
  const std::vector<std::string> all = all_gather(bytes);
  std::map<std::uint64_t, std::vector<double>> chunks;
  for (const std::string& some : all)
    for (const char *at = some.data(), *end = at + some.size(); at < end;) {
      const std::uint64_t number = take_number(at);
      std::vector<double> sums(take_number(at));
      std::memcpy(sums.data(), at, sums.size() * sizeof(double));
      at += sums.size() * sizeof(double);
      if (!chunks.emplace(number, std::move(sums)).second) throw UsageError("a chunk was summed up twice");
    }
  std::vector<double> total;
  std::uint64_t expected = 0;
  for (const auto& [number, sums] : chunks) {
    if (number != expected++) throw UsageError("a chunk is missing");
    if (number == 0) total.assign(sums.size(), 0);
    if (sums.size() != total.size()) throw UsageError("chunks differ in size");
    for (std::size_t i = 0; i < total.size(); ++i) total[i] += sums[i];
  }
  return total;
}

}  // namespace wordbridge
