#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

#include "base/random.h"
#include "benchmarks/fma_peak.h"
#include "benchmarks/peak_memory.h"
#include "benchmarks/report.h"
#include "mapping/mapped_file.h"
#include "vectors/formats/npy.h"
#include "vectors/formats/number_table.h"
#include "wordbridge/error.h"

using namespace wordbridge;
using namespace wordbridge::benchmarks;

namespace {

/// Made-up float16 rows; a few thousand different ones are enough.
void make_table(const std::string& path, std::size_t rows, std::size_t dimension) {
  constexpr std::size_t kDifferent = 4096;
  Random random(1);
  std::vector<std::uint16_t> block(kDifferent * dimension);
  for (std::uint16_t& half : block) {
    const float value = static_cast<float>(random.uniform() - 0.5);
    encode_float16({&value, 1}, &half);
  }
  std::ofstream file(path, std::ios::binary);
  file << make_npy_header({.type = {NumberType::Kind::float16}, .rows = rows, .cols = dimension, .row_ids = true});
  for (std::size_t done = 0; done < rows; done += kDifferent)
    file.write(reinterpret_cast<const char*>(block.data()),
               static_cast<std::streamsize>(std::min(kDifferent, rows - done) * dimension * 2));
  if (!file.flush()) throw Error(path + ": cannot write");
}

/// What `cat FILE > /dev/null` does: all bytes, one after the other.
void read_through(const std::string& path) {
  std::vector<char> buffer(std::size_t{1} << 20);
  std::ifstream file(path, std::ios::binary);
  file.rdbuf()->pubsetbuf(nullptr, 0);
  while (file.read(buffer.data(), static_cast<std::streamsize>(buffer.size()))) keep(buffer);
}

}  // namespace

int main(int argc, char** argv) {
  Report report("apply_stream", "mapping a table of float16 on the disk, block by block", argc, argv);
  const std::size_t rows = report.option("rows", 200'000, "rows of the table");
  const std::size_t dimension = report.option("dimension", 1024, "numbers a row; of the result, too");
  const std::string folder =
      report.text("folder", "", "where the files go, 4 bytes a number; default: that for temporary files");
  report.check_options();
  namespace fs = std::filesystem;
  const fs::path place = (folder.empty() ? fs::temp_directory_path() : fs::path(folder)) /
                         ("wordbridge-apply-stream-" + std::to_string(::getpid()));
  fs::create_directory(place);
  const std::string input = place / "in.npy", output = place / "out.npy";
  make_table(input, rows, dimension);
  Random random(2);
  Matrix map(dimension, dimension);
  for (float& value : map.elements()) value = static_cast<float>(random.normal());
  const Mapping mapping(std::move(map), {}, {});
  const FileMapping how{.format = VectorFormat::npy_float16, .resume = true};

  double operations = 0;
  const PeakMemory memory;
  const double before = PeakMemory::now();
  const auto times = best_times(
      {[&] { read_through(input); }, [&] { operations = run_fma_peak(__builtin_cpu_supports("avx512f") != 0); },
       [&] { write_mapped_file(mapping, how, input, nullptr, output); }},
      2);
  const double gigabytes = static_cast<double>(rows * dimension * 2) / 1e9;
  const double products = 2.0 * static_cast<double>(rows) * static_cast<double>(dimension * dimension) / 1e9;
  report.add(more_is_better("cat (from memory where it is cached) vs apply", gigabytes / times[0], gigabytes / times[2],
                            "GB/s"));
  report.add(more_is_better("FMA roof of all threads vs apply", operations / times[1] / 1e9, products / times[2],
                            "Gflop/s", 0.7));
  report.add(less_is_better("512 MB vs memory taken", 512e6, memory.peak() - before, "bytes", 1));
  fs::remove_all(place);
  return report.finish();
}
