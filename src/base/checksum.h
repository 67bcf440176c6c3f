#pragma once
#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>

namespace wordbridge {

/// SHA-256 of bytes given piece by piece.
class Sha256 {
 public:
  using Digest = std::array<std::uint8_t, 32>;

  Sha256();
  ~Sha256();
  Sha256(const Sha256&) = delete;
  Sha256& operator=(const Sha256&) = delete;

  void update(const void* data, std::size_t bytes);
  void update(std::string_view text) { update(text.data(), text.size()); }
  /// Ends the message; the object is then of no further use.
  Digest finish();

 private:
  struct Context;
  std::unique_ptr<Context> context_;
};

/// Lower-case hexadecimal.
std::string to_hex(std::span<const std::uint8_t> bytes);

/// Fast 64-bit checksum (XXH3) against damage, not against malice.
std::uint64_t xxh3(const void* data, std::size_t bytes);

}  // namespace wordbridge
