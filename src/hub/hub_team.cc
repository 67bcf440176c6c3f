#include "hub/hub_team.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <cerrno>
#include <chrono>
#include <cstdint>
#include <cstring>
#include <filesystem>

#include "wordbridge/error.h"

namespace wordbridge {

namespace {

void append_text(std::string& bytes, const std::string& text) {
  const std::uint64_t size = text.size();
  bytes.append(reinterpret_cast<const char*>(&size), sizeof(size));
  bytes += text;
}

std::string take_text(const std::string& bytes, std::size_t& at) {
  std::uint64_t size = 0;
  std::memcpy(&size, bytes.data() + at, sizeof(size));
  at += sizeof(size) + size;
  return bytes.substr(at - size, size);
}

}  // namespace

HubTeam::HubTeam(const HubFolder& folder, Communicator& communicator) : communicator_(communicator) {
  if (communicator.size() == 1) return;
  // A name of its own: the claims of a run that was killed are no longer worth anything.
  const auto now = std::chrono::system_clock::now().time_since_epoch().count();
  folder_ = communicator.broadcast(fmt::format("{}/claims.{}.{}", folder.work(), ::getpid(), now), 0);
  std::error_code error;
  std::filesystem::create_directories(folder_, error);
  if (error) throw IoError(folder_, "cannot make the folder", error.value());
}

HubTeam::~HubTeam() {
  std::error_code ignored;
  if (is_first() && !folder_.empty()) std::filesystem::remove_all(folder_, ignored);
}

bool HubTeam::claim(const std::string& work) const {
  if (folder_.empty()) return true;
  const std::string path = folder_ + "/" + work;
  const int descriptor = ::open(path.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
  if (descriptor < 0 && errno != EEXIST) throw IoError(path, "cannot write", errno);
  if (descriptor >= 0) ::close(descriptor);
  return descriptor >= 0;
}

std::map<std::string, std::string> HubTeam::share(const std::map<std::string, std::string>& own) const {
  std::string bytes;
  for (const auto& [name, value] : own) {
    append_text(bytes, name);
    append_text(bytes, value);
  }
  std::map<std::string, std::string> all;
  for (const std::string& some : communicator_.all_gather(bytes))
    for (std::size_t at = 0; at < some.size();) {
      std::string name = take_text(some, at);
      all.emplace(std::move(name), take_text(some, at));
    }
  return all;
}

}  // namespace wordbridge
