#pragma once
#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "wordbridge/lexicon.h"
#include "wordbridge/mapping.h"
#include "wordbridge/matrix.h"
#include "wordbridge/word_vectors.h"

namespace [[gnu::visibility("default")]] wordbridge {

/// What an adapter is judged by, on pairs that it has not learned from.
enum class AdaptCriterion {
  own,        // how often the own item comes first
  neighbors,  // how many of the k items that the old index would have returned it returns
  both        // the mean of the two
};

/// A kind of adapter, as a front end must know it to offer it.
struct AdapterKind {
  std::string name;
  std::string summary;  // a few words
  /// Stored vectors are mapped, too, and written anew (nothing is embedded again): only where it is asked for by name.
  bool moves_index = false;
};
/// All kinds, the simplest first.
std::vector<AdapterKind> adapter_kinds();

struct AdaptOptions {
  std::string map = "auto";  // a kind; "auto": the simplest one that none beats beyond chance
  AdaptCriterion criterion = AdaptCriterion::both;
  std::size_t neighbors = 10;    // k
  std::size_t sample = 100'000;  // pairs, and items of the target, that are used at most; 0: all
  int passes = 12;               // of contrastive training over the pairs
  // Where these are not given, they are chosen on pairs held out.
  std::optional<double> temperature = std::nullopt;
  std::optional<double> smoothing = std::nullopt;
  std::optional<double> dropout = std::nullopt;
  std::size_t negatives = 2000;  // targets that a batch is compared with
  double decay = 0;              // keeps the map near its start
  double backward = 0;           // weight of the other direction in the objective
  bool learning_curve = false;   // also learn from halves, quarters, ... of the pairs
};

/// How the kinds of adapter compared.
struct AdaptReport {
  struct Row {
    std::string map;       // its kind
    std::string settings;  // chosen on pairs held out, for people; may be empty
    std::size_t parameters = 0;
    double own = 0, own_low = 0, own_high = 0;  // own item first, in percent, with its 95% interval
    double kept = 0;                            // of the k old neighbors, in percent
    double score = 0;                           // the criterion, in percent
    double worse_p_value = 1;                   // that the best row is ahead of it by chance
    double seconds = 0;
  };
  /// What the chosen kind reaches with so many pairs, on the pairs that kinds are compared on.
  struct CurvePoint {
    std::size_t pairs = 0;
    double own = 0, own_low = 0, own_high = 0;
    double kept = 0;
  };
  std::vector<Row> rows = {};          // the simplest first; one alone where it was asked for by name
  std::vector<CurvePoint> curve = {};  // fewest pairs first; empty where it was not asked for
  std::size_t chosen = 0;
  std::size_t pairs = 0;     // learned from at last, these included:
  std::size_t tuned_on = 0;  // pairs that settings were chosen on
  std::size_t compared_on = 0;
  std::size_t ranked_among = 0;  // items
  std::size_t neighbors = 0;     // k
};

struct Adaptation {
  Mapping mapping;  // into the target's own coordinates: x to W x + b, nothing normalized; or of both sides
  AdaptReport report;
};

/// UsageError for an option out of its range: before vectors are read.
void require_valid(const AdaptOptions& options);

/// Learns how to bring vectors of a new embedding model into the space of an old one, from the vectors of items in
/// both. Pairs are rows of the tables; nothing is normalized, and the target stays as it is, unless a kind is asked for
/// that moves it. UsageError for too few pairs, or invalid options. The seed is that of the current context.
Adaptation adapt(ConstMatrixView source, ConstMatrixView target, std::span<const Lexicon::Pair> pairs,
                 const AdaptOptions& options = {});
/// The same, with the tables' origin in the provenance.
Adaptation adapt(const WordVectors& source, const WordVectors& target, std::span<const Lexicon::Pair> pairs,
                 const AdaptOptions& options = {});

}  // namespace wordbridge
