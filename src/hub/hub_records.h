#pragma once
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "experiments/measurement_records.h"
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
  std::optional<HubnessRecord> hubness = std::nullopt;

  bool measured() const { return !origin.empty() && problem.empty(); }
};

/// Two languages, by name, and both directions between them.
struct PairRecord {
  std::string key;
  DirectionRecord forward, backward;
};
std::string to_record(const PairRecord& record);
std::optional<PairRecord> parse_pair_record(std::string_view text);

}  // namespace wordbridge
