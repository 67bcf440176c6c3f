#include "cli/paths.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <utility>
#include <vector>

#include "vectors/formats/item_table.h"
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
  for (const std::string_view table : {".npy", ".f32", ".f16", ".safetensors"})
    if (path.ends_with(table))
      for (const char* extension : extensions) paths.push_back(path.substr(0, path.size() - table.size()) + extension);
  return paths;
}

/// The file, or all of those that a pattern or a list stands for.
std::vector<std::string> all_files(const std::string& path) {
  if (!names_many_files(path)) return {path};
  std::vector<std::string> files = files_of_table(path);
  if (path.starts_with('@')) files.push_back(path.substr(1));
  return files;
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
                                ".jsonl", ".bin", ".w2v", ".npy", ".safetensors", ".f32", ".f16", ".wbvec"})
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
  std::vector<std::string> files;
  for (const std::string& input : inputs)
    for (const std::string& file : all_files(input))
      for (std::string& read : with_words(file, {".vocab", ".txt", ".vocab.txt"})) files.push_back(std::move(read));
  for (const std::string& written : with_words(output, {".vocab"}))
    for (const std::string& read : files)
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
