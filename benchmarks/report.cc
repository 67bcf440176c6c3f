#include "benchmarks/report.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <limits>
#include <utility>

#include "base/json.h"

namespace wordbridge::benchmarks {

namespace {

constexpr int kWhatWidth = 52;
clockid_t clock_id = CLOCK_MONOTONIC;

[[noreturn]] void wrong_usage(const std::string& message) {
  fmt::print(stderr, "{}\n", message);
  std::exit(2);
}

std::string number(double value) {
  if (value == 0) return "0";
  const double size = std::abs(value);
  if (size >= 1000) return fmt::format("{:.0f}", value);
  return fmt::format("{:#.3g}", value);
}

void print_line(std::string_view what, std::string_view base, std::string_view ours, std::string_view ratio,
                std::string_view target) {
  fmt::print("{:<{}} | {:>16} | {:>16} | {:>7} | {}\n", what, kWhatWidth, base, ours, ratio, target);
  std::fflush(stdout);
}

}  // namespace

Row less_is_better(std::string what, double base, double ours, std::string unit, double target) {
  return {std::move(what), base, ours, std::move(unit), ours > 0 ? base / ours : 0, target};
}

Row more_is_better(std::string what, double base, double ours, std::string unit, double target) {
  return {std::move(what), base, ours, std::move(unit), base > 0 ? ours / base : 0, target};
}

Report::Report(std::string benchmark, std::string question, int argc, char** argv)
    : benchmark_(std::move(benchmark)), question_(std::move(question)) {
  for (int i = 1; i < argc; ++i) {
    const std::string argument = argv[i];
    if (argument == "--help") {
      help_ = true;
      continue;
    }
    if (!argument.starts_with("--")) wrong_usage(benchmark_ + ": unexpected argument '" + argument + "'");
    const std::size_t equals = argument.find('=');
    if (equals == std::string::npos && i + 1 >= argc) wrong_usage(benchmark_ + ": " + argument + " wants a value");
    const std::string name = argument.substr(2, equals == std::string::npos ? equals : equals - 2);
    const std::string value = equals == std::string::npos ? argv[++i] : argument.substr(equals + 1);
    if (name == "append")
      append_path_ = value;
    else if (name == "clock" && (value == "cpu" || value == "wall"))
      clock_id = value == "cpu" ? CLOCK_PROCESS_CPUTIME_ID : CLOCK_MONOTONIC;
    else
      options_.push_back({name, value, "", "", true, false});
  }
}

std::string Report::take(std::string_view name, std::string_view standard, std::string_view help) {
  std::string value(standard);
  bool given = false;
  for (Option& option : options_) {
    if (option.name != name) continue;
    option.known = given = true;
    option.standard = standard;
    option.help = help;
    value = option.value;
  }
  if (!given) options_.push_back({std::string(name), value, value, std::string(help), false, true});
  return value;
}

std::size_t Report::option(std::string_view name, std::size_t standard, std::string_view help) {
  const std::string value = take(name, std::to_string(standard), help);
  std::size_t result = 0;
  const auto [end, error] = std::from_chars(value.data(), value.data() + value.size(), result);
  if (error != std::errc() || end != value.data() + value.size())
    wrong_usage(fmt::format("{}: --{} wants a whole number, not '{}'", benchmark_, name, value));
  return result;
}

std::string Report::text(std::string_view name, std::string_view standard, std::string_view help) {
  return take(name, standard, help);
}

void Report::check_options() {
  if (help_) {
    fmt::print("{}: {}\n", benchmark_, question_);
    for (const Option& option : options_)
      if (option.known) fmt::print("  --{:<20} {} ({})\n", option.name + " value", option.help, option.standard);
    std::exit(0);
  }
  for (const Option& option : options_)
    if (!option.known) wrong_usage(fmt::format("{}: unknown option --{} (see --help)", benchmark_, option.name));
}

void Report::say(std::string_view line) {
  fmt::print("  {}\n", line);
  std::fflush(stdout);
}

void Report::add(Row row) {
  if (!std::exchange(heading_, true)) {
    fmt::print("\n{}: {}\n", benchmark_, question_);
    print_line("what", "base", "ours", "ratio", "target");
    fmt::print("{:-<{}}-|-{:->16}-|-{:->16}-|-{:->7}-|-{:-<12}\n", "", kWhatWidth, "", "", "", "");
  }
  std::string target = "-";
  if (row.target > 0) target = number(row.target) + (row.ratio >= row.target ? " met" : " missed");
  print_line(row.what, number(row.base) + " " + row.unit, number(row.ours) + " " + row.unit, number(row.ratio), target);
  if (!row.note.empty()) say(row.note);
  rows_.push_back(std::move(row));
}

int Report::finish() const {
  if (append_path_.empty()) return 0;
  std::FILE* file = std::fopen(append_path_.c_str(), "a");
  if (file == nullptr) wrong_usage(benchmark_ + ": cannot write " + append_path_);
  for (const Row& row : rows_) {
    const Json object = {{"benchmark", benchmark_}, {"what", row.what},
                         {"base", row.base},        {"ours", row.ours},
                         {"ratio", row.ratio},      {"target", row.target > 0 ? Json(row.target) : Json()},
                         {"unit", row.unit}};
    fmt::print(file, "{}\n", object.dump());
  }
  return std::fclose(file) == 0 ? 0 : 1;
}

double seconds() {
  timespec time{};
  clock_gettime(clock_id, &time);
  return static_cast<double>(time.tv_sec) + 1e-9 * static_cast<double>(time.tv_nsec);
}

std::vector<double> best_times(const std::vector<std::function<void()>>& alternatives, std::size_t rounds) {
  std::vector<double> best(alternatives.size(), std::numeric_limits<double>::infinity());
  for (std::size_t round = 0; round < rounds; ++round) {
    for (std::size_t i = 0; i < alternatives.size(); ++i) {
      const double start = seconds();
      alternatives[i]();
      best[i] = std::min(best[i], seconds() - start);
    }
  }
  return best;
}

}  // namespace wordbridge::benchmarks
