#pragma once
#include <initializer_list>
#include <span>
#include <string>
#include <string_view>

namespace wordbridge::cli {

/// UsageError where more than one of the inputs is standard input (`-`).
void require_one_standard_input(std::initializer_list<std::string_view> inputs);
void require_one_standard_input(std::span<const std::string> inputs);

/// UsageError for a name that says that a mapping is something else: "en-es.vec".
void require_mapping_name(const std::string& output);

/// UsageError where two outputs are one file.
void refuse_same_output(const std::string& one, const std::string& other);

/// UsageError where the output is one of the inputs, by whatever name: it would be gone if the work failed. The words
/// beside a .npy file are an input, and an output, with it. Empty paths, pipes, devices and standard output (`-`) count
/// for nothing.
void refuse_overwriting(const std::string& output, std::span<const std::string> inputs);

/// False for standard input and pipes: what is read from them is gone.
bool can_be_read_twice(const std::string& path);

/// The last part of a path, for people.
std::string file_name(const std::string& path);
/// The path of an output for people: `-` is standard output.
std::string output_name(const std::string& path);

}  // namespace wordbridge::cli
