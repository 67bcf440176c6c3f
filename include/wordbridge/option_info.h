#pragma once
#include <concepts>
#include <cstdint>
#include <limits>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace [[gnu::visibility("default")]] wordbridge {

/// What an option takes.
enum class OptionKind {
  flag,    // true or false
  whole,   // a whole number
  real,    // a number
  text,    // anything
  choice,  // one of some words
  wholes,  // whole numbers joined by commas
  reals,   // numbers joined by commas
};

/// An option as front ends (command line, Python, experiment file) offer it.
struct OptionInfo {
  std::string name = {};  // as on the command line, without dashes in front: "learning-rate"
  OptionKind kind = OptionKind::text;
  std::string help = {};          // one line, without the default
  std::string value_name = {};    // what stands for the value in help: "N", "X", "FILE", "LIST"; words joined by |
  std::string default_text = {};  // which sets it to what it is anyway; empty: none is needed
  std::vector<std::string> choices = {};
  double min = -std::numeric_limits<double>::infinity(), max = std::numeric_limits<double>::infinity();
  bool above_min = false;  // min itself is not allowed
  bool below_max = false;  // nor is max
  /// A word for a value that is not there, such as "auto"; with `zero_is_unset`, 0 says the same.
  std::string unset = {};
  bool zero_is_unset = false;
  std::string zero = {};        // a word for 0, such as "all"
  bool is_file = false;         // the text may be the path of a file that is read
  bool once = false;            // it is for one run, not for each of several
  std::string short_name = {};  // a letter that means the same on the command line: "k"
  bool writes = false;  // it has to do with files that are written beside the result: not for experiments of others

  /// "Length of the first steps (default: auto)"
  std::string help_with_default() const;
};

/// What an option is set to. All values are held as the text that a user would type, which says the same.
class OptionValue {
 public:
  OptionValue(std::string text) : text_(std::move(text)) {}
  OptionValue(std::string_view text) : text_(text) {}
  OptionValue(const char* text) : text_(text) {}
  OptionValue(bool value) : text_(value ? "true" : "false") {}
  template <std::integral T>
  OptionValue(T value) : text_(std::to_string(value)) {}
  OptionValue(double value);
  OptionValue(const std::vector<double>& values);

  const std::string& text() const { return text_; }

 private:
  std::string text_;
};

}  // namespace wordbridge
