#pragma once
#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "hub/hub_folder.h"
#include "hub/hub_records.h"
#include "hub/language_list.h"

namespace wordbridge {

/// Star and joint maps on the same held-out words of all pairs that have some.
struct HubComparison {
  std::size_t directions = 0;              // pairs of languages, each in one direction
  double star = 0, joint = 0;              // the mean P@1 over them, in percent
  double star_pivot = 0, joint_pivot = 0;  // over those with the pivot alone
  std::size_t pivot_directions = 0;
};

/// What a hub holds, and how good it is: manifest.json, defined in docs/many-languages.md. The same languages, lexicons
/// and settings give the same bytes, whatever the order of the work and the number of threads.
struct HubManifest {
  struct Language {
    std::string name;
    std::string vectors;  // as the list has it
    std::string table;    // the same in the hub's format: relative to the folder of the hub, or absolute
    std::uint64_t words = 0, dimension = 0;
    std::string checksum;  // of the vectors
    // Empty for the pivot:
    std::string mapping;           // the file of the maps that are recommended, relative to the folder
    std::string mapping_checksum;  // SHA-256 of the file
    std::string method, lexicon;
    std::vector<std::string> warnings;
  };
  using Scores = std::map<LanguagePair, DirectionRecord>;

  std::string version;  // of wordbridge
  std::string pivot, normalization;
  std::uint64_t seed = 0, max_words = 0;
  HubMaps recommended = HubMaps::star;
  std::vector<Language> languages;            // by name
  std::map<std::string, std::string> failed;  // languages, and why
  std::map<HubMaps, Scores> scores;
  std::optional<HubComparison> comparison;  // where there are joint maps

  const Language* find(const std::string& name) const;
  /// By the maps that are recommended; nullptr where it was not measured.
  const DirectionRecord* score(const std::string& source, const std::string& target) const;
  /// The mean P@1 over all directions that were measured; negative where none was.
  double mean_precision(HubMaps maps) const;
};

/// Of a manifest that has the scores of both.
HubComparison compare_maps(const HubManifest& manifest);

std::string to_json(const HubManifest& manifest);
/// InputError for a text that is no manifest, naming the path.
HubManifest parse_manifest(const std::string& text, const std::string& path);

}  // namespace wordbridge
