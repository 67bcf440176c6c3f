#pragma once
#include <cstdint>
#include <map>
#include <optional>
#include <string>

#include "hub/hub_folder.h"
#include "hub/hub_lexicons.h"
#include "hub/hub_records.h"
#include "hub/hub_tables.h"
#include "hub/hub_team.h"
#include "hub/language_list.h"
#include "wordbridge/mapping.h"

namespace wordbridge {

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

  /// The names of all that a result depends on, and their values; files go in by their checksums.
  using Parts = std::map<std::string, std::string>;
  /// A digest of the parts, the seed and the version.
  static std::string key_of(Parts parts);
  /// Error where the file was not found.
  const std::string& digest(const std::string& path) const;
  /// How a lexicon is read, and the checksums of its files.
  void add(Parts& parts, const std::string& name, const LexiconChoice& lexicon) const;

  /// The record of a language whose mapping is finished and in its place; nothing where it is to be made.
  std::optional<AlignedRecord> finished(const std::string& language, HubMaps maps, const std::string& key) const;
  /// Writes the mapping, then its record.
  AlignedRecord finish(const std::string& language, HubMaps maps, const std::string& key, const Mapping& mapping) const;
  Mapping mapping(const std::string& language, HubMaps maps) const;

  /// Why a language could not be aligned, for whoever joins the hub.
  void remember_failure(const std::string& language, const std::string& key, const std::string& reason) const;
  std::optional<std::string> failure(const std::string& language, const std::string& key) const;
};

}  // namespace wordbridge
