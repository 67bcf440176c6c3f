#pragma once
#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "search/neighbor_search.h"
#include "wordbridge/common_space.h"
#include "wordbridge/matrix.h"

namespace wordbridge::studio {

/// Where words stand on a map: two numbers a word.
struct Layout {
  std::string kind;                    // "pca", "umap"
  std::size_t source = 0, target = 0;  // the first so many words of each side
  /// x and y of the source words, of the target words, and of the source words before they were mapped.
  std::vector<float> positions;
  float kept = 0;  // share of the 15 nearest words of a word that are among its 15 nearest on the map; of some words

  /// docs/file-formats.md, "Maps of the studio": a header of 24 bytes, then the positions as they are in memory.
  std::string to_bytes() const;
  /// Throws InputError for what is not that.
  static Layout parse(std::string_view bytes, const std::string& kind);
};

/// Unit rows [begin, end) of the source side as they were before they were mapped; empty: they are not known, and words
/// stand before where they stand after.
using RowsBefore = std::function<Matrix(std::size_t begin, std::size_t end)>;

/// The plane of the largest variance of both sides together, from a sample of rows. Source words before they were
/// mapped are brought to the dimension of the space by zeros, and looked at from the same side.
Layout pca_layout(const CommonSpace& space, const RowsBefore& before, std::size_t source, std::size_t target);

struct UmapOptions {
  std::size_t neighbors = 15;
  std::size_t epochs = 200;
  std::size_t negatives = 5;  // words that push for each one that pulls
  std::uint64_t seed = 1;
};

inline constexpr std::size_t kMostUmapWords = 100'000;

/// A neighbor embedding: the cross entropy of UMAP (McInnes 2018) over the exact nearest words among those of both
/// sides, min_dist 0.1. Within an epoch a word moves by its own pulls and pushes, one after the other, against all
/// others where they stood at its beginning, so the result is the same for any number of threads. It begins from
/// `start`, the plane of the same words. Source words before they were mapped stand where the target words are that
/// were near them then.
Layout umap_layout(const CommonSpace& space, const RowsBefore& before, const Layout& start,
                   const UmapOptions& options = {});

/// The rows of the first words of both sides, one below the other.
Matrix joint_rows(const CommonSpace& space, std::size_t source, std::size_t target);
/// The k nearest rows of each row but itself.
Neighbors nearest_others(ConstMatrixView rows, std::size_t k);
/// Of every `step`-th row: the mean share of its nearest rows that are among as many nearest by position.
double neighbors_kept(const Neighbors& nearest, std::span<const float> positions, std::size_t step);

}  // namespace wordbridge::studio
