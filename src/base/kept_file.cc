#include "base/kept_file.h"

#include <filesystem>
#include <fstream>

#include "base/atomic_file.h"

namespace wordbridge {

std::optional<std::string> read_kept_file(const std::string& path, std::uintmax_t most_bytes) {
  namespace fs = std::filesystem;
  std::error_code error;
  if (!fs::is_regular_file(path, error)) return std::nullopt;
  const std::uintmax_t size = fs::file_size(path, error);
  if (error || size > most_bytes) return std::nullopt;
  std::ifstream file(path, std::ios::binary);
  std::string bytes(size, '\0');
  if (!file.read(bytes.data(), static_cast<std::streamsize>(size))) return std::nullopt;
  return bytes;
}

void write_kept_file(const std::string& path, std::string_view bytes) {
  AtomicFile file(path);
  file.write(bytes);
  file.commit();
}

}  // namespace wordbridge
