#include "base/temporary_folder_test_support.h"

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <stdexcept>
#include <system_error>

namespace wordbridge {

namespace fs = std::filesystem;

TemporaryFolder::TemporaryFolder() : folder_((fs::temp_directory_path() / "wordbridge-test-XXXXXX").string()) {
  if (::mkdtemp(folder_.data()) == nullptr) throw std::runtime_error("no temporary folder: " + folder_);
}

TemporaryFolder::~TemporaryFolder() {
  std::error_code ignored;
  fs::remove_all(folder_, ignored);
}

std::string TemporaryFolder::path(std::string_view name) const { return folder_ + "/" + std::string(name); }

std::string TemporaryFolder::write(std::string_view name, std::string_view bytes) const {
  std::ofstream file(path(name), std::ios::binary);
  file.write(bytes.data(), static_cast<std::streamsize>(bytes.size()));
  file.close();
  if (!file) throw std::runtime_error("cannot write " + path(name));
  return path(name);
}

std::string TemporaryFolder::read(std::string_view name) const {
  std::ifstream file(path(name), std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

bool TemporaryFolder::has(std::string_view name) const { return fs::exists(path(name)); }

std::size_t TemporaryFolder::files() const {
  return static_cast<std::size_t>(std::distance(fs::directory_iterator(folder_), fs::directory_iterator()));
}

}  // namespace wordbridge
