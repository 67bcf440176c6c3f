#pragma once
#include <functional>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "wordbridge/error.h"

namespace wordbridge {

/// An option in a message, by its name in the registry, with the value that it has there or should have; none: the
/// option itself.
struct OptionName {
  explicit OptionName(std::string named, std::string with = {}) : name(std::move(named)), value(std::move(with)) {}

  std::string name;   // "learning-rate"
  std::string value;  // "10"
};

/// A message in parts: every front end spells the options in it in its own way.
class OptionMessage {
 public:
  OptionMessage(OptionName option) { parts_.emplace_back(std::move(option)); }
  explicit OptionMessage(std::string text) { parts_.emplace_back(std::move(text)); }

  std::string text(const std::function<std::string(const OptionName&)>& spell) const;

 private:
  using Part = std::variant<std::string, OptionName>;
  friend OptionMessage operator+(OptionMessage message, const OptionMessage& more);
  std::vector<Part> parts_;
};

OptionMessage operator+(OptionMessage message, const OptionMessage& more);
inline OptionMessage operator+(OptionMessage message, std::string text) {
  return std::move(message) + OptionMessage(std::move(text));
}
inline OptionMessage operator+(std::string text, OptionName option) {
  return OptionMessage(std::move(text)) + OptionMessage(std::move(option));
}

/// A wrong call whose message names options. what() spells them as programs in C++ do: "learning-rate", "method rcsls".
class OptionError : public UsageError {
 public:
  OptionError(OptionMessage message);
  const OptionMessage& message() const { return message_; }

 private:
  OptionMessage message_;
};

/// "--learning-rate", "--method rcsls": as on the command line and in files of experiments.
std::string spell_with_dashes(const OptionName& option);
/// "learning_rate", "method=rcsls": as keyword arguments of Python.
std::string spell_as_keyword(const OptionName& option);

/// What an error says on the command line.
std::string command_line_text(const Error& error);

}  // namespace wordbridge
