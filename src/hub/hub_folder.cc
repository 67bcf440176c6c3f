#include "hub/hub_folder.h"

#include <fmt/format.h>

#include <filesystem>

#include "wordbridge/error.h"

namespace wordbridge {

namespace fs = std::filesystem;

std::string name_of(HubMaps maps) { return maps == HubMaps::star ? "star" : "joint"; }

void HubFolder::make() const {
  for (const char* name : {"languages", "joint", "vectors", "pairs", "work"}) {
    std::error_code error;
    fs::create_directories(fs::path(path_) / name, error);
    if (error) throw IoError(path_, "cannot make the folder", error.value());
  }
}

std::string HubFolder::mapping_name(const std::string& language, HubMaps maps) {
  return fmt::format("{}/{}.wbmap", maps == HubMaps::star ? "languages" : "joint", language);
}

std::string HubFolder::pair_mapping_name(const std::string& source, const std::string& target, HubMaps maps) {
  return fmt::format("pairs/{}+{}{}.wbmap", source, target, maps == HubMaps::star ? "" : ".joint");
}

std::string HubFolder::table_name(const std::string& language) { return fmt::format("vectors/{}.wbvec", language); }

std::string HubFolder::resolve(const std::string& name) const { return (fs::path(path_) / name).string(); }

std::string HubFolder::language_record(const std::string& language, HubMaps maps) const {
  return fmt::format("{}/{}.{}.json", work(), language, name_of(maps));
}

std::string HubFolder::failure_record(const std::string& language) const {
  return fmt::format("{}/{}.failed.json", work(), language);
}

std::string HubFolder::table_record(const std::string& language) const {
  return fmt::format("{}/{}.table.json", work(), language);
}

std::string HubFolder::pair_record(const std::string& one, const std::string& other, HubMaps maps) const {
  return fmt::format("{}/{}+{}.{}.json", work(), one, other, name_of(maps));
}

}  // namespace wordbridge
