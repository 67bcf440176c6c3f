#pragma once
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "hub/hub_folder.h"
#include "hub/hub_lexicons.h"
#include "hub/hub_manifest.h"
#include "hub/language_list.h"
#include "parallel/communicator.h"
#include "wordbridge/mapping.h"
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

/// The processes that make a hub together, all of which see its folder. Who is free takes the next piece of work, the
/// largest first: a claim is a file that only one of them can make. Results are files, too, or small enough to be told.
class HubTeam {
 public:
  /// All processes make one at the same time.
  HubTeam(const HubFolder& folder, Communicator& communicator);
  ~HubTeam();
  HubTeam(const HubTeam&) = delete;
  HubTeam& operator=(const HubTeam&) = delete;

  bool is_first() const { return communicator_.is_first(); }
  /// True for one process only.
  bool claim(const std::string& work) const;
  void wait_for_all() const { communicator_.wait_for_all(); }
  /// What all processes tell, put together; where two tell the same name, the first counts.
  std::map<std::string, std::string> share(const std::map<std::string, std::string>& own) const;

 private:
  Communicator& communicator_;
  std::string folder_;  // of the claims; empty: there is nobody else
};

/// Lower-case hexadecimal.
std::string sha256_of(const std::string& bytes);

/// UsageError where the hub would write what it is made of.
void refuse_own_inputs(const LanguageList& list, const std::string& folder);

/// What all pieces of the work for one hub share; nothing of it changes while they run.
struct HubWork {
  const HubFolder& folder;
  const LanguageList& list;
  const HubTables& tables;
  const std::map<std::string, std::string>& digests;  // SHA-256 of files, by path
  const std::optional<HubTeam>& team;                 // there while the work goes on
  bool lenient = false;
  std::size_t matrix_words = 0;  // of each table, in measurements; 0: all
  bool rerank = true;            // whether translations are ranked anew

  /// The names of all that a result depends on, and their values; files go in by their checksums.
  using Parts = std::map<std::string, std::string>;
  /// A digest of the parts, the seed and the version.
  static std::string key_of(Parts parts);
  /// Error where the file was not found.
  const std::string& digest(const std::string& path) const;
  /// How a lexicon is read, and the checksums of its files.
  void add(Parts& parts, const std::string& name, const LexiconChoice& lexicon) const;

  /// The record of a language whose mapping is finished and in its place; nullopt if it is to be made.
  std::optional<AlignedRecord> finished(const std::string& language, HubMaps maps, const std::string& key) const;
  /// Writes the mapping, then its record.
  AlignedRecord finish(const std::string& language, HubMaps maps, const std::string& key, const Mapping& mapping) const;
  Mapping mapping(const std::string& language, HubMaps maps) const;

  /// Why a language could not be aligned, for whoever joins the hub.
  void remember_failure(const std::string& language, const std::string& key, const std::string& reason) const;
  std::optional<std::string> failure(const std::string& language, const std::string& key) const;
};

}  // namespace wordbridge
