#include "experiments/needed_files.h"

#include <algorithm>
#include <sstream>

#include "wordbridge/error.h"

namespace wordbridge {

namespace {

/// Names without repetitions, in order.
class Names {
 public:
  void add(const std::string& name) {
    if (!name.empty() && std::ranges::find(names_, name) == names_.end()) names_.push_back(name);
  }
  std::vector<std::string> take() { return std::move(names_); }

 private:
  std::vector<std::string> names_;
};

/// The text of a setting; empty where there is none, or where it takes settings that this cell has not: then no cell
/// asks for it.
std::string setting(const ExperimentSettings& settings, const char* name) {
  const auto found = settings.find(name);
  if (found == settings.end()) return {};
  try {
    return expand(found->second, settings);
  } catch (const UsageError&) {
    return {};
  }
}

void add_files_of_cell(const ExperimentSettings& settings, Names& names) {
  for (const char* name : {"source_vectors", "target_vectors", "train", "train_without", "test", "set"})
    names.add(setting(settings, name));
  std::string word;
  for (std::istringstream questions(setting(settings, "questions")); questions >> word;) names.add(word);
  // As MappingMaker::with_data_files().
  for (std::istringstream words(setting(settings, "align")); words >> word;) {
    const std::size_t sign = word.starts_with('@') ? 0 : word.find("=@");
    if (sign != std::string::npos) names.add(word.substr(word.find('@', sign) + 1));
  }
}

}  // namespace

std::vector<std::string> needed_files(const Experiment& experiment) {
  Names names;
  for (std::size_t row = 0; row < experiment.rows.size(); ++row)
    for (std::size_t column = 0; column < experiment.columns.size(); ++column)
      for (const ExperimentSettings& settings : experiment.cell(row, column)) add_files_of_cell(settings, names);
  return names.take();
}

std::vector<std::string> needed_files(const std::vector<std::string>& experiments) {
  Names names;
  for (const std::string& path : experiments)
    for (const std::string& name : needed_files(read_experiment(path))) names.add(name);
  return names.take();
}

}  // namespace wordbridge
