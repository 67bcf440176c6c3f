#pragma once
#include <optional>

#include "io/byte_stream.h"
#include "parallel/communicator.h"
#include "wordbridge/formats.h"

namespace wordbridge {

/// All words of a file, and the rows of them that one process holds.
struct VectorShard {
  Vocabulary vocabulary;
  Matrix own;
  ReadSummary summary;  // zero rows are counted among the own ones
};

/// Of a .wbvec file, at its first byte: the words, and only the blocks of rows that hold own ones. Where no word comes
/// twice, these are the own blocks. nullopt if the file is no plain one, and must be read from end to end.
std::optional<VectorShard> read_native_shard(ByteStream& stream, const ReadOptions& options, const RowShards& shards);

}  // namespace wordbridge
