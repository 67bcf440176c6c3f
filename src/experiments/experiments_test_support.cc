#include "experiments/experiments_test_support.h"

#include <fmt/format.h>

#include <filesystem>

#include "base/random.h"

namespace wordbridge {

namespace {

constexpr int kWords = 40, kTrainingWords = 25;
constexpr std::size_t kDimension = 4;

/// Each row of es.vec is that of en.vec with its values moved on by one place, which is a rotation.
void write_languages(const TemporaryFolder& folder) {
  Random random(7);
  std::string source = fmt::format("{} {}\n", kWords, kDimension), target = source;
  for (int i = 0; i < kWords; ++i) {
    double values[kDimension];
    for (double& value : values) value = random.normal();
    source += fmt::format("e{}", i);
    target += fmt::format("s{}", i);
    for (std::size_t j = 0; j < kDimension; ++j) {
      source += fmt::format(" {:.5f}", values[j]);
      target += fmt::format(" {:.5f}", values[(j + 1) % kDimension]);
    }
    source += '\n';
    target += '\n';
  }
  folder.write("en.vec", source);
  folder.write("es.vec", target);
}

}  // namespace

ExperimentFolder::ExperimentFolder() {
  write_languages(folder_);
  std::string train, test;
  for (int i = 0; i < kWords; ++i) (i < kTrainingWords ? train : test) += fmt::format("e{0} s{0}\n", i);
  folder_.write("train.txt", train);
  folder_.write("test.txt", test);
  folder_.write("same.txt", "e0 e0\ne1 e1\n");
}

ExperimentFolder::~ExperimentFolder() { std::filesystem::remove_all(cache()); }

void RememberingObserver::read_vectors(const ReadSummary& summary, double) {
  read.push_back(std::filesystem::path(summary.path).filename().string());
}
void RememberingObserver::found_lexicon(const std::string& name, const LexiconCoverage& coverage) {
  lexicons.push_back(fmt::format("{} {}", std::filesystem::path(name).filename().string(), coverage.pairs));
}
void RememberingObserver::made_mapping(const Mapping& mapping, const std::string&, double, double) {
  mappings.push_back(mapping.provenance.method);
}
void RememberingObserver::warned(const std::string& warning) { warnings.push_back(warning); }
void RememberingObserver::measured(const Experiment& experiment, const std::string& row, const std::string& column,
                                   double value) {
  cells.push_back(fmt::format("{}: {}, {}: {:.1f}", experiment.name, row, column, value));
}

ExperimentResult example_result() {
  ExperimentResult result;
  result.experiment = parse_experiment(R"({
    "name": "t", "title": "Table", "measure": "translation", "average": "avg.", "note": "A note.",
    "columns": [{"name": "a"}, {"name": "b"}, {"name": "c"}],
    "rows": [{"name": "one", "paper": [10, 20, 33], "paper_average": 21.5}, {"name": "two", "paper": [1, null, 3]}]
  })",
                                       "t.json");
  result.cells = {{{50.0, 1, 1, "5 of 6 words"}, {std::nullopt, 0, 1, ""}, {61.0, 1, 1, "6 of 6 words"}},
                  {{std::nullopt, 0, 1, ""}, {std::nullopt, 0, 1, ""}, {std::nullopt, 0, 1, ""}}};
  result.reasons = {{"missing: b.vec", "b.vec"}};
  return result;
}

}  // namespace wordbridge
