#pragma once
#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "experiments/measurement_records.h"
#include "hub/hub_folder.h"
#include "hub/language_list.h"
#include "wordbridge/word_translation.h"

namespace wordbridge {

// What is known of finished work, as JSON. `key` is a digest of all that went in: with another one, the work is done
// again. parse() gives nothing for a text that is none of its kind.

/// A table of vectors in the format of the hub.
struct TableRecord {
  std::string key;
  std::string path;  // of the file: relative to the folder of the hub, or that of the list where it is a .wbvec
  std::uint64_t bytes = 0;
  std::uint64_t words = 0, dimension = 0;
  std::string checksum;  // content_checksum()
};
std::string to_record(const TableRecord& record);
std::optional<TableRecord> parse_table_record(std::string_view text);

/// A language that is aligned.
struct AlignedRecord {
  std::string key;
  std::string mapping;  // SHA-256 of the file
  std::string method, lexicon;
  std::vector<std::string> warnings;
};
std::string to_record(const AlignedRecord& record);
std::optional<AlignedRecord> parse_aligned_record(std::string_view text);

/// A language that could not be aligned.
struct FailureRecord {
  std::string key;
  std::string reason;
};
std::string to_record(const FailureRecord& record);
std::optional<FailureRecord> parse_failure_record(std::string_view text);

/// How well one language is translated into another.
struct DirectionRecord {
  struct Band {
    std::size_t last = 0;  // rank up to which the words of the band go
    std::size_t words = 0;
    double precision = 0;
  };
  std::string origin;                  // of the lexicon: "given", "reversed", "joined"; empty: there is none
  std::string problem;                 // why it could not be measured; empty: it could
  std::size_t words = 0, covered = 0;  // source words of the lexicon
  double precision[3] = {0, 0, 0};     // P@1, P@5, P@10 over the covered words, in percent
  double selection = -1;               // P@1 on the words by which maps are chosen; negative: there are none
  std::size_t selection_words = 0;
  std::vector<Band> bands = {};
  // Where the candidates are ranked anew:
  double reranked[3] = {-1, -1, -1};  // P@1, P@5, P@10 over the covered words; negative: they are not
  std::string reranker = {};          // "own" weights, or "transferred" from other languages; or why there are none
  std::string mapping = {};           // the file of the mapping with the re-ranker, relative to the folder
  std::string mapping_checksum = {};  // SHA-256 of it
  std::optional<HubnessRecord> hubness = std::nullopt;

  bool measured() const { return !origin.empty() && problem.empty(); }
  bool is_reranked() const { return !mapping.empty(); }
};

/// Two languages, by name, and both directions between them.
struct PairRecord {
  std::string key;
  DirectionRecord forward, backward;
};
std::string to_record(const PairRecord& record);
std::optional<PairRecord> parse_pair_record(std::string_view text);

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
  /// The same where candidates are ranked anew, else by CSLS; negative where they are nowhere.
  double mean_reranked(HubMaps maps) const;
};

/// Of a manifest that has the scores of both.
HubComparison compare_maps(const HubManifest& manifest);

std::string to_json(const HubManifest& manifest);
/// InputError for a text that is no manifest, naming the path.
HubManifest parse_manifest(const std::string& text, const std::string& path);

}  // namespace wordbridge
