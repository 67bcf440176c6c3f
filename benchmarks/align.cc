// Where the seconds and the memory of an alignment go: from files of vectors to the mapping, in a process of its own,
// with the processor time of each stage. The base is another program, as an earlier version, or the comparison of all
// kinds of map.
#include <fmt/format.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <filesystem>
#include <functional>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "base/random.h"
#include "benchmarks/peak_memory.h"
#include "benchmarks/report.h"
#include "parallel/thread_pool.h"
#include "wordbridge/align.h"
#include "wordbridge/context.h"
#include "wordbridge/formats.h"
#include "wordbridge/lexicon.h"

using namespace wordbridge;
using namespace wordbridge::benchmarks;

namespace {

/// What a process took.
struct Usage {
  double cpu = 0, wall = 0, bytes = 0;
  std::string output = {};  // what it wrote into its pipe
};

/// Runs something in a process of its own, and gives what it returns; ends the program where it fails.
Usage in_process(const std::function<std::string()>& work) {
  std::array<int, 2> ends = {};
  if (pipe(ends.data()) != 0) std::exit(1);
  std::fflush(stdout);
  const auto begin = std::chrono::steady_clock::now();
  const pid_t child = fork();
  if (child == 0) {
    close(ends[0]);
    int code = 0;
    try {
      const std::string text = work();
      for (std::size_t done = 0; done < text.size();) {
        const ssize_t written = write(ends[1], text.data() + done, text.size() - done);
        if (written <= 0) _exit(1);
        done += static_cast<std::size_t>(written);
      }
    } catch (const std::exception& error) {
      fmt::print(stderr, "{}\n", error.what());
      code = 1;
    }
    _exit(code);
  }
  close(ends[1]);
  Usage usage;
  std::array<char, 4096> buffer;
  for (ssize_t got = 0; (got = read(ends[0], buffer.data(), buffer.size())) > 0;)
    usage.output.append(buffer.data(), static_cast<std::size_t>(got));
  close(ends[0]);
  int status = 0;
  rusage resources = {};
  if (child < 0 || wait4(child, &status, 0, &resources) != child || !WIFEXITED(status) || WEXITSTATUS(status) != 0)
    std::exit(1);
  const auto seconds_of = [](const timeval& time) {
    return static_cast<double>(time.tv_sec) + 1e-6 * static_cast<double>(time.tv_usec);
  };
  usage.cpu = seconds_of(resources.ru_utime) + seconds_of(resources.ru_stime);
  usage.wall = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
  usage.bytes = 1024.0 * static_cast<double>(resources.ru_maxrss);
  return usage;
}

/// Processor time of all threads and peak memory by stage: what passes while a stage is the innermost one is its own.
class StageClock final : public Progress {
 public:
  void update(std::string_view stage, std::uint64_t, std::uint64_t, std::string_view note) override {
    charge();
    const std::string name =
        stage == "choosing a map" && !note.empty() ? fmt::format("{}: {}", stage, note) : std::string(stage);
    for (std::size_t i = 0; i < open_.size(); ++i)
      if (open_[i].stage == stage) {
        open_.resize(i + 1);
        open_[i].name = name;
        return;
      }
    open_.push_back({std::string(stage), name});
  }
  void finish(std::string_view stage) override {
    charge();
    for (std::size_t i = 0; i < open_.size(); ++i)
      if (open_[i].stage == stage) open_.resize(i);
  }
  /// Opens a stage that nobody else tells of, in place of the last such one.
  void enter(const std::string& stage) {
    charge();
    open_.assign(1, {stage, stage});
  }

  double peak() const { return peak_; }
  /// A line a stage, the dearest first.
  std::string lines() {
    charge();
    std::ranges::stable_sort(order_, std::greater<>(), [&](const std::string& name) { return spent_[name].seconds; });
    std::string text;
    for (const std::string& name : order_)
      text += fmt::format("{:>8.2f} CPU s  {:>5.0f} MB  {}\n", spent_[name].seconds, spent_[name].bytes / 1e6, name);
    return text;
  }

 private:
  struct Open {
    std::string stage, name;
  };

  static double now() {
    timespec time = {};
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time);
    return static_cast<double>(time.tv_sec) + 1e-9 * static_cast<double>(time.tv_nsec);
  }
  void charge() {
    const double time = now();
    std::string path;
    for (const Open& one : open_) path += (path.empty() ? "" : " > ") + one.name;
    if (path.empty()) path = "else";
    if (!spent_.contains(path)) order_.push_back(path);
    spent_[path].seconds += time - last_;
    spent_[path].bytes = std::max(spent_[path].bytes, memory_.peak());
    peak_ = std::max(peak_, memory_.peak());
    memory_ = PeakMemory();  // begins anew
    last_ = time;
  }

  std::vector<Open> open_;
  struct Spent {
    double seconds = 0, bytes = 0;
  };
  std::map<std::string, Spent> spent_;
  std::vector<std::string> order_;
  double last_ = now(), peak_ = 0;
  PeakMemory memory_;
};

struct Inputs {
  std::string source, target, lexicon;
  std::size_t words = 0;
};

std::string align_here(const Inputs& inputs, const AlignOptions& options, std::size_t threads) {
  StageClock clock;
  Context context({.threads = static_cast<int>(threads), .progress = &clock});
  const Context::Scope scope(context);
  clock.enter("reading");
  WordVectors source = read_vectors(inputs.source, {.max_words = inputs.words});
  WordVectors target = read_vectors(inputs.target, {.max_words = inputs.words});
  const Lexicon lexicon = read_lexicon(inputs.lexicon, source.vocabulary(), target.vocabulary());
  clock.enter("align");
  keep(align(std::move(source), std::move(target), lexicon, options));
  const std::string lines = clock.lines();
  return fmt::format("{}\n{}", clock.peak(), lines);
}

/// The words of a table again and again, as others, with noise of half their length, until there are enough.
WordVectors stretched(const WordVectors& vectors, std::size_t words) {
  const std::size_t d = vectors.dimension();
  Vocabulary vocabulary;
  Matrix table = Matrix::uninitialized(words, d);
  Random random(7);
  for (std::size_t i = 0; i < words; ++i) {
    const std::size_t from = i % vectors.size(), copy = i / vectors.size();
    std::string word(vectors.vocabulary()[from]);
    if (copy > 0) word += fmt::format("{}{}", static_cast<char>('a' + copy % 26), copy);
    while (!vocabulary.add(word)) word += "x";
    double length = 0;
    for (const float value : vectors.table().row(from)) length += double{value} * double{value};
    const double noise = copy == 0 ? 0 : 0.5 * std::sqrt(length / static_cast<double>(d));
    for (std::size_t j = 0; j < d; ++j)
      table(i, j) = vectors.table()(from, j) + (copy == 0 ? 0.0f : static_cast<float>(noise * random.normal()));
  }
  return {std::move(vocabulary), std::move(table)};
}

/// "learning-rate=25,epochs=10" as options by name.
std::map<std::string, OptionValue> parse_options(const std::string& text) {
  std::map<std::string, OptionValue> options;
  for (std::size_t begin = 0; begin < text.size();) {
    const std::size_t end = std::min(text.find(',', begin), text.size()), equals = text.find('=', begin);
    if (equals >= end) {
      fmt::print(stderr, "--options wants name=value,name=value\n");
      std::exit(2);
    }
    options.emplace(text.substr(begin, equals - begin), text.substr(equals + 1, end - equals - 1));
    begin = end + 1;
  }
  return options;
}

/// The same alignment by another program; it does not come back.
[[noreturn]] void become(const std::string& program, const Inputs& inputs, const std::string& method,
                         const std::string& options, const std::string& output, std::size_t threads) {
  std::vector<std::string> arguments = {program,
                                        "align",
                                        inputs.source,
                                        inputs.target,
                                        "--lexicon",
                                        inputs.lexicon,
                                        "-o",
                                        output,
                                        "--quiet",
                                        "--method",
                                        method,
                                        "--max-words",
                                        inputs.words == 0 ? "all" : std::to_string(inputs.words)};
  if (threads > 0) arguments.insert(arguments.end(), {"--threads", std::to_string(threads)});
  for (const auto& [name, value] : parse_options(options)) {
    arguments.push_back("--" + name);
    if (value.text() != "true") arguments.push_back(value.text());
  }
  std::vector<char*> pointers;
  for (std::string& argument : arguments) pointers.push_back(argument.data());
  pointers.push_back(nullptr);
  execvp(program.c_str(), pointers.data());
  fmt::print(stderr, "{} does not run\n", program);
  _exit(1);
}

}  // namespace

int main(int argc, char** argv) {
  Report report("align", "what a whole alignment takes, from files to the mapping", argc, argv);
  Inputs inputs;
  inputs.source = report.text("source", "data/sample/en.vec.xz", "vectors of the source language");
  inputs.target = report.text("target", "data/sample/es.vec.xz", "of the target language");
  inputs.lexicon = report.text("lexicon", "data/sample/en-es.train.txt", "pairs of their words");
  inputs.words = report.option("words", 50'000, "words of each that are read, at most; 0: all");
  const std::size_t stretch = report.option("stretch", 0, "words of each, made of these by noisy copies; 0: none");
  const std::string method = report.text("method", "auto", "of align");
  const std::string options = report.text("options", "", "of the method: name=value,name=value");
  const std::string base_program = report.text("base", "", "a program to compare with, as an earlier version");
  const std::size_t rounds = report.option("rounds", 1, "runs of which the fastest counts");
  const std::size_t threads = report.option("threads", 0, "threads; 0: one a core");
  report.check_options();

  const std::filesystem::path folder =
      std::filesystem::temp_directory_path() / fmt::format("wordbridge-align-{}", getpid());
  std::filesystem::create_directory(folder);
  if (stretch > 0) {
    report.say(fmt::format("stretched to {} words by copies with noise of half their length", stretch));
    in_process([&] {
      for (const bool source : {true, false}) {
        const WordVectors read = read_vectors(source ? inputs.source : inputs.target, {.max_words = inputs.words});
        write_vectors(folder / (source ? "source.wbvec" : "target.wbvec"), VectorFormat::native,
                      stretched(read, stretch));
      }
      return std::string();
    });
    inputs.source = folder / "source.wbvec";
    inputs.target = folder / "target.wbvec";
    inputs.words = 0;
  }
  AlignOptions ours_options{.method = method, .options = parse_options(options)};
  AlignOptions all = ours_options;
  all.options.insert_or_assign("choose", OptionValue("all"));
  const bool compares = !base_program.empty() || method == "auto";
  Usage base, ours;
  const auto keep_least = [](Usage& best, Usage usage) {
    if (best.cpu == 0 || usage.cpu < best.cpu) best = std::move(usage);
  };
  for (std::size_t round = 0; round < rounds; ++round) {
    if (compares)
      keep_least(base, in_process([&]() -> std::string {
                   if (base_program.empty()) return align_here(inputs, all, threads);
                   become(base_program, inputs, method, options, folder / "base.wbmap", threads);
                 }));
    keep_least(ours, in_process([&] { return align_here(inputs, ours_options, threads); }));
  }
  std::filesystem::remove_all(folder);
  // What the system remembers begins anew with each stage.
  const auto take_peak = [](Usage& usage) {
    const std::size_t end = usage.output.find('\n');
    if (end == std::string::npos) return;
    usage.bytes = std::strtod(usage.output.c_str(), nullptr);
    usage.output.erase(0, end + 1);
  };
  take_peak(base);
  take_peak(ours);
  for (std::size_t begin = 0; begin < ours.output.size();) {
    const std::size_t end = ours.output.find('\n', begin);
    report.say(ours.output.substr(begin, end - begin));
    begin = end + 1;
  }
  const std::string what = method + (options.empty() ? "" : " " + options);
  const std::string against = base_program.empty() ? "--choose all" : "the base";
  report.add(less_is_better(what + ", processor time, vs " + against, base.cpu, ours.cpu, "s"));
  report.add(less_is_better(what + ", on the wall, vs " + against, base.wall, ours.wall, "s"));
  report.add(less_is_better(what + ", peak memory, vs " + against, base.bytes / 1e6, ours.bytes / 1e6, "MB"));
  return report.finish();
}
