#include "hub/hub_folder.h"

#include <fmt/format.h>

#include <cstdint>
#include <filesystem>
#include <fstream>

#include "base/atomic_file.h"
#include "wordbridge/error.h"

namespace wordbridge {

namespace fs = std::filesystem;

std::string name_of(HubMaps maps) { return maps == HubMaps::star ? "star" : "joint"; }

void HubFolder::make() const {
  for (const char* name : {"languages", "joint", "vectors", "work"}) {
    std::error_code error;
    fs::create_directories(fs::path(path_) / name, error);
    if (error) throw IoError(path_, "cannot make the folder", error.value());
  }
}

std::string HubFolder::mapping_name(const std::string& language, HubMaps maps) {
  return fmt::format("{}/{}.wbmap", maps == HubMaps::star ? "languages" : "joint", language);
}

std::string HubFolder::table_name(const std::string& language) { return fmt::format("vectors/{}.wbvec", language); }

std::string HubFolder::resolve(const std::string& name) const { return (fs::path(path_) / name).string(); }

std::string HubFolder::language_record(const std::string& language, HubMaps maps) const {
  return fmt::format("{}/{}.{}.json", work(), language, name_of(maps));
}

std::string HubFolder::table_record(const std::string& language) const {
  return fmt::format("{}/{}.table.json", work(), language);
}

std::string HubFolder::pair_record(const std::string& one, const std::string& other, HubMaps maps) const {
  return fmt::format("{}/{}+{}.{}.json", work(), one, other, name_of(maps));
}

std::optional<std::string> read_record(const std::string& path) {
  constexpr std::uintmax_t kMostBytes = std::uintmax_t{64} << 20;
  std::error_code error;
  if (!fs::is_regular_file(path, error)) return std::nullopt;
  const std::uintmax_t size = fs::file_size(path, error);
  if (error || size > kMostBytes) return std::nullopt;
  std::ifstream file(path, std::ios::binary);
  std::string text(size, '\0');
  if (!file.read(text.data(), static_cast<std::streamsize>(size))) return std::nullopt;
  return text;
}

void write_record(const std::string& path, const std::string& text) {
  AtomicFile file(path);
  file.write(text);
  file.commit();
}

}  // namespace wordbridge
