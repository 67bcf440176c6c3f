#pragma once
#include <string>

namespace wordbridge {

/// Which maps of a hub are meant.
enum class HubMaps {
  star,  // each language learned with the pivot alone
  joint  // all languages learned together
};

/// "star" or "joint".
std::string name_of(HubMaps maps);

/// Where the files of a hub are. `work` holds what is known of finished work, so that a run goes on where one ended; it
/// can be removed when the hub is complete.
class HubFolder {
 public:
  explicit HubFolder(std::string path) : path_(std::move(path)) {}

  /// Makes all folders. IoError if that fails.
  void make() const;

  const std::string& path() const { return path_; }
  std::string manifest() const { return path_ + "/manifest.json"; }
  std::string report() const { return path_ + "/report.html"; }
  std::string work() const { return path_ + "/work"; }
  /// The scripts for Slurm, and what its jobs say.
  std::string slurm() const { return path_ + "/slurm"; }
  /// Relative to the folder, as the manifest has it.
  static std::string mapping_name(const std::string& language, HubMaps maps);
  /// With what ranks the translations of one language into another anew.
  static std::string pair_mapping_name(const std::string& source, const std::string& target, HubMaps maps);
  static std::string table_name(const std::string& language);
  /// A path of the manifest: relative to the folder, unless it is absolute.
  std::string resolve(const std::string& name) const;

  std::string language_record(const std::string& language, HubMaps maps) const;
  std::string failure_record(const std::string& language) const;
  std::string table_record(const std::string& language) const;
  std::string pair_record(const std::string& one, const std::string& other, HubMaps maps) const;

 private:
  std::string path_;
};

}  // namespace wordbridge
