#include "experiments/experiment.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <filesystem>
#include <optional>
#include <set>
#include <string_view>
#include <vector>

#include "align/alignment_plan.h"
#include "base/escaped_text.h"
#include "base/json.h"
#include "base/option_error.h"
#include "experiments/cell_settings.h"
#include "experiments/mapping_maker.h"
#include "experiments/measurement_records.h"
#include "io/byte_stream.h"
#include "retrieval/criterion_registry.h"
#include "wordbridge/error.h"

namespace wordbridge {

namespace {

const std::set<std::string, std::less<>> kSettings = {
    "source",        "target",      "source_vectors", "target_vectors",  "max_words",     "train",
    "train_without", "train_words", "train_wrong",    "reversed",        "test",          "align",
    "criterion",     "neighbors",   "no_identical",   "questions",       "set",           "space",
    "part",          "correlation", "scale",          "average_phrases", "cross_lingual", "only_paper",
    "normalize",     "score"};

class Parser {
 public:
  Parser(std::string path, bool sample) : path_(std::move(path)), sample_(sample) {}

  Experiment parse(const Json& json) const {
    require(json.is_object(), "an object is wanted");
    Experiment result;
    result.path = path_;
    result.name = text(json, "name");
    result.title = text(json, "title");
    result.measure = text(json, "measure");
    require(result.measure == "translation" || result.measure == "analogy" || result.measure == "similarity",
            "measure must be translation, analogy or similarity");
    result.order = json.value("order", 0);
    result.note = json.value("note", "");
    result.decimals = decimals(json);
    result.average = json.value("average", "");
    result.settings = settings(json.value("settings", Json::object()), {});
    result.over = over(json);
    result.columns = lines(json, "columns");
    result.rows = lines(json, "rows");
    if (json.contains("figure")) result.figure = figure(json["figure"]);
    for (const Experiment::Line& row : result.rows)
      require(row.paper.empty() || row.paper.size() == result.columns.size(),
              fmt::format("row '{}' has {} numbers of the paper for {} columns", row.name, row.paper.size(),
                          result.columns.size()));
    if (sample_) take_sample(json.value("sample", Json::object()), result);
    check_shape(result);
    for (Experiment::Line& row : result.rows) row.paper.resize(result.columns.size());
    return result;
  }

 private:
  void require(bool holds, const std::string& reason) const {
    if (!holds) throw InputError(path_, 0, reason);
  }

  std::string text(const Json& json, const char* name) const {
    require(json.contains(name) && json[name].is_string(), fmt::format("no text '{}'", name));
    return json[name].get<std::string>();
  }

  int decimals(const Json& json) const {
    const Json* given = json.find("decimals");
    if (given == nullptr) return Experiment().decimals;
    require(given->is_natural() && given->get<std::uint64_t>() <= kMostDecimals,
            fmt::format("decimals must be a whole number from 0 to {}", kMostDecimals));
    return given->get<int>();
  }

  /// Names that are no settings of their own are in `others`.
  ExperimentSettings settings(const Json& json, const std::set<std::string, std::less<>>& others) const {
    require(json.is_object(), "settings must be an object");
    ExperimentSettings result;
    for (const auto& [name, value] : json.items()) {
      if (others.contains(name)) continue;
      require(kSettings.contains(name), fmt::format("unknown setting '{}'", name));
      require(value.is_string() || value.is_number() || value.is_boolean(),
              fmt::format("setting '{}' must be a text, a number or true", name));
      result[name] = value.is_string() ? value.get<std::string>() : value.dump();
    }
    return result;
  }

  std::vector<ExperimentSettings> over(const Json& json) const {
    std::vector<ExperimentSettings> result;
    for (const Json& entry : json.value("over", Json::array())) result.push_back(settings(entry, {}));
    return result;
  }

  std::vector<Experiment::Line> lines(const Json& json, const char* name) const {
    require(json.contains(name) && json[name].is_array() && !json[name].empty(), fmt::format("no list '{}'", name));
    std::vector<Experiment::Line> result;
    for (const Json& entry : json[name]) {
      require(entry.is_object(), fmt::format("an entry of '{}' is no object", name));
      Experiment::Line line;
      line.name = text(entry, "name");
      line.settings = settings(entry, {"name", "over", "paper", "paper_average"});
      line.over = over(entry);
      for (const Json& number : entry.value("paper", Json::array())) {
        require(number.is_number() || number.is_null(), fmt::format("a number of '{}' is none", line.name));
        line.paper.push_back(number.is_null() ? std::nullopt : std::optional(number.get<double>()));
      }
      if (entry.contains("paper_average")) line.paper_average = entry["paper_average"].get<double>();
      result.push_back(std::move(line));
    }
    return result;
  }

  static Experiment::Figure figure(const Json& json) {
    return {json.value("x", ""), json.value("y", ""), json.value("logarithmic", false)};
  }

  /// "settings" go over the experiment's and over those of each line that has the same, those of lines alone stay
  /// theirs; "columns" and "rows" name the lines that stay.
  void take_sample(const Json& json, Experiment& result) const {
    const ExperimentSettings small = settings(json.value("settings", Json::object()), {});
    std::set<std::string> of_lines;
    for (auto* all : {&result.columns, &result.rows})
      for (Experiment::Line& line : *all)
        for (auto& [name, value] : line.settings)
          if (const auto found = small.find(name); found != small.end()) {
            value = found->second;
            of_lines.insert(name);
          }
    for (const auto& [name, value] : small)
      if (result.settings.contains(name) || !of_lines.contains(name)) result.settings[name] = value;
    const Json replaced = json.value("replace", Json::object());  // of align options, by their text
    for (const auto& [from, to] : replaced.items())
      for (auto* all : {&result.columns, &result.rows})
        for (Experiment::Line& line : *all)
          for (auto& [name, value] : line.settings)
            if (value == from) value = to.get<std::string>();
    for (const auto& [from, to] : replaced.items())
      for (auto& [name, value] : result.settings)
        if (value == from) value = to.get<std::string>();
    if (json.contains("over")) {
      const std::vector<ExperimentSettings> fewer = over(json);
      if (!result.over.empty()) result.over = fewer;
      for (auto* all : {&result.columns, &result.rows})
        for (Experiment::Line& line : *all)
          if (!line.over.empty()) line.over = fewer;
    }
    keep(json, "rows", result.rows, [](std::size_t) {});
    std::vector<std::size_t> kept;
    keep(json, "columns", result.columns, [&](std::size_t i) { kept.push_back(i); });
    if (!json.contains("columns")) return;
    for (Experiment::Line& row : result.rows) {
      std::vector<std::optional<double>> paper;
      paper.reserve(kept.size());
      for (const std::size_t i : kept) paper.push_back(i < row.paper.size() ? row.paper[i] : std::nullopt);
      row.paper = std::move(paper);
      row.paper_average.reset();
    }
  }

  template <class Kept>
  void keep(const Json& json, const char* name, std::vector<Experiment::Line>& lines, const Kept& kept) const {
    if (!json.contains(name)) return;
    std::vector<Experiment::Line> result;
    for (const Json& wanted : json[name]) {
      const auto found = std::ranges::find(lines, wanted.get<std::string>(), &Experiment::Line::name);
      require(found != lines.end(), fmt::format("the sample names '{}', which is none of the {}", wanted.dump(), name));
      kept(static_cast<std::size_t>(found - lines.begin()));
      result.push_back(*found);
    }
    lines = std::move(result);
  }

  std::string path_;
  bool sample_;
};

}  // namespace

std::vector<ExperimentSettings> Experiment::cell(std::size_t row, std::size_t column) const {
  ExperimentSettings merged = settings;
  for (const Line* line : {&columns[column], &rows[row]})
    for (const auto& [key, value] : line->settings) merged[key] = value;
  if (merged.contains("only_paper")) return {};
  const auto& items = !rows[row].over.empty()         ? rows[row].over
                      : !columns[column].over.empty() ? columns[column].over
                                                      : over;
  if (items.empty()) return {merged};
  std::vector<ExperimentSettings> cells;
  for (const ExperimentSettings& item : items) {
    cells.push_back(merged);
    for (const auto& [key, value] : item) cells.back()[key] = value;
  }
  return cells;
}

Experiment parse_experiment(std::string_view json, const std::string& path, bool sample) {
  try {
    return Parser(path, sample).parse(Json::parse(json));
  } catch (const JsonSyntaxError& error) {
    const auto before = json.substr(0, error.byte());
    throw InputError(path, 1 + static_cast<std::uint64_t>(std::ranges::count(before, '\n')),
                     "not an experiment: from here on it is not JSON");
  } catch (const JsonError&) {
    throw InputError(path, 0, "not an experiment: something is missing, or has another type than it should");
  }
}

Experiment read_experiment(const std::string& path, bool sample) {
  constexpr std::size_t kMostBytes = std::size_t{16} << 20;
  Experiment experiment = parse_experiment(read_whole(path, kMostBytes, "an experiment"), path, sample);
  check_settings(experiment);
  return experiment;
}

std::vector<std::string> find_experiments(const std::vector<std::string>& paths) {
  namespace fs = std::filesystem;
  std::vector<std::string> files;
  for (const std::string& path : paths) {
    if (!fs::is_directory(path)) {
      files.push_back(path);
      continue;
    }
    std::vector<std::string> inside;
    for (const fs::directory_entry& entry : fs::directory_iterator(path))
      if (entry.path().extension() == ".json" && entry.path().filename() != kSourcesFile)
        inside.push_back(entry.path().string());
    if (inside.empty()) throw InputError(path, 0, "there is no experiment (.json) in this folder");
    std::ranges::sort(inside);
    files.insert(files.end(), inside.begin(), inside.end());
  }
  return files;
}

std::string expand(std::string_view pattern, const ExperimentSettings& settings) {
  std::string result;
  while (!pattern.empty()) {
    const std::size_t open = pattern.find('{'), close = pattern.find('}', open == std::string_view::npos ? 0 : open);
    if (open == std::string_view::npos || close == std::string_view::npos) return result.append(pattern);
    const std::string name(pattern.substr(open + 1, close - open - 1));
    const auto found = settings.find(name);
    if (found == settings.end())
      throw UsageError(fmt::format("'{}' names the setting '{}', which is missing", pattern, name));
    result.append(pattern.substr(0, open)).append(found->second);
    pattern.remove_prefix(close + 1);
  }
  return result;
}

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
    require_one_of(settings, "score", translation_scores());
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
