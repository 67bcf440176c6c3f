#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <limits>
#include <stdexcept>
#include <string>

#include "align/rcsls/rcsls_trainer.h"
#include "benchmarks/peak_memory.h"
#include "benchmarks/report.h"
#include "benchmarks/search_tables.h"
#include "optimize/subgradient.h"
#include "search/blas_search.h"
#include "search/kernels/kernel_choice.h"
#include "search/neighbor_search.h"

using namespace wordbridge;
using namespace wordbridge::benchmarks;

namespace {

double seconds_of(const std::function<void()>& work) { return best_times({work}, 1)[0]; }

/// Adds to every pair of made-up words the nearest synonym of the target: real lexicons have two translations a word.
void add_synonyms(SearchTables& tables) {
  const std::size_t words = tables.pairs.size();
  const auto near = make_search(tables.target)->search(tables.target.view().slice(0, words), 2);
  tables.pairs.clear();
  for (std::uint32_t i = 0; i < words; ++i)
    for (const std::uint32_t target : near.ids_of(i)) tables.pairs.push_back({i, target});
}

struct Training {
  double seconds = 0, peak = 0, index_bytes = 0, loss = 0;
  std::size_t evaluations = 0;
  std::uint64_t searched = 0, saved_scans = 0;
  MatrixD w;
};

/// What `align --method rcsls` does between the vectors and the map: indexes, start, steps.
Training train(const SearchTables& tables, const RcslsOptions& options) {
  Training result;
  PeakMemory memory;
  result.seconds = seconds_of([&] {
    const double before = PeakMemory::now();
    const RcslsTrainer trainer(tables.source, tables.target, options, Context::current().seed());
    result.index_bytes = PeakMemory::now() - before;
    RcslsTrainer::Run training = trainer.run(tables.pairs, *options.learning_rate, *options.epochs);
    Optimizer& optimizer = training.optimizer();
    const auto state = run(optimizer, optimizer.start(trainer.start(tables.pairs)),
                           [&](const Iteration& iteration, const OptimizerState&) {
                             ++result.evaluations;
                             result.searched += iteration.searched;
                             result.saved_scans += iteration.saved_scans;
                             result.loss = iteration.loss;
                           });
    result.w = state.w;
  });
  result.peak = memory.peak();
  return result;
}

/// The same objective, every query searched anew by BLAS; each evaluation takes as long as any other.
double base_seconds(const SearchTables& tables, const Training& ours, std::size_t neighbors, std::size_t timed) {
  const TrainingPairs words(tables.source, tables.target, tables.pairs);
  const BlasSearch source(tables.source), target(tables.target);
  RepeatedSearch over_source(source), over_target(target);
  const auto term = make_neighbor_term("mean");
  RcslsObjective objective(words, over_target, over_source, *term, neighbors);
  const double seconds = seconds_of([&] {
    for (std::size_t i = 0; i < timed; ++i) keep(objective.evaluate(ours.w));
  });
  return seconds / static_cast<double>(timed) * static_cast<double>(ours.evaluations);
}

void write_bytes(const std::filesystem::path& path, const void* data, std::size_t bytes) {
  std::ofstream file(path, std::ios::binary);
  file.write(static_cast<const char*>(data), static_cast<std::streamsize>(bytes));
  if (!file.flush()) throw std::runtime_error(path.string() + ": cannot be written");
}

struct NumpyRun {
  double seconds = 0, peak = 0, loss = 0;
};

/// One evaluation by benchmarks/rcsls_numpy.py (where benchmarks/run starts programs, by the Python that has the NumPy
/// of packages.txt), in a process of its own, on the first `words` of both tables.
NumpyRun run_numpy(const SearchTables& tables, std::span<const Lexicon::Pair> pairs, const MatrixD& w,
                   std::size_t words) {
  const auto folder = std::filesystem::temp_directory_path() / fmt::format("rcsls_numpy.{}", ::getpid());
  std::filesystem::create_directory(folder);
  const auto write_table = [&](const char* name, const Matrix& table) {
    std::ofstream file(folder / name, std::ios::binary);
    for (std::size_t i = 0; i < words; ++i)
      file.write(reinterpret_cast<const char*>(table.row(i).data()),
                 static_cast<std::streamsize>(table.cols() * sizeof(float)));
    if (!file.flush()) throw std::runtime_error((folder / name).string() + ": cannot be written");
  };
  write_table("source", tables.source);
  write_table("target", tables.target);
  std::vector<WordId> words_of_pairs;
  for (const Lexicon::Pair& pair : pairs) words_of_pairs.insert(words_of_pairs.end(), {pair.source, pair.target});
  write_bytes(folder / "pairs", words_of_pairs.data(), words_of_pairs.size() * sizeof(WordId));
  write_bytes(folder / "w", w.data(), w.size() * sizeof(double));
  const std::string command =
      fmt::format("/usr/bin/python3 benchmarks/rcsls_numpy.py '{}' {}", folder.string(), tables.source.cols());
  NumpyRun result;
  std::FILE* child = ::popen(command.c_str(), "r");
  const int read =
      child == nullptr ? 0 : std::fscanf(child, "%lf %lf %lf", &result.seconds, &result.peak, &result.loss);
  const bool failed = child == nullptr || ::pclose(child) != 0 || read != 3;
  std::filesystem::remove_all(folder);
  if (failed) throw std::runtime_error("rcsls_numpy.py failed");
  return result;
}

/// Of both tables, so that the scores of all pairs, and argpartition's numbers, take 60% of the memory that is free.
std::size_t words_that_fit(std::size_t words, std::size_t pairs) {
  const double bytes = 0.6 * PeakMemory::available();
  return std::min(words, static_cast<std::size_t>(bytes / (16 * static_cast<double>(pairs))));
}

/// The loss that our objective gives over the same words: a base that computes something else would be none.
double our_loss(const SearchTables& tables, std::span<const Lexicon::Pair> pairs, const MatrixD& w, std::size_t words,
                std::size_t neighbors) {
  const TrainingPairs training(tables.source, tables.target, pairs);
  const auto source = make_search(tables.source.view().slice(0, words));
  const auto target = make_search(tables.target.view().slice(0, words));
  RepeatedSearch over_source(*source), over_target(*target);
  const auto term = make_neighbor_term("mean");
  const ObjectiveValue value = RcslsObjective(training, over_target, over_source, *term, neighbors).evaluate(w);
  return value.loss_sum / value.pairs;
}

}  // namespace

int main(int argc, char** argv) {
  Report report("rcsls_training", "a whole training by RCSLS: indexes, start and steps", argc, argv);
  const SearchTableOptions options(report, 200'000);
  const std::size_t source_words =
      report.option("source-words", 5'000, "source words of the made-up lexicon, two pairs each");
  const std::size_t epochs = report.option("epochs", 10, "steps");
  const std::size_t rate = report.option("learning-rate", 25, "learning rate");
  const std::size_t timed = report.option("base-evaluations", 2, "evaluations by which the base search is timed");
  const std::size_t numpy_words = report.option("numpy-words", 0, "words for NumPy; 0: as many as fit");
  const std::string python = report.text("numpy", "yes", "whether NumPy runs: yes, no");
  report.check_options();

  const bool real = !options.source.empty();
  SearchTables tables = search_tables(options, report, real ? std::numeric_limits<std::size_t>::max() : source_words);
  if (!real) add_synonyms(tables);
  const double table_bytes = static_cast<double>((tables.source.size() + tables.target.size()) * sizeof(float));
  report.say(fmt::format("{} pairs, {} x {} words, d = {}, learning rate {}, {} steps, {} threads, kernels {}",
                         tables.pairs.size(), tables.source.rows(), tables.target.rows(), tables.source.cols(), rate,
                         epochs, ThreadPool::current().size(), kernel_name()));
  Training last;
  for (const Schedule schedule : {Schedule::monotone, Schedule::reference}) {
    const std::string name = schedule == Schedule::monotone ? "monotone" : "reference";
    const RcslsOptions rcsls{
        .learning_rate = static_cast<double>(rate), .epochs = static_cast<int>(epochs), .schedule = schedule};
    last = train(tables, rcsls);
    Row row = less_is_better(name + ": base search vs ours", base_seconds(tables, last, rcsls.neighbors, timed),
                             last.seconds, "s", 4);
    row.note = fmt::format(
        "{} evaluations, of which {} timed for the base; {:.0f}% of scans saved", last.evaluations, timed,
        100 * static_cast<double>(last.saved_scans) / static_cast<double>(last.saved_scans + last.searched));
    report.add(std::move(row));
    // What the allocator keeps of the first would be counted for the second.
    if (schedule != Schedule::monotone) continue;
    const double needed = table_bytes + last.index_bytes;
    Row memory =
        less_is_better(name + ": tables and indexes vs peak memory", needed / 1e6, last.peak / 1e6, "MB", 1 / 1.5);
    memory.note = fmt::format("indexes {:.2f} x the tables", last.index_bytes / table_bytes);
    report.add(std::move(memory));
  }
  if (python == "yes") {
    const std::size_t words = numpy_words > 0 ? std::min(numpy_words, tables.source.rows())
                                              : words_that_fit(tables.source.rows(), tables.pairs.size());
    std::vector<Lexicon::Pair> pairs = tables.pairs;
    std::erase_if(pairs, [&](const Lexicon::Pair& pair) { return pair.source >= words || pair.target >= words; });
    const NumpyRun numpy = run_numpy(tables, pairs, last.w, words);
    const double loss = our_loss(tables, pairs, last.w, words, 10);
    if (!(std::abs(numpy.loss - loss) <= 1e-5 * std::abs(loss)))
      throw std::runtime_error(fmt::format("NumPy finds the loss {}, we find {}", numpy.loss, loss));
    const double scale = static_cast<double>(tables.source.rows()) / static_cast<double>(words) *
                         static_cast<double>(tables.pairs.size()) / static_cast<double>(pairs.size()) *
                         static_cast<double>(last.evaluations);
    Row row =
        less_is_better("reference: NumPy script (extrapolated) vs ours", numpy.seconds * scale, last.seconds, "s", 50);
    row.note = fmt::format("NumPy: one evaluation of {} pairs over {} words took {:.1f} s and {:.1f} GB, times {:.1f}",
                           pairs.size(), words, numpy.seconds, numpy.peak / 1e9, scale);
    report.add(std::move(row));
  }
  return report.finish();
}
