#include "wordbridge/neighbors/make_search.h"

#include "wordbridge/neighbors/blas_search.h"

namespace wordbridge {

std::unique_ptr<NeighborSearch> make_search(ConstMatrixView table) { return std::make_unique<BlasSearch>(table); }

}  // namespace wordbridge
