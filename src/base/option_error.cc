#include "base/option_error.h"

#include <algorithm>

namespace wordbridge {

namespace {

std::string spell_plainly(const OptionName& option) {
  return option.value.empty() ? option.name : option.name + " " + option.value;
}

}  // namespace

std::string OptionMessage::text(const std::function<std::string(const OptionName&)>& spell) const {
  std::string text;
  for (const Part& part : parts_)
    if (const auto* option = std::get_if<OptionName>(&part))
      text += spell(*option);
    else
      text += std::get<std::string>(part);
  return text;
}

OptionMessage operator+(OptionMessage message, const OptionMessage& more) {
  message.parts_.insert(message.parts_.end(), more.parts_.begin(), more.parts_.end());
  return message;
}

OptionError::OptionError(OptionMessage message)
    : UsageError(message.text(spell_plainly)), message_(std::move(message)) {}

std::string spell_with_dashes(const OptionName& option) { return "--" + spell_plainly(option); }

std::string spell_as_keyword(const OptionName& option) {
  std::string name = option.name;
  std::ranges::replace(name, '-', '_');
  return option.value.empty() ? name : name + "=" + option.value;
}

std::string command_line_text(const Error& error) {
  const auto* named = dynamic_cast<const OptionError*>(&error);
  return named == nullptr ? error.what() : named->message().text(spell_with_dashes);
}

}  // namespace wordbridge
