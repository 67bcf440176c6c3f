#include <fmt/format.h>

#include <charconv>
#include <cmath>
#include <filesystem>
#include <map>
#include <string>
#include <string_view>

#include "base/atomic_file.h"
#include "base/wording.h"
#include "cli/commands/command.h"
#include "cli/communicator.h"
#include "cli/options/arguments.h"
#include "cli/options/format_options.h"
#include "cli/options/vector_options.h"
#include "cli/paths.h"
#include "cli/report/hub_page.h"
#include "cli/session.h"
#include "cli/slurm.h"
#include "hub/hub_runner.h"
#include "hub/language_list.h"
#include "wordbridge/error.h"

namespace wordbridge::cli {

namespace {

/// "8G", "500M", "1.5T"; a number alone is bytes.
std::uint64_t parse_memory(const std::string& text) {
  double number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  std::string_view unit(end, static_cast<std::size_t>(text.data() + text.size() - end));
  if (unit.ends_with("iB"))
    unit.remove_suffix(2);
  else if (unit.ends_with("B"))
    unit.remove_suffix(1);
  constexpr std::string_view kUnits = "KMGT";
  const std::size_t power = unit.empty() ? 0 : kUnits.find(unit.front()) + 1;
  const double bytes = number * std::pow(1024.0, static_cast<double>(power));
  if (error != std::errc() || unit.size() > 1 || (!unit.empty() && power == 0) || !(bytes >= 1) || bytes > 1e18)
    throw UsageError(fmt::format("--memory {}: a size such as 8G or 500M is wanted", text));
  return static_cast<std::uint64_t>(bytes);
}

/// Tells people how it goes.
class HubNotes final : public HubObserver {
 public:
  explicit HubNotes(Session& session) : session_(session) {}
  void note(const std::string& line) override { session_.note(line); }
  void failed(const std::string& language, const std::string& reason) override {
    session_.warn(fmt::format("{}: {}", language, reason));
  }

 private:
  Session& session_;
};

/// Puts many languages into one space.
class HubCommand final : public Command {
 public:
  void declare(Arguments& arguments) override {
    arguments.list("languages", lists_, 0, 1, "[languages]", "The list of languages and lexicons (.toml)");
    arguments.heading("Output");
    arguments.text("-o,--output", output_, "FOLDER",
                   "The folder of the hub; what is finished there already is not done again",
                   Arguments::Need::required);
    format_.declare(arguments);
    arguments.heading("Instead of a list");
    arguments.text("--pivot", pivot_, "FILE", "Vectors of the language that all others are aligned to, as en.vec");
    arguments.text("--vectors", vectors_, "FOLDER", "Vectors by language: es.vec, wiki.es.vec, cc.es.300.vec.gz");
    arguments.text("--lexicons", lexicons_, "FOLDER",
                   "Lexicons by pair: es-en.train.txt (or es-en.0-5000.txt, es-en.txt), es-en.validation.txt, "
                   "es-en.test.txt (or es-en.5000-6500.txt)");
    arguments.heading("Alignment");
    arguments.text("--method", method_, "METHOD",
                   "How maps are learned, as in 'wordbridge align' (default: the list's, else procrustes)");
    arguments.list("--option", set_, 1, Arguments::kMostFiles, "NAME=VALUE...",
                   "Options of the method, as learning-rate=10");
    arguments.text("--normalize", normalization_, "STEPS", "Of all languages (default: the list's, else the method's)");
    arguments.flag("--joint", joint_,
                   "Learn all maps together, too, from the lexicons of all pairs, and recommend what does better on "
                   "held-out words");
    arguments.heading("Work");
    arguments.text("--memory", memory_, "SIZE",
                   "As many languages at a time as fit into it, such as 8G (default: what is free)");
    arguments.number("--matrix-words", matrix_words_, 0, Arguments::kMost,
                     "Words of each language in measurements, 0 for all (default: 0)");
    arguments.flag("--no-rerank", no_rerank_,
                   "Do not learn to rank translations anew: CSLS alone, in about a fifth of the time");
    arguments.flag("--no-matrix", no_matrix_, "Measure each language with the pivot only, not all pairs");
    arguments.list("--language", only_, 1, Arguments::kMostFiles, "NAME...",
                   "Align only these, and measure nothing: for several machines, each with languages of its own");
    arguments.flag("--join", join_, "Align nothing more: measure what is aligned, write manifest and report");
    arguments.heading("Slurm");
    arguments.flag("--slurm", slurm_, "Submit an array of jobs, one task a language, and a last one that joins them");
    arguments.list("--sbatch", sbatch_, 1, Arguments::kMostFiles, "NAME=VALUE...",
                   "Options of sbatch for all jobs, as partition=long time=12:00:00 cpus-per-task=16 mem=32G");
    arguments.list("--sbatch-join", sbatch_join_, 1, Arguments::kMostFiles, "NAME=VALUE...",
                   "More of them for the last job, over the others");
    arguments.flag("--no-submit", no_submit_, "Only write the scripts, into the folder 'slurm' of the hub");
    read_.declare(arguments, "the list's, else 200000");
    arguments_.emplace(arguments);
  }

  ExitCode run(Session& session) override {
    check_parts();
    const HubOptions options{.folder = output_,
                             .memory = memory_.empty() ? 0 : parse_memory(memory_),
                             .matrix_words = matrix_words_,
                             .matrix = !no_matrix_,
                             .rerank = !no_rerank_,
                             .lenient = read_.lenient,
                             .align = !join_};
    LanguageList list = languages();
    HubNotes notes(session);
    HubObserver nobody;
    const std::string pivot = list.pivot;
    HubRunner runner(std::move(list), options, communicator().is_first() ? notes : nobody, communicator());
    if (slurm_) return submit(session, pivot, runner.open_tasks());
    return only_.empty() ? make(session, runner) : align_only(session, runner);
  }

 private:
  /// What cannot go together.
  void check_parts() const {
    if (!slurm_ && (!sbatch_.empty() || !sbatch_join_.empty() || no_submit_))
      throw UsageError("--sbatch, --sbatch-join and --no-submit go with --slurm");
    if (int{slurm_} + int{join_} + int{!only_.empty()} > 1)
      throw UsageError("--slurm, --language and --join exclude each other");
    if (!slurm_) return;
    if (communicator().size() > 1) throw UsageError("--slurm submits jobs: 'wordbridge hub --slurm', without mpirun");
    if (!lists_.empty() && !can_be_read_twice(lists_.front()))
      throw UsageError(fmt::format("{}: the jobs must read the list, too: a file is wanted", lists_.front()));
    check_sbatch_options(sbatch_);
    check_sbatch_options(sbatch_join_);
    if (!no_submit_) require_slurm();
  }

  ExitCode make(Session& session, HubRunner& runner) const {
    const Stopwatch stopwatch;
    const HubManifest manifest = runner.run();
    const ExitCode code = manifest.failed.empty() ? ExitCode::success : ExitCode::failure;
    end_together();
    if (!communicator().is_first()) return code;
    const HubFolder folder(output_);
    std::map<std::string, Provenance> provenances;
    for (const HubManifest::Language& language : manifest.languages)
      if (!language.mapping.empty())
        provenances.emplace(language.name, read_mapping(folder.resolve(language.mapping)).provenance);
    write_kept_file(folder.report(), hub_page(manifest, provenances));
    session.print(format_.json() ? to_json(manifest) : format_.render(hub_table(manifest), hub_notes(manifest)));
    session.note(fmt::format("{} written: {} in one space, {} failed ({}); open {} in a browser", output_,
                             counted(manifest.languages.size(), "language"), manifest.failed.size(),
                             stopwatch.to_text(), folder.report()));
    return code;
  }

  ExitCode align_only(Session& session, HubRunner& runner) const {
    const Stopwatch stopwatch;
    const std::size_t failed = runner.align_only(only_).size();
    end_together();
    if (communicator().is_first())
      session.note(
          fmt::format("{} of {} finished in {} ({}); when all are: --join measures them and writes the manifest",
                      only_.size() - failed, counted(only_.size(), "language"), output_, stopwatch.to_text()));
    return failed == 0 ? ExitCode::success : ExitCode::failure;
  }

  ExitCode submit(Session& session, const std::string& pivot, const HubTasks& tasks) const {
    SlurmHub hub{.program = std::filesystem::read_symlink("/proc/self/exe").string(),
                 .working_folder = std::filesystem::current_path().string(),
                 .arguments = {"hub"},
                 .pivot = pivot,
                 .pivot_first = tasks.pivot,
                 .languages = tasks.languages,
                 .options = sbatch_,
                 .join_options = sbatch_join_,
                 .threads_given = session.options().threads > 0,
                 .memory_given = !memory_.empty()};
    for (std::string& word : arguments_->given({"--slurm", "--sbatch", "--sbatch-join", "--no-submit"}))
      hub.arguments.push_back(std::move(word));
    const GlobalOptions& everywhere = session.options();
    if (everywhere.seed != GlobalOptions().seed)
      hub.arguments.insert(hub.arguments.end(), {"--seed", std::to_string(everywhere.seed)});
    if (everywhere.threads > 0)
      hub.arguments.insert(hub.arguments.end(), {"--threads", std::to_string(everywhere.threads)});
    const std::string folder = HubFolder(output_).slurm(), script = write_scripts(job_scripts(hub), folder);
    if (no_submit_) {
      session.note(fmt::format("next: sh {} submits what {} holds: {} to align, and the job that joins",
                               shell_word(script), folder, counted(tasks.languages.size(), "language")));
      return ExitCode::success;
    }
    session.print(submit_jobs(script));
    session.note(fmt::format("{} to align; the jobs write to {}", counted(tasks.languages.size(), "language"), folder));
    session.note(
        fmt::format("next: squeue --me; when the last job has ended, {} shows the hub. Repeat this command for "
                    "tasks that were killed",
                    HubFolder(output_).report()));
    return ExitCode::success;
  }

  LanguageList languages() const {
    const bool by_name = !pivot_.empty() || !vectors_.empty() || !lexicons_.empty();
    if (by_name && !lists_.empty())
      throw UsageError("languages are given twice: by a list, and by --pivot and folders");
    if (!by_name && lists_.empty())
      throw UsageError("languages are wanted: a list (.toml), or --pivot FILE, --vectors FOLDER and --lexicons FOLDER");
    if (by_name && (pivot_.empty() || vectors_.empty() || lexicons_.empty()))
      throw UsageError("--pivot, --vectors and --lexicons go together");
    LanguageList list = by_name ? find_languages(pivot_, vectors_, lexicons_) : read_language_list(lists_.front());
    if (!method_.empty()) {
      if (method_ != list.method) list.options.clear();  // they were for another one
      list.method = align_method(method_).name;
    }
    for (const std::string& text : set_) {
      const std::size_t equals = text.find('=');
      if (equals == 0 || equals == std::string::npos)
        throw UsageError(fmt::format("--option {}: NAME=VALUE is wanted, as learning-rate=10", text));
      list.options.insert_or_assign(text.substr(0, equals), OptionValue(text.substr(equals + 1)));
    }
    if (!normalization_.empty()) list.normalization = normalization_;
    list.joint = list.joint || joint_;
    list.max_words = read_.max_words.value_or(list.max_words);
    return list;
  }

  std::vector<std::string> lists_, set_, only_, sbatch_, sbatch_join_;
  std::string output_, pivot_, vectors_, lexicons_, method_, normalization_, memory_;
  std::uint64_t matrix_words_ = 0;
  bool joint_ = false, no_matrix_ = false, no_rerank_ = false, join_ = false, slurm_ = false, no_submit_ = false;
  std::optional<Arguments> arguments_;
  VectorOptions read_;
  TableFormat format_;
};

}  // namespace

CommandEntry hub_command() {
  return {
      "hub", "Put many languages into one space, measure all pairs",
      "  wordbridge hub languages.toml -o space\n"
      "  wordbridge hub --pivot en.vec --vectors VECTORS --lexicons LEXICONS -o space\n"
      "  wordbridge hub languages.toml --joint --memory 16G -o space\n"
      "  wordbridge hub languages.toml -o space --slurm --sbatch partition=long time=8:00:00 cpus-per-task=16 mem=32G\n"
      "  wordbridge translate --hub space es de noche\n"
      "The folder holds a mapping a language, manifest.json and report.html. Repeat a command that was interrupted:\n"
      "it goes on where it was. The exit code is 1 where a language failed; the others are finished then.",
      make_command<HubCommand>};
}

}  // namespace wordbridge::cli
