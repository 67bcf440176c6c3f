#include "wordbridge/aligners/rcsls_options.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <cmath>
#include <string_view>

#include "wordbridge/aligners/checkpoint.h"
#include "wordbridge/base/error.h"
#include "wordbridge/constraints/constraint.h"
#include "wordbridge/objectives/neighbor_term.h"

namespace wordbridge {

namespace {

void require(bool condition, const char* message) {
  if (!condition) throw UsageError(message);
}

bool is_positive(double value) { return value > 0 && std::isfinite(value); }

void check(const SelectionOptions& selection) {
  require(!selection.learning_rates.empty(), "selection needs one learning rate at least");
  require(!selection.epochs.empty(), "selection needs one number of epochs at least");
  require(!selection.blends.empty(), "selection needs one blend at least");
  for (const double rate : selection.learning_rates) require(is_positive(rate), "the learning rate must be above 0");
  for (const int epochs : selection.epochs) require(epochs >= 1, "the number of epochs must be 1 or more");
  for (const double blend : selection.blends) require(blend > 0 && blend <= 1, "a blend must be above 0 and at most 1");
  require(selection.split > 0 && selection.split < 1, "the validation split must be above 0 and below 1");
  require(selection.frequent_words > 0, "selection needs one frequent word at least");
}

std::string_view name_of(SelectionMode mode) {
  switch (mode) {
    case SelectionMode::automatic:
      return "automatic";
    case SelectionMode::none:
      return "none";
    case SelectionMode::validation:
      return "validation";
    case SelectionMode::unsupervised:
      return "unsupervised";
  }
  return "";
}

}  // namespace

void check(const RcslsOptions& options) {
  make_constraint(options.constraint);
  make_neighbor_term(options.loss, options.temperature);
  require(options.max_negatives > 0, "the pool must hold one word at least (max-negatives)");
  require(options.neighbors > 0, "the number of neighbors must be 1 or more");
  require(options.l2 >= 0 && std::isfinite(options.l2), "the l2 factor must not be negative");
  require(!options.learning_rate || is_positive(*options.learning_rate), "the learning rate must be above 0");
  require(!options.epochs || *options.epochs >= 0, "the number of epochs must not be negative");
  require((options.start == RcslsStart::given) == options.start_map.has_value(),
          "a start that is given needs its map, and a map is used by such a start only");
  require(!options.target_map || options.start_map, "a target map comes with a start map only");
  require(!options.target_map || options.target_map->rows() == options.start_map->rows(),
          "the two maps of the start lead into different dimensions");
  check(options.session);
  const SelectionMode mode = options.selection.mode;
  require(!options.learning_rate || mode == SelectionMode::automatic || mode == SelectionMode::none,
          "a learning rate that is named cannot be selected as well");
  require(!options.selection.validation || mode == SelectionMode::validation,
          "validation pairs are for selection by validation");
  check(options.selection);
}

std::map<std::string, std::string> describe(const RcslsOptions& options) {
  std::map<std::string, std::string> result = {
      {"constraint", options.constraint},
      {"pool", options.pool == NeighborPool::extended ? "extended" : "train"},
      {"neighbors", std::to_string(options.neighbors)},
      {"loss", options.loss},
      {"l2", fmt::format("{}", options.l2)},
      {"learning-rate", options.learning_rate ? fmt::format("{}", *options.learning_rate) : "auto"},
      {"epochs", options.epochs ? std::to_string(*options.epochs) : "auto"},
      {"schedule", options.schedule == Schedule::monotone ? "monotone" : "reference"},
      {"batch", std::to_string(options.batch)},
      {"max-pairs", std::to_string(options.max_pairs)},
      {"init", options.start == RcslsStart::procrustes ? "procrustes"
               : options.start == RcslsStart::identity ? "identity"
                                                       : "given (" + checksum_of(*options.start_map) + ")"},
      {"select", std::string(name_of(options.selection.mode))}};
  if (options.pool == NeighborPool::extended) result["max-negatives"] = std::to_string(options.max_negatives);
  if (options.loss == "logsumexp") result["temperature"] = fmt::format("{}", options.temperature);
  if (options.target_map) result["init-target"] = checksum_of(*options.target_map);
  if (options.selection.mode == SelectionMode::none || options.learning_rate) return result;
  result["select-learning-rates"] = fmt::format("{}", fmt::join(options.selection.learning_rates, ","));
  result["select-epochs"] = fmt::format("{}", fmt::join(options.selection.epochs, ","));
  result["select-blends"] = fmt::format("{}", fmt::join(options.selection.blends, ","));
  if (options.selection.mode == SelectionMode::unsupervised)
    result["select-words"] = std::to_string(options.selection.frequent_words);
  else if (options.selection.validation)
    result["validation"] = options.selection.validation->path;
  else
    result["validation-split"] = fmt::format("{}, {}", options.selection.split,
                                             options.selection.held_out == HeldOutWords::rare ? "rare" : "random");
  return result;
}

}  // namespace wordbridge
