#include "experiments/data_files.h"

#include <fmt/format.h>
#include <fnmatch.h>
#include <sys/stat.h>

#include <algorithm>
#include <chrono>
#include <filesystem>
#include <set>
#include <utility>

#include "base/json.h"
#include "io/byte_stream.h"
#include "mapping/mapping_format.h"
#include "wordbridge/error.h"
#include "wordbridge/formats.h"

namespace wordbridge {

namespace {

namespace fs = std::filesystem;

/// The names under which a file may be there.
std::vector<std::string> variants(const std::string& name) {
  std::vector<std::string> result = {name};
  for (const char* extension : {".gz", ".zst", ".xz", ".bz2"}) result.push_back(name + extension);
  if (name.ends_with(".vec")) result.push_back(name.substr(0, name.size() - 4) + ".wbvec");
  return result;
}

}  // namespace

DataFiles::DataFiles(const std::string& folder) : folder_(folder) {
  std::error_code error;
  std::vector<std::string> paths;
  std::set<std::pair<dev_t, ino_t>>
      seen;  // links may lead in circles, and two circles to more paths than can be walked
  auto entry = fs::recursive_directory_iterator(
      folder, fs::directory_options::follow_directory_symlink | fs::directory_options::skip_permission_denied, error);
  if (error) throw InputError(folder, 0, "cannot read the folder: " + error.message());
  for (; entry != fs::recursive_directory_iterator(); entry.increment(error)) {
    if (error) throw InputError(folder, 0, "cannot read the folder: " + error.message());
    struct stat status {};
    if (::stat(entry->path().c_str(), &status) != 0) continue;
    if (S_ISREG(status.st_mode)) paths.push_back(entry->path().string());
    if (S_ISDIR(status.st_mode) && !seen.emplace(status.st_dev, status.st_ino).second)
      entry.disable_recursion_pending();
  }
  std::ranges::sort(paths);
  for (const std::string& path : paths) paths_.emplace(fs::path(path).filename().string(), path);
}

std::string DataFiles::find(const std::string& name) const {
  for (const std::string& variant : variants(name)) {
    const auto [begin, end] = paths_.equal_range(fs::path(variant).filename().string());
    for (auto path = begin; path != end; ++path)
      if (variant.find('/') == std::string::npos || path->second.ends_with("/" + variant)) return path->second;
  }
  const std::string from = source_of(name);
  throw MissingFile(fmt::format("{}{}", name, from.empty() ? "" : fmt::format(" ({})", from)));
}

void DataFiles::read_sources(const std::string& path) {
  constexpr std::size_t kMostBytes = std::size_t{16} << 20;
  try {
    const auto json = Json::parse(read_whole(path, kMostBytes, "a list of sources"));
    for (const auto& entry : json) sources_.push_back({entry.value("files", ""), entry.value("from", "")});
    if (json.is_array()) return;
  } catch (const JsonError&) {
  }
  throw InputError(path, 0, "a list of {\"files\", \"from\"} is wanted");
}

std::string DataFiles::source_of(const std::string& name) const {
  for (const Source& source : sources_)
    if (::fnmatch(source.pattern.c_str(), name.c_str(), 0) == 0) return source.from;
  return {};
}

namespace {

constexpr std::size_t kTablesKept = 3;

}  // namespace

std::shared_ptr<const WordVectors> LoadedVectors::vectors(const std::string& path, std::size_t max_words) {
  const std::string name = fmt::format("{} {}", max_words, path);
  if (const auto found = std::ranges::find(tables_, name, &Table::name); found != tables_.end()) {
    tables_.splice(tables_.begin(), tables_, found);
    return tables_.front().vectors;
  }
  if (tables_.size() >= kTablesKept) tables_.pop_back();
  const auto begin = std::chrono::steady_clock::now();
  auto read = std::make_shared<const WordVectors>(read_vectors(path, {.max_words = max_words}));
  observer_.read_vectors(read->summary(),
                         std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count());
  tables_.push_front({name, std::move(read)});
  return tables_.front().vectors;
}

CommonSpace LoadedVectors::space(const Parts& parts) {
  const std::string name = fmt::format("{} {} {} {}", parts.mapping_key, parts.max_words, parts.source, parts.target);
  if (space_ && space_->name == name) return space_->space;
  space_.reset();
  const auto source = vectors(parts.source, parts.max_words), target = vectors(parts.target, parts.max_words);
  if (parts.mapping_key.empty() && source->dimension() != target->dimension())
    throw UsageError(fmt::format("{} and {} do not share a space", parts.source, parts.target));
  space_ = Space{name, parts.mapping_key.empty() ? CommonSpace(*source, *target)
                                                 : CommonSpace(read_mapping(parts.mapping_path), *source, *target)};
  return space_->space;
}

CommonSpace LoadedVectors::space_of_one(const Parts& parts) {
  const auto source = vectors(parts.source, parts.max_words);
  return parts.mapping_key.empty() ? CommonSpace::of_one(*source)
                                   : CommonSpace::of_one(read_mapping(parts.mapping_path), *source, Side::source);
}

}  // namespace wordbridge
