#pragma once
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace wordbridge {

/// What decides a measurement, by name: "source": "en", "align": "--method procrustes"; see docs/experiments.md.
using ExperimentSettings = std::map<std::string, std::string>;

/// A table or figure of the paper, said in data: rows and columns, what is measured in each cell, and the number that
/// the paper gives. Read from a JSON file; the format is defined in docs/experiments.md.
struct Experiment {
  /// A row or a column: its name, and the settings in which it differs.
  struct Line {
    std::string name;
    ExperimentSettings settings = {};
    std::vector<ExperimentSettings> over = {};      // cells are means over these; empty: over those of the experiment
    std::vector<std::optional<double>> paper = {};  // of a row: the paper's numbers, one for each column
    std::optional<double> paper_average = std::nullopt;  // and its average over the columns
  };
  /// How a table is drawn as a figure: rows are curves over the columns, whose names are numbers.
  struct Figure {
    std::string x_title, y_title;
    bool logarithmic = false;  // the horizontal axis
  };

  std::string path;  // for messages
  std::string name;  // "muse"
  std::string title;
  int order = 0;        // among others: the smaller first
  std::string note;     // what must be said with it
  std::string measure;  // "translation", "analogy", "similarity"
  int decimals = 1;     // of the numbers shown
  std::string average;  // heading of a column with the mean of each row; empty: none
  ExperimentSettings settings;
  std::vector<ExperimentSettings> over;
  std::vector<Line> columns, rows;
  std::optional<Figure> figure;

  /// The settings of a cell: those of the experiment, of the column and of the row, the later prevailing; several where
  /// the cell is a mean. Nothing for a cell that only the paper has: a line with the setting "only_paper".
  std::vector<ExperimentSettings> cell(std::size_t row, std::size_t column) const;
};

/// InputError for a file that is no experiment; read_experiment() also checks all settings (experiment_check.h).
/// `sample`: the version for the small data of data/sample, for which the file names other settings and fewer lines.
Experiment read_experiment(const std::string& path, bool sample = false);
Experiment parse_experiment(std::string_view json, const std::string& path, bool sample = false);

/// Beside the files of experiments: where the files that they need are published.
inline constexpr const char* kSourcesFile = "sources.json";

/// The files that define experiments, among files and folders of them. InputError for a folder without any.
std::vector<std::string> find_experiments(const std::vector<std::string>& paths);

/// The text with each {name} replaced by the setting of that name; UsageError where there is none.
std::string expand(std::string_view pattern, const ExperimentSettings& settings);

}  // namespace wordbridge
