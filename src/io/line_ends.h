#pragma once
#include <cstddef>

#include "io/byte_stream.h"

namespace wordbridge {

/// The bytes of a text for whoever takes a newline for the end of a line. Where lines end in carriage returns alone, as
/// on old Macs, each of these comes out as a newline: where the first 64 KiB that have any line end have carriage
/// returns and no newline.
class LineEnds {
 public:
  explicit LineEnds(ByteStream& stream) : stream_(stream) {}

  /// As ByteStream::read().
  std::size_t read(char* buffer, std::size_t bytes);

 private:
  ByteStream& stream_;
  bool known_ = false, returns_ = false;
};

}  // namespace wordbridge
