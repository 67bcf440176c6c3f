#pragma once
#include <cstddef>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

namespace wordbridge::benchmarks {

/// One comparison. `ratio` says how many times better `ours` is than `base`, so larger is better whatever the unit.
struct Row {
  std::string what;
  double base = 0;
  double ours = 0;
  std::string unit;       // of base and ours: "s", "MB/s", "us/query"
  double ratio = 0;       // less_is_better() or more_is_better() computes it
  double target = 0;      // the ratio that is wanted at least; 0: none
  std::string note = {};  // a remark for people, not part of the JSON
};

/// Rows for times, bytes and the like: ratio = base / ours.
Row less_is_better(std::string what, double base, double ours, std::string unit, double target = 0);
/// Rows for rates and the like: ratio = ours / base.
Row more_is_better(std::string what, double base, double ours, std::string unit, double target = 0);

/// The command line and the result of one benchmark program. Its options are the ones that are asked for with option()
/// and text(), each `--name value`; `--append FILE` (one JSON object a line, for benchmarks/run), `--clock cpu` (see
/// seconds()) and `--help` are there always.
///
///   Report report("search", "exact search for the 10 nearest rows", argc, argv);
///   const std::size_t rows = report.option("rows", 200'000, "rows of the table");
///   report.check_options();
///   ...
///   report.add(less_is_better("10 of 200,000 rows, d = 300", times[0], times[1], "s", 2.5));
///   return report.finish();
class Report {
 public:
  Report(std::string benchmark, std::string question, int argc, char** argv);

  std::size_t option(std::string_view name, std::size_t standard, std::string_view help);
  std::string text(std::string_view name, std::string_view standard, std::string_view help);
  /// Ends the program on --help (exit 0) or on an option that nobody asked for (exit 2).
  void check_options();

  /// Prints the row at once.
  void add(Row row);
  /// A line for people above the rows: what is compared with what.
  void say(std::string_view line);
  /// Writes the JSON where asked for; the exit code for main().
  int finish() const;

 private:
  struct Option {
    std::string name, value, standard, help;
    bool given = false, known = false;
  };
  std::string take(std::string_view name, std::string_view standard, std::string_view help);

  std::string benchmark_, question_, append_path_;
  std::vector<Option> options_;
  bool help_ = false, heading_ = false;
  std::vector<Row> rows_;
};

/// The time: differences are seconds on the wall, or with `--clock cpu` of processor time of all threads, which tells
/// more on a machine that others use at the same time.
double seconds();

/// The smallest time of each alternative, in seconds, over `rounds` rounds in which all run in turn: a change in
/// the machine's load then hits all of them alike.
std::vector<double> best_times(const std::vector<std::function<void()>>& alternatives, std::size_t rounds);

/// Keeps a result from being optimized away.
template <class T>
void keep(const T& value) {
  asm volatile("" : : "r"(&value) : "memory");
}

}  // namespace wordbridge::benchmarks
