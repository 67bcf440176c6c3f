#include "cli/paths.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>

#include "base/error.h"

namespace wordbridge::cli {

namespace {

template <class Inputs>
void require_one(const Inputs& inputs) {
  if (std::count(inputs.begin(), inputs.end(), "-") > 1)
    throw UsageError("'-', standard input, can be given for one input only");
}

}  // namespace

void require_one_standard_input(std::initializer_list<std::string_view> inputs) { require_one(inputs); }
void require_one_standard_input(std::span<const std::string> inputs) { require_one(inputs); }

void refuse_overwriting(const std::string& output, std::span<const std::string> inputs) {
  std::error_code unknown;
  if (output == "-" || !std::filesystem::is_regular_file(output, unknown)) return;
  for (const std::string& input : inputs) {
    std::error_code error;
    if (!input.empty() && input != "-" && std::filesystem::equivalent(output, input, error) && !error)
      throw UsageError(fmt::format("the output '{}' is also an input", output));
  }
}

bool can_be_read_twice(const std::string& path) {
  std::error_code error;
  const auto type = std::filesystem::status(path, error).type();
  using Type = std::filesystem::file_type;
  return path != "-" && type != Type::fifo && type != Type::character && type != Type::socket;
}

std::string file_name(const std::string& path) {
  return path == "-" ? "standard input" : std::filesystem::path(path).filename().string();
}

std::string output_name(const std::string& path) { return path == "-" ? "standard output" : path; }

}  // namespace wordbridge::cli
