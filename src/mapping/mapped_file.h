#pragma once
#include <optional>
#include <string>

#include "io/byte_stream.h"
#include "wordbridge/formats.h"
#include "wordbridge/mapping.h"

namespace wordbridge {

/// How a file of vectors is mapped into another.
struct FileMapping {
  Side side = Side::source;
  bool unit = true;  // mapped rows are brought to length 1
  VectorFormat format = VectorFormat::text;
  ReadOptions read = {};
  /// Finished rows stay in FILE.unfinished when the work is stopped, and the next run goes on behind them. For tables
  /// of numbers whose rows have their numbers as ids, into .npy or raw numbers.
  bool resume = false;
};

/// What is to be said of a file that was mapped.
struct MappedFile {
  ReadSummary summary = {};  // of what was read
  std::uint64_t kept_rows = 0;
  std::optional<std::string> warning = {};  // the vectors are not those of the mapping
};

/// Maps a file of any size, a block at a time; the bytes are the same for any number of threads, however often the work
/// was stopped, and for parts that are joined. `stream`, where there is one, is the input, opened at its first byte.
MappedFile write_mapped_file(const Mapping& mapping, const FileMapping& how, const std::string& input,
                             std::unique_ptr<ByteStream> stream, const std::string& output);

}  // namespace wordbridge
