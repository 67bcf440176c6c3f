#pragma once
#include <string>
#include <string_view>

namespace wordbridge {

/// A new empty folder that goes with its object, for tests that need files.
class TemporaryFolder {
 public:
  TemporaryFolder();
  ~TemporaryFolder();
  TemporaryFolder(const TemporaryFolder&) = delete;
  TemporaryFolder& operator=(const TemporaryFolder&) = delete;

  /// The path of a file in it, which need not exist.
  std::string path(std::string_view name) const;
  /// Creates a file with these bytes; gives back its path.
  std::string write(std::string_view name, std::string_view bytes) const;
  /// The bytes of a file; empty where there is none.
  std::string read(std::string_view name) const;
  bool has(std::string_view name) const;
  /// How many files are in it, temporary ones too.
  std::size_t files() const;

 private:
  std::string folder_;
};

}  // namespace wordbridge
