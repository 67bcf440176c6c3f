#include "experiments/experiment_check.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <optional>
#include <set>
#include <string_view>
#include <vector>

#include "align/alignment_plan.h"
#include "base/escaped_text.h"
#include "base/option_error.h"
#include "experiments/cell_settings.h"
#include "experiments/mapping_request.h"
#include "retrieval/criterion_registry.h"
#include "wordbridge/error.h"

namespace wordbridge {

namespace {

/// A finite number and nothing else.
std::optional<double> number_of(std::string_view text) {
  double value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  const bool whole = error == std::errc() && end == text.data() + text.size();
  return whole && std::isfinite(value) ? std::optional(value) : std::nullopt;
}

/// Checks the cells of one experiment, each thing that several have in common once.
class SettingsChecker {
 public:
  explicit SettingsChecker(const std::string& measure) : measure_(measure) {}

  void check(const ExperimentSettings& values) {
    const CellSettings settings(values);
    check_numbers(settings);
    check_choices(settings);
    check_names(settings, values);
    if (needs_mapping(settings)) check_mapping(settings, values);
  }

 private:
  static void check_numbers(const CellSettings& settings) {
    constexpr std::size_t kMany = 1'000'000'000;
    require_between(settings, "neighbors", 1, 1 << 20);  // as on the command line
    require_between(settings, "max_words", 0, kMany);
    require_between(settings, "train_words", 0, kMany);
    require_between(settings, "train_wrong", 0, 100);
    require_between(settings, "scale", 1, 1'000'000);
  }

  static void require_between(const CellSettings& settings, const char* name, std::size_t least, std::size_t most) {
    if (const std::size_t value = settings.count(name, least); value < least || value > most)
      throw UsageError(
          fmt::format("the setting '{}' must be a number from {} to {}, not {}", name, least, most, value));
  }

  static void require_one_of(const CellSettings& settings, const char* name, const std::vector<std::string>& known) {
    const std::string value = settings.text(name);
    if (value.empty() || std::ranges::count(known, value) > 0) return;
    throw UsageError(fmt::format("the setting '{}' must be {}, not '{}'", name, fmt::join(known, " or "), value));
  }

  static void check_choices(const CellSettings& settings) {
    for (const char* flag : {"reversed", "no_identical", "average_phrases", "cross_lingual"})
      require_one_of(settings, flag, {"true", "false"});
    require_one_of(settings, "space", {"original", "aligned"});
    require_one_of(settings, "part", {"semantic", "syntactic", "total"});
    require_one_of(settings, "correlation", {"spearman", "pearson"});
    if (const std::string criterion = settings.text("criterion", "own"); criterion != "own")
      registered_criterion(criterion);
  }

  static void require_file(const CellSettings& settings, const ExperimentSettings& values, const char* name) {
    if (settings.text(name).empty()) throw UsageError(fmt::format("the setting '{}' is missing", name));
    expand(settings.text(name), values);
  }

  /// Of the files that the measure needs.
  void check_names(const CellSettings& settings, const ExperimentSettings& values) const {
    require_file(settings, values, "source_vectors");
    if (measure_ == "translation" || settings.is_true("cross_lingual"))
      require_file(settings, values, "target_vectors");
    if (measure_ == "translation") require_file(settings, values, "test");
    if (measure_ == "similarity") require_file(settings, values, "set");
    if (measure_ == "analogy") settings.words("questions");
  }

  bool needs_mapping(const CellSettings& settings) const {
    return measure_ == "translation" || settings.text("space") == "aligned" || settings.is_true("cross_lingual");
  }

  void check_mapping(const CellSettings& settings, const ExperimentSettings& values) {
    std::vector<std::string> words = settings.words("align");
    if (words == std::vector<std::string>{"none"}) return;
    if (!is_import(words)) {
      require_file(settings, values, "target_vectors");
      for (const char* lexicon : {"train", "train_without"}) expand(settings.text(lexicon), values);
    }
    if (!known_.insert(fmt::format("{} {}", fmt::join(words, " "), settings.text("normalize"))).second) return;
    require_data_files(words);
    if (is_import(words)) {
      words.erase(words.begin());
      parse_import_request(words);
      return;
    }
    AlignRequest request = parse_align_request(words);
    if (!settings.text("normalize").empty()) {
      if (!request.options.normalization.empty())
        throw UsageError("--normalize and the setting 'normalize' say the same: one of them is enough");
      request.options.normalization = settings.text("normalize");
    }
    // A plan reads the files that it is given: those are looked for when the cell is measured.
    if (std::ranges::none_of(words, [](const std::string& word) { return word.find('@') != std::string::npos; }))
      AlignmentPlan(request.options);
  }

  const std::string& measure_;
  std::set<std::string> known_;  // mappings that are in order
};

}  // namespace

void check_shape(const Experiment& experiment) {
  const auto require = [&](bool holds, const std::string& reason) {
    if (!holds) throw InputError(experiment.path, 0, reason);
  };
  const auto require_text = [&](const std::string& text, std::size_t most, const std::string& what) {
    require(text.size() <= most, fmt::format("{} of more than {} bytes", what, most));
    require(escape_controls(text, Layout::escaped) == text, fmt::format("{} with a control character", what));
  };
  require_text(experiment.name, kMostNameBytes, "a name");
  require_text(experiment.average, kMostNameBytes, "a heading");
  require_text(experiment.title, kMostTextBytes, "a title");
  require_text(experiment.note, kMostTextBytes, "a note");
  require(experiment.rows.size() <= kMostMeasurements / experiment.columns.size(),
          fmt::format("{} rows and {} columns: more than {} cells", experiment.rows.size(), experiment.columns.size(),
                      kMostMeasurements));
  for (const auto* lines : {&experiment.rows, &experiment.columns})
    for (const Experiment::Line& line : *lines) {
      require_text(line.name, kMostNameBytes, "a name of a row or a column");
      for (const auto& [name, value] : line.settings) require_text(value, kMostSettingBytes, "a setting");
    }
  for (const auto& [name, value] : experiment.settings) require_text(value, kMostSettingBytes, "a setting");
  if (!experiment.figure) return;
  require_text(experiment.figure->x_title, kMostNameBytes, "a title of an axis");
  require_text(experiment.figure->y_title, kMostNameBytes, "a title of an axis");
  for (const Experiment::Line& column : experiment.columns) {
    const std::optional<double> number = number_of(column.name);
    require(number && (*number > 0 || !experiment.figure->logarithmic),
            fmt::format("a figure is drawn over the columns, but the name '{}' is no number{}", column.name,
                        experiment.figure->logarithmic ? " above 0" : ""));
  }
}

void check_settings(const Experiment& experiment) {
  SettingsChecker checker(experiment.measure);
  std::size_t measurements = 0;
  for (std::size_t row = 0; row < experiment.rows.size(); ++row)
    for (std::size_t column = 0; column < experiment.columns.size(); ++column) {
      const std::vector<ExperimentSettings> cells = experiment.cell(row, column);
      measurements += cells.size();
      if (measurements > kMostMeasurements)
        throw InputError(experiment.path, 0, fmt::format("more than {} measurements", kMostMeasurements));
      try {
        for (const ExperimentSettings& values : cells) checker.check(values);
      } catch (const UsageError& error) {
        throw InputError(experiment.path, 0,
                         fmt::format("row '{}', column '{}': {}", experiment.rows[row].name,
                                     experiment.columns[column].name, command_line_text(error)));
      }
    }
}

}  // namespace wordbridge
