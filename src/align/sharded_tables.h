#pragma once
#include <string>

#include "linalg/sharded_rows.h"

namespace wordbridge {

/// What an aligner has to know of tables that are dealt out to several processes, beside the rows of the lexicon's
/// words, which everybody has: the whole tables, normalized, for searches, and what ties a checkpoint to its inputs.
struct ShardedTables {
  ShardedRows source, target;
  std::string source_checksum, target_checksum;  // checksum_of() the whole tables
  std::string lexicon_checksum;                  // of the pairs by their numbers in the whole tables

  Communicator& communicator() const { return *source.communicator; }
};

}  // namespace wordbridge
