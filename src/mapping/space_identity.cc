#include "mapping/space_identity.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cstring>

#include "base/checksum.h"
#include "wordbridge/error.h"

namespace wordbridge {

namespace {

std::uint64_t first_bytes(const Sha256::Digest& digest) {
  std::uint64_t value = 0;
  std::memcpy(&value, digest.data(), sizeof(value));
  return value == 0 ? 1 : value;
}

/// Of vectors, what is done to them, and where they are moved; without a map, where they stay.
std::uint64_t side_digest(std::uint64_t head, const Normalizer& normalizer, const Matrix* map) {
  Sha256 hash;
  hash.update(&head, sizeof(head));
  hash.update(normalizer.name());
  for (const auto& mean : normalizer.means()) hash.update(mean.data(), mean.size() * sizeof(float));
  if (map != nullptr) hash.update(map->elements().data(), map->elements().size_bytes());
  return first_bytes(hash.finish());
}

}  // namespace

std::uint64_t head_digest(const WordVectors& vectors) {
  const std::size_t rows = std::min(vectors.size(), kHeadRows);
  Sha256 hash;
  for (std::size_t i = 0; i < rows; ++i) {
    const std::string_view word = vectors.vocabulary()[static_cast<WordId>(i)];
    const std::uint64_t bytes = word.size();
    hash.update(&bytes, sizeof(bytes));
    hash.update(word.data(), word.size());
    hash.update(vectors.table().row(i).data(), vectors.dimension() * sizeof(float));
  }
  return first_bytes(hash.finish());
}

std::uint64_t space_identity(const Mapping& mapping) {
  const Provenance& provenance = mapping.provenance;
  if (provenance.target.head == 0) return 0;
  if (!mapping.target_map()) return side_digest(provenance.target.head, mapping.normalizer(Side::target), nullptr);
  if (provenance.source.head == 0) return 0;
  std::uint64_t sides[2] = {
      side_digest(provenance.source.head, mapping.normalizer(Side::source), &mapping.source_map()),
      side_digest(provenance.target.head, mapping.normalizer(Side::target), &*mapping.target_map())};
  std::ranges::sort(sides);  // a mapping and its inverse lead to the same space
  Sha256 hash;
  hash.update(sides, sizeof(sides));
  return first_bytes(hash.finish());
}

std::string space_name(std::uint64_t identity) { return fmt::format("{:016x}", identity); }

std::uint64_t parse_space_name(const std::string& name) {
  std::uint64_t value = 0;
  const auto [end, error] = std::from_chars(name.data(), name.data() + name.size(), value, 16);
  return name.size() == 16 && error == std::errc() && end == name.data() + name.size() ? value : 0;
}

void require_one_space(std::string_view first, std::uint64_t first_space, std::string_view second,
                       std::uint64_t second_space) {
  if (first_space == 0 || second_space == 0 || first_space == second_space) return;
  throw UsageError(fmt::format(
      "{} is in common space {}, {} in {}: mappings to different targets, or that move the target too, lead "
      "to different spaces; map both sides by one mapping, or by two with the same target vectors and "
      "normalization",
      first, space_name(first_space).substr(0, 8), second, space_name(second_space).substr(0, 8)));
}

}  // namespace wordbridge
