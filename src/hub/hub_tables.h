#pragma once
#include <cstdint>
#include <map>
#include <optional>
#include <string>

#include "hub/hub_folder.h"
#include "hub/hub_records.h"
#include "hub/language_list.h"
#include "wordbridge/word_vectors.h"

namespace wordbridge {

/// The tables of the languages: each file is read once, and kept in the hub's own format, which loads by mapping.
/// Languages may be asked for by several threads at once, each language by one of them.
class HubTables {
 public:
  /// `digests` are the checksums of the files, by path. All must outlive this.
  HubTables(const HubFolder& folder, const LanguageList& list, const std::map<std::string, std::string>& digests,
            bool lenient)
      : folder_(folder), list_(list), digests_(digests), lenient_(lenient) {}

  /// The words as the list names them, at most max_words. Reads the file of the list where it was not kept yet, or what
  /// was kept is damaged. InputError and IoError as of any reader.
  WordVectors load(const std::string& language) const;
  /// Only keeps it; nothing to do where it is.
  void keep(const std::string& language) const;

  /// What is known of a table that is kept.
  std::optional<TableRecord> find(const std::string& language) const;
  /// The bytes of its values in memory: known, or by what its file promises; 0 where nobody can tell.
  std::uint64_t bytes(const std::string& language) const;

 private:
  std::string key(const std::string& language) const;
  WordVectors read_and_keep(const std::string& language) const;

  const HubFolder& folder_;
  const LanguageList& list_;
  const std::map<std::string, std::string>& digests_;
  bool lenient_;
};

}  // namespace wordbridge
