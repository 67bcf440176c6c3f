#pragma once
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "wordbridge/lexicon.h"
#include "wordbridge/mapping.h"
#include "wordbridge/word_vectors.h"

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

/// InputError for a file that is no experiment; read_experiment() also checks all settings.
/// `sample`: the version for the small data of data/sample, for which the file names other settings and fewer lines.
Experiment read_experiment(const std::string& path, bool sample = false);
Experiment parse_experiment(std::string_view json, const std::string& path, bool sample = false);

/// Beside the files of experiments: where the files that they need are published.
inline constexpr const char* kSourcesFile = "sources.json";

/// The files that define experiments, among files and folders of them. InputError for a folder without any.
std::vector<std::string> find_experiments(const std::vector<std::string>& paths);

/// The text with each {name} replaced by the setting of that name; UsageError where there is none.
std::string expand(std::string_view pattern, const ExperimentSettings& settings);

/// Watches what experiments do, for whoever wants to tell people. All calls come from the thread that runs them.
class ExperimentObserver {
 public:
  virtual ~ExperimentObserver() = default;

  /// A file of vectors was read, in so many seconds.
  virtual void read_vectors(const ReadSummary& /*summary*/, double /*seconds*/) {}
  /// A training lexicon was looked up in two vocabularies.
  virtual void found_lexicon(const std::string& /*name*/, const LexiconCoverage& /*coverage*/) {}
  /// A mapping was made and written to the cache; learning it took so many seconds, with all around it so many.
  virtual void made_mapping(const Mapping& /*mapping*/, const std::string& /*path*/, double /*learning*/,
                            double /*seconds*/) {}
  /// Something to be wary of, in a sentence.
  virtual void warned(const std::string& /*warning*/) {}
  /// A measurement of the cell in that row and column is there.
  virtual void measured(const Experiment& /*experiment*/, const std::string& /*row*/, const std::string& /*column*/,
                        double /*value*/) {}
};

// What an experiment may hold (docs/experiments.md); more is a mistake, or meant to do harm.
inline constexpr std::size_t kMostMeasurements = 100'000;  // of all cells; so many cells, too
inline constexpr std::size_t kMostNameBytes = 200;         // of an experiment, a row, a column, a heading
inline constexpr std::size_t kMostSettingBytes = 1000;     // of the value of a setting
inline constexpr std::size_t kMostTextBytes = 10'000;      // of title and note
inline constexpr std::size_t kMostDecimals = 10;

/// The sizes and texts, and that a figure can be drawn: nothing of this depends on what settings mean. InputError.
void check_shape(const Experiment& experiment);

/// All that can be wrong with the settings of each cell, but for files that are missing: before anything is measured.
/// InputError that names the row and the column.
void check_settings(const Experiment& experiment);

}  // namespace wordbridge
