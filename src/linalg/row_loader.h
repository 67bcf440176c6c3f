#pragma once
#include <cstdint>

namespace wordbridge {

/// Brings rows of a table that must not be read before: those of a mapped file are compared with their checksums when
/// they are first wanted, those of smaller numbers become floats. Cheap for rows that are there; for many threads.
class RowLoader {
 public:
  virtual ~RowLoader() = default;
  virtual void bring(std::uint32_t row) const = 0;
  virtual void bring_all() const = 0;
};

}  // namespace wordbridge
