#pragma once
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace wordbridge {

// Files that the program keeps for itself, to go on from: what is damaged or gone is made again.

/// The bytes of a file; nothing where there is none, or one that is longer than any that is kept.
std::optional<std::string> read_kept_file(const std::string& path,
                                          std::uintmax_t most_bytes = std::uintmax_t{64} << 20);

/// Whole or not at all. IoError where it cannot be written.
void write_kept_file(const std::string& path, std::string_view bytes);

}  // namespace wordbridge
