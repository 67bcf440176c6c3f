#pragma once
#include <functional>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "wordbridge/option_info.h"

namespace wordbridge {

/// An option of a struct S: where its value lies, what it may be, and what is said of it. Made by OptionList::add();
/// the functions that return *this are for its declaration.
template <class S>
class Option {
 public:
  Option& range(double min, double max) {
    info_.min = min;
    info_.max = max;
    return *this;
  }
  Option& at_least(double min) { return range(min, info_.max); }
  Option& above(double min) {
    info_.above_min = true;
    return range(min, info_.max);
  }
  Option& at_most(double max) { return range(info_.min, max); }
  Option& below(double max) {
    info_.below_max = true;
    return range(info_.min, max);
  }
  Option& choices(std::vector<std::string> words) {
    info_.kind = OptionKind::choice;
    info_.value_name.clear();
    for (const std::string& word : words) info_.value_name += (info_.value_name.empty() ? "" : "|") + word;
    info_.choices = std::move(words);
    return *this;
  }
  Option& zero(std::string word) {
    info_.zero = std::move(word);
    return *this;
  }
  Option& zero_is_unset() {
    info_.zero_is_unset = true;
    return *this;
  }
  Option& value_name(std::string name) {
    info_.value_name = std::move(name);
    return *this;
  }
  Option& file(std::string name = "FILE") {
    info_.is_file = true;
    return value_name(std::move(name));
  }
  Option& short_name(std::string letter) {
    info_.short_name = std::move(letter);
    return *this;
  }
  Option& once() {
    info_.once = true;
    return *this;
  }
  Option& writes() {
    info_.writes = true;
    return *this;
  }
  /// What the provenance says of it; nothing: it is not mentioned.
  Option& describe(std::function<std::optional<std::string>(const S&)> say) {
    say_ = std::move(say);
    return *this;
  }
  /// The provenance mentions it only then.
  Option& describe_if(std::function<bool(const S&)> when) {
    return describe([when = std::move(when), self = *this](const S& values) {
      return when(values) ? std::optional(self.get(values)) : std::nullopt;
    });
  }
  Option& undescribed() {
    return describe([](const S&) { return std::nullopt; });
  }

  /// With the default that a fresh S has.
  OptionInfo info() const {
    OptionInfo info = info_;
    info.default_text = get(S());
    return info;
  }
  const std::string& name() const { return info_.name; }
  /// UsageError, naming the option, for what it does not take.
  void set(S& values, const OptionValue& value) const { read_(info_, values, value.text()); }
  std::string get(const S& values) const { return write_(info_, values); }

 private:
  template <class>
  friend class Option;
  template <class>
  friend class OptionList;

  OptionInfo info_;
  std::string key_;  // its name in the provenance
  std::function<void(const OptionInfo&, S&, const std::string&)> read_;
  std::function<std::string(const OptionInfo&, const S&)> write_;
  std::function<std::optional<std::string>(const S&)> say_;
};

}  // namespace wordbridge
