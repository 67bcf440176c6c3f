#pragma once
#include <initializer_list>
#include <span>
#include <string>
#include <string_view>

namespace wordbridge::cli {

/// UsageError where more than one of the inputs is standard input (`-`).
void require_one_standard_input(std::initializer_list<std::string_view> inputs);
void require_one_standard_input(std::span<const std::string> inputs);

/// UsageError where the output is one of the inputs, by whatever name: it would be gone if the work failed. Empty
/// paths, pipes, devices and standard output (`-`) count for nothing.
void refuse_overwriting(const std::string& output, std::span<const std::string> inputs);

/// False for standard input and pipes: what is read from them is gone.
bool can_be_read_twice(const std::string& path);

/// The last part of a path, for people.
std::string file_name(const std::string& path);
/// The path of an output for people: `-` is standard output.
std::string output_name(const std::string& path);

}  // namespace wordbridge::cli
