#pragma once
#include <algorithm>
#include <functional>
#include <limits>
#include <map>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

#include "base/option.h"
#include "base/option_text.h"

namespace wordbridge {

/// The options of a struct S, each declared once: command line, help, checks and provenance come from here.
template <class S>
class OptionList {
 public:
  enum class Keys { underscores, dashes };  // of the provenance

  OptionList() = default;
  /// The names begin with `prefix`, the keys do not.
  explicit OptionList(std::string prefix, Keys keys = Keys::underscores) : prefix_(std::move(prefix)), keys_(keys) {}

  /// `field` is a pointer to a member, or a function from S& (and const S&) to a reference.
  template <class Field>
  Option<S>& add(const std::string& name, Field field, const std::string& help) {
    using T = std::remove_cvref_t<std::invoke_result_t<Field, S&>>;
    Option<S>& option = declare(name, OptionCodec<T>::kKind, help);
    option.read_ = [field](const OptionInfo& info, S& values, const std::string& text) {
      std::invoke(field, values) = OptionCodec<T>::read(info, text);
    };
    option.write_ = [field](const OptionInfo& info, const S& values) {
      return OptionCodec<T>::write(info, std::invoke(field, values));
    };
    return option;
  }

  /// A field with an enumeration, by the words for its values.
  template <class Field, class E>
  Option<S>& add(const std::string& name, Field field, std::vector<std::pair<std::string, E>> words,
                 const std::string& help) {
    Option<S>& option = declare(name, OptionKind::choice, help);
    std::vector<std::string> choices;
    choices.reserve(words.size());
    for (const auto& word : words) choices.push_back(word.first);
    option.choices(std::move(choices));
    option.read_ = [field, words](const OptionInfo& info, S& values, const std::string& text) {
      std::invoke(field, values) = words[parse_choice(info, text)].second;
    };
    option.write_ = [field, words](const OptionInfo&, const S& values) {
      return std::ranges::find(words, std::invoke(field, values), [](const auto& word) { return word.second; })->first;
    };
    return option;
  }

  /// The same options for a struct that holds an S.
  template <class T, class Field>
  OptionList<T> within(Field field) const {
    OptionList<T> result;
    for (const Option<S>& option : options_) {
      Option<T> outer;
      outer.info_ = option.info_;
      outer.key_ = option.key_;
      outer.read_ = [field, read = option.read_](const OptionInfo& info, T& values, const std::string& text) {
        read(info, std::invoke(field, values), text);
      };
      outer.write_ = [field, write = option.write_](const OptionInfo& info, const T& values) {
        return write(info, std::invoke(field, values));
      };
      if (option.say_)
        outer.say_ = [field, say = option.say_](const T& values) { return say(std::invoke(field, values)); };
      result.append(std::move(outer));
    }
    return result;
  }

  void append(const Option<S>& option) { options_.push_back(option); }
  void append(const OptionList& more) { options_.insert(options_.end(), more.options_.begin(), more.options_.end()); }

  const std::vector<Option<S>>& all() const& { return options_; }
  const std::vector<Option<S>>& all() && = delete;  // would not outlive the list
  /// nullptr where there is none.
  const Option<S>* find(std::string_view name) const {
    const auto found = std::ranges::find(options_, name, &Option<S>::name);
    return found == options_.end() ? nullptr : &*found;
  }
  /// UsageError for a name that is none, or a value that it does not take.
  void set(S& values, std::string_view name, const OptionValue& value) const {
    const Option<S>* option = find(name);
    if (option == nullptr) throw_unknown_option(name, names());
    option->set(values, value);
  }
  std::vector<std::string> names() const {
    std::vector<std::string> names;
    for (const Option<S>& option : options_) names.push_back(option.name());
    return names;
  }
  /// As the provenance tells them.
  std::map<std::string, std::string> describe(const S& values) const {
    std::map<std::string, std::string> result;
    for (const Option<S>& option : options_)
      if (const auto text = option.say_ ? option.say_(values) : option.get(values)) result[option.key_] = *text;
    return result;
  }

 private:
  Option<S>& declare(const std::string& name, OptionKind kind, const std::string& help) {
    static constexpr double kMost = std::numeric_limits<std::int32_t>::max();
    Option<S>& option = options_.emplace_back();
    option.info_ = {.name = prefix_ + name, .kind = kind, .help = help};
    option.info_.unset = "auto";
    option.info_.value_name = kind == OptionKind::whole  ? "N"
                              : kind == OptionKind::real ? "X"
                              : kind == OptionKind::flag ? ""
                              : kind == OptionKind::text ? "TEXT"
                                                         : "LIST";
    if (kind == OptionKind::whole || kind == OptionKind::wholes) option.range(0, kMost);
    option.key_ = name;
    if (keys_ == Keys::underscores) std::ranges::replace(option.key_, '-', '_');
    return option;
  }

  std::string prefix_;
  Keys keys_ = Keys::underscores;
  std::vector<Option<S>> options_;
};

}  // namespace wordbridge
