#pragma once
#include "linalg/sharded_rows_test_support.h"
#include "vectors/sharded_vectors.h"

namespace wordbridge {

/// What a process holds of some vectors.
inline ShardedVectors shard(const WordVectors& vectors, Communicator& communicator) {
  return {vectors.vocabulary(), own_rows(vectors.table(), RowShards(communicator)), vectors.summary(), communicator};
}

}  // namespace wordbridge
