#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <exception>
#include <filesystem>
#include <fstream>
#include <stdexcept>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include "base/random.h"
#include "benchmarks/peak_memory.h"
#include "benchmarks/report.h"
#include "io/byte_stream.h"
#include "parallel/thread_pool.h"
#include "wordbridge/context.h"
#include "wordbridge/formats.h"

using namespace wordbridge;
using namespace wordbridge::benchmarks;

namespace {

constexpr const char* kPrintPeak = "--print-peak";  // for the program itself only
constexpr double kConstantBytes = 16e6;             // the program, its libraries and the blocks of text on their way

/// What the bases read into: what a program needs to look words up.
struct Table {
  std::unordered_map<std::string, std::size_t> ids;
  std::vector<float> values;
};

/// std::getline, then strtof for each number.
Table read_by_lines(const std::string& path) {
  std::ifstream file(path);
  std::string line;
  std::getline(file, line);
  std::size_t words = 0, dimension = 0;
  if (std::sscanf(line.c_str(), "%zu %zu", &words, &dimension) != 2) throw std::runtime_error("no header");
  Table table;
  table.ids.reserve(words);
  table.values.reserve(words * dimension);
  while (std::getline(file, line)) {
    const std::size_t blank = line.find(' ');
    table.ids.emplace(line.substr(0, blank), table.ids.size());
    const char* next = line.c_str() + blank;
    for (std::size_t i = 0; i < dimension; ++i) {
      char* end = nullptr;
      table.values.push_back(std::strtof(next, &end));
      next = end;
    }
  }
  return table;
}

/// operator>> for words and numbers.
Table read_by_operator(const std::string& path) {
  std::ifstream file(path);
  std::size_t words = 0, dimension = 0;
  file >> words >> dimension;
  Table table;
  table.ids.reserve(words);
  table.values.reserve(words * dimension);
  std::string word;
  while (file >> word) {
    table.ids.emplace(word, table.ids.size());
    for (std::size_t i = 0; i < dimension; ++i) {
      float value = 0;
      file >> value;
      table.values.push_back(value);
    }
  }
  return table;
}

/// Vectors as fastText writes them: 5 significant digits, a blank at the end of each line.
void write_file(const std::string& path, std::size_t words, std::size_t dimension) {
  Random random(1);
  const auto sink = create_bytes(path);
  std::string line = std::to_string(words) + " " + std::to_string(dimension) + "\n";
  for (std::size_t word = 0; word < words; ++word) {
    line += "word" + std::to_string(word) + " ";
    for (std::size_t i = 0; i < dimension; ++i) {
      char number[32];
      line.append(number,
                  static_cast<std::size_t>(std::snprintf(number, sizeof(number), "%.5g ", random.normal() / 5)));
    }
    line += '\n';
    sink->write(line);
    line.clear();
  }
  sink->finish();
}

/// In a process that does nothing else: reads the file, and prints its peak memory and the bytes of the table.
int print_peak(const std::string& path) {
  const PeakMemory memory;
  const WordVectors vectors = read_vectors(path);
  std::printf("%.0f %.0f\n", memory.peak(), static_cast<double>(vectors.table().size() * sizeof(float)));
  return 0;
}

struct Memory {
  double peak = 0, table = 0;
};

Memory memory_of_reading(const std::string& path) {
  const std::string program = std::filesystem::read_symlink("/proc/self/exe").string();
  std::FILE* child = ::popen(("'" + program + "' " + kPrintPeak + " '" + path + "'").c_str(), "r");
  if (child == nullptr) throw std::runtime_error("cannot start another process");
  Memory memory;
  const int read = std::fscanf(child, "%lf %lf", &memory.peak, &memory.table);
  if (::pclose(child) != 0 || read != 2) throw std::runtime_error("the other process failed");
  return memory;
}

void check_same(const std::string& path) {
  const Table expected = read_by_lines(path);
  const WordVectors vectors = read_vectors(path);
  if (vectors.size() != expected.ids.size() ||
      !std::equal(expected.values.begin(), expected.values.end(), vectors.table().data()))
    throw std::runtime_error("the two readers disagree");
}

}  // namespace

int main(int argc, char** argv) try {
  if (argc == 3 && std::string_view(argv[1]) == kPrintPeak) return print_peak(argv[2]);
  Report report("text_reading", "reading a text file of word vectors into a table with a vocabulary", argc, argv);
  const std::size_t words = report.option("words", 50'000, "rows of the file that is made for it");
  const std::size_t dimension = report.option("dimension", 300, "numbers of a row");
  const std::size_t rounds = report.option("rounds", 3, "runs of which the fastest counts");
  std::string path = report.text("file", "", "a file with header and one word a line to be read instead");
  report.check_options();

  const bool made = path.empty();
  if (made) {
    path = (std::filesystem::temp_directory_path() / ("wordbridge-benchmark-" + std::to_string(::getpid()) + ".vec"))
               .string();
    write_file(path, words, dimension);
  }
  check_same(path);
  const double megabytes = static_cast<double>(std::filesystem::file_size(path)) / 1e6;
  report.say(std::to_string(static_cast<int>(megabytes)) +
             " MB; the bases also fill a table and a map from words to rows");

  const auto ours = [&](int threads) {
    return [&path, threads] {
      Context context({.threads = threads});
      const Context::Scope scope(context);
      keep(read_vectors(path).table()(0, 0));
    };
  };
  const auto times = best_times(
      {[&] { keep(read_by_lines(path).values[0]); }, [&] { keep(read_by_operator(path).values[0]); }, ours(1), ours(0)},
      rounds);
  const auto rate = [&](std::size_t i) { return megabytes / times[i]; };
  report.add(more_is_better("getline and strtof, one core", rate(0), rate(2), "MB/s", 4));
  report.add(more_is_better("ifstream >>, one core", rate(1), rate(2), "MB/s", 10));
  report.add(more_is_better("ours on one core vs all " + std::to_string(ThreadPool::current().size()), rate(2), rate(3),
                            "MB/s"));
  const Memory memory = memory_of_reading(path);
  Row row = less_is_better("1.3 tables + 16 MB vs peak memory", (1.3 * memory.table + kConstantBytes) / 1e6,
                           memory.peak / 1e6, "MB", 1);
  char note[96];
  std::snprintf(note, sizeof(note), "the table has %.0f MB: the peak is %.2f times that", memory.table / 1e6,
                memory.peak / memory.table);
  row.note = note;
  report.add(std::move(row));
  if (made) std::filesystem::remove(path);
  return report.finish();
} catch (const std::exception& error) {
  std::fprintf(stderr, "text_reading: %s\n", error.what());
  return 1;
}
