#include "base/result_cache.h"

#include <fmt/format.h>

#include <filesystem>
#include <fstream>
#include <vector>

#include "base/atomic_file.h"
#include "base/checksum.h"
#include "base/json.h"
#include "wordbridge/error.h"
#include "wordbridge/version.h"

namespace wordbridge {

namespace fs = std::filesystem;

namespace {
constexpr std::size_t kDigestDigits = 64;
}

ResultCache::ResultCache(std::string folder, bool fresh) : folder_(std::move(folder)), fresh_(fresh) {
  std::error_code error;
  fs::create_directories(folder_, error);
  if (error) throw IoError(folder_, "cannot make the folder", error.value());
}

std::string ResultCache::key_of(const std::map<std::string, std::string>& parts) {
  Sha256 hash;
  hash.update(std::string(version()));
  for (const auto& [name, value] : parts) hash.update(fmt::format("\n{} {} {}", name, value.size(), value));
  return to_hex(hash.finish()).substr(0, 32);
}

std::optional<std::string> ResultCache::find(const std::string& key) const {
  std::optional<std::string> text = has(key, ".json") ? read_kept_file(path_of(key, ".json")) : std::nullopt;
  if (text && !Json::accept(*text)) text.reset();  // damaged: as good as none
  return text;
}

void ResultCache::store(const std::string& key, const std::string& text) {
  write_kept_file(path_of(key, ".json"), text);
  made(key);
}

std::string ResultCache::path_of(const std::string& key, const std::string& extension) const {
  return folder_ + "/" + key + extension;
}

bool ResultCache::has(const std::string& key, const std::string& extension) const {
  return (!fresh_ || made_.contains(key)) && fs::exists(path_of(key, extension));
}

/// A file for each digest, so that processes which work side by side lose nothing of each other's.
std::string ResultCache::digest_path(const std::string& path) const {
  std::error_code error;
  const auto size = fs::file_size(path, error);
  if (error) throw IoError(path, "cannot read", error.value());
  const auto time = fs::last_write_time(path).time_since_epoch().count();
  Sha256 hash;
  hash.update(fmt::format("{} {} {}", fs::absolute(path).string(), size, time));
  return fmt::format("{}/digests/{}", folder_, to_hex(hash.finish()).substr(0, 32));
}

std::optional<std::string> ResultCache::known_digest(const std::string& path) const {
  std::optional<std::string> digest = read_kept_file(digest_path(path), kDigestDigits);
  if (!digest || digest->size() != kDigestDigits || digest->find_first_not_of("0123456789abcdef") != std::string::npos)
    return std::nullopt;
  return digest;
}

std::string ResultCache::digest(const std::string& path) const {
  if (auto known = known_digest(path)) return *known;
  const std::string kept = digest_path(path);
  std::ifstream file(path, std::ios::binary);
  if (!file) throw InputError(path, 0, "cannot read");
  Sha256 hash;
  std::vector<char> buffer(1 << 20);
  while (file.read(buffer.data(), static_cast<std::streamsize>(buffer.size())), file.gcount() > 0)
    hash.update(buffer.data(), static_cast<std::size_t>(file.gcount()));
  std::string digest = to_hex(hash.finish());
  std::error_code error;
  fs::create_directories(folder_ + "/digests", error);
  if (error) throw IoError(folder_, "cannot make the folder", error.value());
  write_kept_file(kept, digest);
  return digest;
}

}  // namespace wordbridge
