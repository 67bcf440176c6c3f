#pragma once
#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "align/training/training_session.h"
#include "base/option_list.h"
#include "lexicon/word_pairs.h"
#include "optimize/subgradient.h"
#include "wordbridge/matrix.h"

namespace wordbridge {

/// Where the loss looks for neighbors ("Extended Normalization" in the paper).
enum class NeighborPool {
  extended,  // the most frequent words of the whole vocabularies
  train,     // the words of the lexicon
};

/// How the learning rate, the number of epochs and the blend are chosen.
enum class SelectionMode {
  automatic,     // by validation where no learning rate is named; in folds where the lexicon has few words
  none,          // not at all
  validation,    // by CSLS P@1 on a part of the lexicon, or on validation pairs
  unsupervised,  // by how well the most frequent words of both languages find each other
};

/// Which source words of the lexicon are held out to select on.
enum class HeldOutWords {
  rare,    // drawn from the rarer half, like the words that will be translated
  random,  // drawn from all
};

struct SelectionOptions {
  SelectionMode mode = SelectionMode::automatic;
  std::vector<double> learning_rates = {1, 10, 25, 50};
  std::vector<int> epochs = {10, 20};
  /// A share a of the way from the start to where training ended: W = W_start + a (W_end − W_start).
  std::vector<double> blends = {0.25, 0.5, 1};
  double split = 0.1;                                  // share of the source words held out
  HeldOutWords held_out = HeldOutWords::rare;          // which ones
  std::optional<WordPairs> validation = std::nullopt;  // pairs that take the place of a split
  std::size_t frequent_words = 10'000;                 // of each language, for `unsupervised`
};

/// The options of RCSLS; the defaults are the paper's.
struct RcslsOptions {
  std::string constraint = "none";  // "none", "spectral", "orthogonal"
  NeighborPool pool = NeighborPool::extended;
  std::size_t max_negatives = 200'000;                 // words of each language in the extended pool
  std::size_t neighbors = 10;                          // k
  std::string loss = "mean";                           // of the neighbors' scores: "mean", "logsumexp"
  double temperature = 1;                              // of "logsumexp"
  double l2 = 0;                                       // weight decay
  std::optional<double> learning_rate = std::nullopt;  // absent: selected, or 25 (from VecMap's map 2)
  std::optional<int> epochs = std::nullopt;            // absent: selected, or 10 (from VecMap's map 3)
  Schedule schedule = Schedule::monotone;
  std::size_t batch = 0;      // pairs a step, drawn anew each time; 0: all
  std::size_t max_pairs = 0;  // use the first so many pairs; 0: all
  /// Where training starts: "procrustes" (the best rotation for the pairs), "vecmap" (VecMap's map of both sides for
  /// them; the target side is kept), "identity", or the file of a mapping, whose maps are below.
  std::string init = "procrustes";
  std::optional<Matrix> start_map = std::nullopt;   // W (c x d_s), in place of `init`
  std::optional<Matrix> target_map = std::nullopt;  // V (c x d_t), where that start moves the targets too: kept as is
  SelectionOptions selection = {};
  TrainingSessionOptions session = {};
};

constexpr double kDefaultLearningRate = 25;
constexpr int kDefaultEpochs = 10;
// From VecMap's map, which is near to where training leads.
constexpr double kVecmapLearningRate = 2;
constexpr int kVecmapEpochs = 3;

/// Whether a start is one that is made from the pairs, and no file.
bool is_named_start(std::string_view init);

/// UsageError for invalid options, before any work is done.
void check(const RcslsOptions& options);

/// Those that users set by name.
const OptionList<RcslsOptions>& rcsls_options();

/// The options that decide the result, as they go into the provenance and a checkpoint's fingerprint.
std::map<std::string, std::string> describe(const RcslsOptions& options);

}  // namespace wordbridge
