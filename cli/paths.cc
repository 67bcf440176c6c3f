#include "cli/paths.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <vector>

#include "wordbridge/error.h"

namespace wordbridge::cli {

namespace {

template <class Inputs>
void require_one(const Inputs& inputs) {
  if (std::count(inputs.begin(), inputs.end(), "-") > 1)
    throw UsageError("'-', standard input, can be given for one input only");
}

/// A table and the files that may hold its words.
std::vector<std::string> with_words(const std::string& path, std::initializer_list<const char*> extensions) {
  std::vector<std::string> paths = {path};
  if (path.ends_with(".npy"))
    for (const char* extension : extensions) paths.push_back(path.substr(0, path.size() - 4) + extension);
  return paths;
}

bool is_same_file(const std::string& output, const std::string& input) {
  std::error_code unknown, error;
  return output != "-" && !input.empty() && input != "-" && std::filesystem::is_regular_file(output, unknown) &&
         std::filesystem::equivalent(output, input, error) && !error;
}

}  // namespace

void require_one_standard_input(std::initializer_list<std::string_view> inputs) { require_one(inputs); }
void require_one_standard_input(std::span<const std::string> inputs) { require_one(inputs); }

void require_mapping_name(const std::string& output) {
  std::filesystem::path stem = output;
  bool misleads = false;
  for (const char* extension : {".gz", ".zst", ".xz", ".bz2", ".wbmap", ".vec", ".txt", ".tsv", ".csv", ".json",
                                ".jsonl", ".bin", ".w2v", ".npy", ".wbvec"})
    if (stem.extension() == extension) {
      misleads = misleads || extension != std::string_view(".wbmap");
      stem.replace_extension();
    }
  if (misleads)
    throw UsageError(fmt::format("a mapping is a .wbmap file, and '{}' is named like another: call it '{}.wbmap'",
                                 output, stem.string()));
}

void refuse_same_output(const std::string& one, const std::string& other) {
  if (one.empty() || other.empty()) return;
  const auto place = [](const std::string& path) {
    std::error_code unknown;
    return std::filesystem::weakly_canonical(std::filesystem::absolute(path), unknown);
  };
  if (place(one) == place(other))
    throw UsageError(fmt::format("the outputs '{}' and '{}' are the same file", one, other));
}

void refuse_overwriting(const std::string& output, std::span<const std::string> inputs) {
  for (const std::string& written : with_words(output, {".vocab"}))
    for (const std::string& input : inputs)
      for (const std::string& read : with_words(input, {".vocab", ".txt", ".vocab.txt"}))
        if (is_same_file(written, read)) throw UsageError(fmt::format("the output '{}' is also an input", written));
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
