#include "experiments/experiment.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <set>

#include "base/json.h"
#include "experiments/experiment_check.h"
#include "io/byte_stream.h"
#include "wordbridge/error.h"

namespace wordbridge {

namespace {

const std::set<std::string, std::less<>> kSettings = {
    "source",        "target",      "source_vectors", "target_vectors",  "max_words",     "train",
    "train_without", "train_words", "train_wrong",    "reversed",        "test",          "align",
    "criterion",     "neighbors",   "no_identical",   "questions",       "set",           "space",
    "part",          "correlation", "scale",          "average_phrases", "cross_lingual", "only_paper",
    "normalize"};

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

}  // namespace wordbridge
