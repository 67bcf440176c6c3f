#pragma once
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "wordbridge/common_space.h"
#include "wordbridge/mapping.h"
#include "wordbridge/word_vectors.h"

namespace wordbridge {
struct HubManifest;  // hidden
}

namespace [[gnu::visibility("default")]] wordbridge {

/// Many languages in one space: a folder that `wordbridge hub` wrote. Copies share what is known of it; tables and
/// mappings are read when they are asked for.
class Hub {
 public:
  /// InputError where the folder holds no hub, IoError where it cannot be read.
  explicit Hub(std::string folder);

  const std::string& folder() const { return folder_; }
  const std::string& pivot() const;
  /// Those that are aligned, and the pivot, by name.
  std::vector<std::string> languages() const;
  /// Languages that could not be aligned, and why.
  const std::map<std::string, std::string>& failed() const;
  /// P@1 in percent of the words that were asked, by CSLS, with the maps that mapping() gives; nullopt if it was not
  /// measured.
  std::optional<double> precision(const std::string& source, const std::string& target) const;

  /// The same where the candidates are ranked anew, as mapping() carries a re-ranker for these two.
  std::optional<double> reranked_precision(const std::string& source, const std::string& target) const;

  // UsageError for a language that the hub does not have.

  /// The file of a language's vectors, in the hub's format.
  std::string vectors_path(const std::string& language) const;
  WordVectors vectors(const std::string& language) const;
  /// From one language to another, through the pivot; with a re-ranker where the hub has learned one for the two.
  Mapping mapping(const std::string& source, const std::string& target) const;
  /// From a language into the pivot's own space, where all languages can be compared. `distortion`, where wanted, is
  /// how much that changes cosines; 0 but for methods that move the pivot's side, too.
  Mapping mapping(const std::string& language, double* distortion = nullptr) const;
  /// The words of two languages in a space.
  CommonSpace space(const std::string& source, const std::string& target) const;

  /// For the library itself (hub/hub_manifest.h).
  const HubManifest& manifest() const { return *manifest_; }

 private:
  void require(const std::string& language) const;
  Mapping read(const std::string& language) const;

  std::string folder_;
  std::shared_ptr<const HubManifest> manifest_;
};

}  // namespace wordbridge
