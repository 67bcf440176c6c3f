#pragma once
#include <cstdlib>
#include <fstream>
#include <stdexcept>
#include <string>
#include <string_view>

namespace wordbridge::benchmarks {

/// The most memory that this process has had since this was made, as the system counts it.
class PeakMemory {
 public:
  PeakMemory() {
    std::ofstream reset("/proc/self/clear_refs");
    if (!(reset << "5" << std::flush)) throw std::runtime_error("the system does not reset peak memory");
  }
  double peak() const { return bytes_of("/proc/self/status", "VmHWM:"); }

  /// Now in use.
  static double now() { return bytes_of("/proc/self/status", "VmRSS:"); }
  /// What the machine could give.
  static double available() { return bytes_of("/proc/meminfo", "MemAvailable:"); }

 private:
  static double bytes_of(const char* file, std::string_view key) {
    std::ifstream lines(file);
    for (std::string line; std::getline(lines, line);)
      if (line.starts_with(key)) return std::strtod(line.c_str() + key.size(), nullptr) * 1024;
    throw std::runtime_error(std::string(file) + " does not tell " + std::string(key));
  }
};

}  // namespace wordbridge::benchmarks
