#pragma once
#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace [[gnu::visibility("default")]] wordbridge {

/// A step of a training.
struct TrainingStep {
  int epoch = 0;
  double loss = 0;
  double step = 0;      // the learning rate; 0 where only the start was evaluated
  std::string outcome;  // "accepted", "rolled back", "diverged"
  double norm = 0;      // Frobenius norm of the W that came out; NaN where it was not finite
};

/// The settings that were tried on words held out.
struct SelectionReport {
  struct Row {
    double learning_rate = 0;  // 0: no training at all, the start itself
    int epochs = 0;
    double blend = 0;             // W_start + blend (W_end − W_start)
    std::optional<double> score;  // absent where training diverged
  };
  std::string score;      // what was measured, for people
  std::vector<Row> rows;  // the start first
  std::size_t chosen = 0;
  std::size_t words = 0;  // that precision was measured on; 0 where something else was
};

/// The tries of a method that learns without a lexicon.
struct RestartReport {
  struct Try {
    int restart = 0;       // from 1
    double score = 0;      // the criterion of its map
    double refined = 0;    // the criterion after a few rounds of refinement, by which tries are compared
    double agreement = 0;  // how much of one half of the pairs the other half predicts, there
    double evidence = 0;   // how far that is above chance
    std::optional<double> validation = std::nullopt;  // P@1 of the map in percent, where pairs were given
  };
  std::string criterion;   // its name, for people
  double chance = 0;       // the agreement that a random rotation reaches
  std::vector<Try> tries;  // one at least
  std::size_t chosen = 0;
};

/// A round in which pairs that were found under the maps so far become a lexicon, or join one: of refinement and of
/// self-learning.
struct RefinementRound {
  std::size_t pairs = 0;       // that were found
  std::size_t kept = 0;        // of them, in the lexicon of the fit before
  double mean_similarity = 0;  // their mean cosine before the fit
};

/// What words that were held out say of a re-ranker.
struct RerankReport {
  std::size_t words = 0;             // held out; 0: too few to learn from
  double csls = 0, reranked = 0;     // P@1 on these in percent, each in the map that it was held out of
  std::size_t gained = 0, lost = 0;  // words that only the re-ranker, only CSLS has right
  bool stored = false;               // whether the mapping carries it
  /// Pairs that were found by the map, where weights come from other languages instead of held-out words; else 0.
  std::size_t transferred = 0;
  std::string without_spelling = {};  // why neither spelling nor frequency took part; empty: as asked for
  /// (Nearly) every held-out word has one translation in the lexicon, so it does not show what second ones look like:
  /// what p_translation goes by comes from other languages.
  bool one_translation = false;
  /// Pairs of equal strings beside other translations of the word, where these are 5% of all or more: they look
  /// untranslated.
  std::size_t untranslated = 0;
};

/// Self-learning.
struct SelfLearningReport {
  std::size_t identical = 0;  // words alike in both languages that took part in the first fit
  std::vector<RefinementRound> rounds = {};
};

/// The kinds of map that were tried on words held out.
struct ChoiceReport {
  struct Row {
    std::string map;         // its name
    double score = 0;        // P@1 by CSLS on the held-out words, in percent
    std::size_t gained = 0;  // words that it has right and the kind kept before it has wrong
    std::size_t lost = 0;    // the other way around
    double p_value = 1;      // that it gains so many by chance
  };
  std::size_t words = 0;       // held out, over all folds
  std::vector<Row> rows = {};  // the first is the one to beat
  std::size_t chosen = 0;
  double expected_low = 0;  // 95% interval of the chosen one's P@1 on such words
  double expected_high = 0;
};

/// How an alignment went, as far as its method has something to tell.
struct AlignmentReport {
  std::vector<std::string> warnings = {};  // sentences for the user
  std::optional<SelectionReport> selection = std::nullopt;
  std::optional<std::vector<TrainingStep>> iterations = std::nullopt;  // of the last training
  std::vector<double> epoch_scores = {};  // of adversarial training: the criterion after each epoch
  std::vector<double> start_errors = {};  // of closest points: the reconstruction error of each start
  std::optional<RestartReport> restarts = std::nullopt;
  std::vector<RefinementRound> refinement = {};
  std::optional<RerankReport> rerank = std::nullopt;
  std::optional<SelfLearningReport> self_learning = std::nullopt;
  std::optional<ChoiceReport> choice = std::nullopt;
  /// What a file says beyond that, as other versions wrote it: a JSON object. It is kept when the mapping is written.
  std::string other = "{}";

  /// Adds those that are not among the warnings yet.
  void add_warnings(const std::vector<std::string>& more);
};

/// As files hold it ("details" in docs/file-formats.md): a JSON object on one line. Numbers that are not finite become
/// null, bytes that are not UTF-8 U+FFFD. UsageError where `other` is not a JSON object of sensible depth.
std::string to_json(const AlignmentReport& report);

/// The inverse: what is not as this version writes it goes into `other`. Throws std::exception for what is no JSON
/// object.
AlignmentReport parse_report(std::string_view json);

}  // namespace wordbridge
