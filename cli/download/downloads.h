#pragma once
#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "cli/download/published_files.h"
#include "cli/download/transfer.h"
#include "cli/session.h"

namespace wordbridge::cli {

class Arguments;

/// Files that are fetched into a folder, with what is known of them afterwards.
///
/// FOLDER/downloads.json keeps the address, the length and the SHA-256 of each file that was downloaded: what is
/// fetched again must be the same, unless the user says otherwise.
class Downloads {
 public:
  /// Adds --mirror, --allow-http, --allow-file, --retries, --retry-wait, --sources and --accept-changed.
  void declare(Arguments& arguments);
  /// The table that counts: the program's, or that of --sources.
  const PublishedFiles& published();

  /// What became of some files.
  struct Result {
    std::vector<std::string> fetched, present;
    std::vector<PublishedFiles::File> unavailable;  // not to be downloaded; `from` says where they are
  };
  /// Fetches those that are not below the folder yet, compressed or not, one after the other. `only_say`: only tells.
  Result fetch(Session& session, const std::string& folder, const std::vector<std::string>& names, bool only_say);
  /// Compares files that were downloaded before with what was written down: how many were. Error for the first that is
  /// another.
  std::size_t verify(Session& session, const std::string& folder, const std::vector<std::string>& names) const;

 private:
  struct Known {
    std::string url, sha256, unpacked_sha256;  // the last of what was in an archive
    std::uint64_t bytes = 0;
  };
  using Record = std::map<std::string, Known>;
  static Record read_record(const std::string& folder);
  static void write_record(const std::string& folder, const Record& record);
  void fetch_one(Session& session, const std::string& folder, const PublishedFiles::File& file, Record& record) const;

  TransferRules rules_;
  std::string mirror_, sources_;
  bool accept_changed_ = false;
  std::vector<PublishedFiles> published_;  // one, as soon as it was asked for
};

}  // namespace wordbridge::cli
