#pragma once
#include <array>
#include <cstdint>
#include <string>

#include "base/atomic_file.h"
#include "wordbridge/common_space.h"
#include "wordbridge/mapping.h"
#include "wordbridge/prepared_space.h"

namespace wordbridge {

/// prepare_space() of a space that is made already, into a file opened before the work; commits it. `mapping` may be
/// nullptr; `names` are those of the files of vectors, source first. Gives the size of the file.
std::uint64_t write_prepared_space(const CommonSpace& space, const Mapping* mapping,
                                   const std::array<std::string, 2>& names, AtomicFile& file,
                                   const PrepareOptions& options);

}  // namespace wordbridge
