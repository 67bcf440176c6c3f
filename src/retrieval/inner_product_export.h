#pragma once
#include <cstddef>

#include "base/atomic_file.h"
#include "wordbridge/common_space.h"

namespace wordbridge {

enum class InnerProductFormat {
  npy,   // NumPy
  faiss  // an IndexFlatIP, for faiss.read_index()
};

/// The target rows as (2 y, −r_s(y)), of one dimension more: their inner products with (q, 1) are CSLS scores but for
/// r_t(q), which is the same for all rows of a query, so any index of inner products ranks as CSLS does. A row without
/// a direction comes last. Does not commit the file.
void write_csls_items(const CommonSpace& space, std::size_t neighbors, InnerProductFormat format, AtomicFile& file);
/// The source rows as (q, 1).
void write_csls_queries(const CommonSpace& space, InnerProductFormat format, AtomicFile& file);

}  // namespace wordbridge
