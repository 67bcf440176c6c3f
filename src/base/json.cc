#include "base/json.h"

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>
#include <ostream>

namespace wordbridge {

using JsonLibrary = nlohmann::ordered_json;

class Json::Text {
 public:
  static Json parse(std::string_view text, int most_depth) {
    // Not by a callback of the parser: with one it goes over all elements of an array after each object in it.
    if (nests_deeper(text, most_depth)) throw JsonSyntaxError("nested too deeply", 0);
    try {
      return from_library(JsonLibrary::parse(text));
    } catch (const JsonLibrary::parse_error& error) {
      throw JsonSyntaxError("not JSON", error.byte == 0 ? 0 : error.byte - 1);
    } catch (const JsonLibrary::exception& error) {
      throw JsonError("a number beyond all bounds");
    }
  }

  static JsonLibrary to_library(const Json& json) { return std::visit(ToLibrary(), json.value_); }

 private:
  /// Whether more than so many brackets are open at once within another one.
  static bool nests_deeper(std::string_view text, int most_depth) {
    int depth = 0;
    bool quoted = false;
    for (std::size_t i = 0; i < text.size(); ++i) {
      const char c = text[i];
      if (quoted && c == '\\')
        ++i;
      else if (c == '"')
        quoted = !quoted;
      else if (!quoted && (c == '[' || c == '{') && ++depth > most_depth + 1)
        return true;
      else if (!quoted && (c == ']' || c == '}'))
        --depth;
    }
    return false;
  }

  struct ToLibrary {
    JsonLibrary operator()(std::monostate) const { return nullptr; }
    JsonLibrary operator()(const auto& scalar) const { return scalar; }
    JsonLibrary operator()(const Array& elements) const {
      JsonLibrary array = JsonLibrary::array();
      for (const Json& element : elements) array.push_back(to_library(element));
      return array;
    }
    JsonLibrary operator()(const Object& members) const {
      JsonLibrary object = JsonLibrary::object();
      // Its ordered map would compare each name with all before.
      auto& all = object.get_ref<JsonLibrary::object_t&>();
      for (const auto& [name, value] : members)
        static_cast<JsonLibrary::object_t::Container&>(all).emplace_back(name, to_library(value));
      return object;
    }
  };

  static Json from_library(const JsonLibrary& json) {
    switch (json.type()) {
      case JsonLibrary::value_t::boolean:
        return json.get<bool>();
      case JsonLibrary::value_t::number_integer:
        return json.get<std::int64_t>();
      case JsonLibrary::value_t::number_unsigned:
        return json.get<std::uint64_t>();
      case JsonLibrary::value_t::number_float:
        return json.get<double>();
      case JsonLibrary::value_t::string:
        return json.get_ref<const std::string&>();
      case JsonLibrary::value_t::array: {
        Array elements;
        for (const JsonLibrary& element : json) elements.push_back(from_library(element));
        return Json(Value(std::move(elements)));
      }
      case JsonLibrary::value_t::object: {
        Object members;
        for (const auto& [name, value] : json.get_ref<const JsonLibrary::object_t&>())
          members.emplace_back(name, from_library(value));
        return Json(Value(std::move(members)));
      }
      default:
        return nullptr;
    }
  }
};

Json Json::parse(std::string_view text, int most_depth) { return Text::parse(text, most_depth); }

bool Json::accept(std::string_view text) { return JsonLibrary::accept(text); }

std::string Json::dump(int indent) const {
  return Text::to_library(*this).dump(indent, ' ', false, JsonLibrary::error_handler_t::replace);
}

std::ostream& operator<<(std::ostream& out, const Json& json) { return out << json.dump(); }

Json::Json(const Json&) = default;
Json::Json(Json&&) noexcept = default;
Json& Json::operator=(const Json&) = default;
Json& Json::operator=(Json&&) noexcept = default;
Json::~Json() = default;

Json::Json(std::initializer_list<Json> elements) {
  const bool names_all = std::ranges::all_of(elements, [](const Json& element) {
    const auto* pair = std::get_if<Array>(&element.value_);
    return pair != nullptr && pair->size() == 2 && pair->front().is_string();
  });
  if (!names_all) {
    value_ = Array(elements);
    return;
  }
  Object& members = value_.emplace<Object>();
  for (const Json& element : elements) members.emplace_back(element.at(0).text(), element.at(1));
}

void Json::expected(const char* what) { throw JsonError(std::string(what) + " is expected"); }

bool Json::is_natural() const {
  const auto* integer = std::get_if<std::int64_t>(&value_);
  return std::holds_alternative<std::uint64_t>(value_) || (integer != nullptr && *integer >= 0);
}

bool Json::boolean() const {
  if (const auto* value = std::get_if<bool>(&value_)) return *value;
  expected("true or false");
}

const std::string& Json::text() const {
  if (const auto* value = std::get_if<std::string>(&value_)) return *value;
  expected("a text");
}

double Json::number() const {
  if (const auto* value = std::get_if<double>(&value_)) return *value;
  if (const auto* value = std::get_if<std::int64_t>(&value_)) return static_cast<double>(*value);
  if (const auto* value = std::get_if<std::uint64_t>(&value_)) return static_cast<double>(*value);
  expected("a number");
}

std::int64_t Json::integer(std::int64_t least, std::int64_t most) const {
  const auto* value = std::get_if<std::int64_t>(&value_);
  const std::int64_t number = value != nullptr ? *value : static_cast<std::int64_t>(natural(std::uint64_t(most)));
  if (number < least || number > most) expected("a smaller whole number");
  return number;
}

std::uint64_t Json::natural(std::uint64_t most) const {
  if (!is_natural()) expected("a whole number from 0 up");
  const auto* integer = std::get_if<std::int64_t>(&value_);
  const std::uint64_t number =
      integer != nullptr ? static_cast<std::uint64_t>(*integer) : std::get<std::uint64_t>(value_);
  if (number > most) expected("a smaller whole number");
  return number;
}

std::size_t Json::size() const {
  if (const auto* elements = std::get_if<Array>(&value_)) return elements->size();
  if (const auto* members = std::get_if<Object>(&value_)) return members->size();
  if (is_null()) return 0;
  expected("an array or an object");
}

const Json* Json::begin() const {
  if (const auto* elements = std::get_if<Array>(&value_)) return elements->data();
  if (is_null()) return nullptr;
  expected("an array");
}

const Json* Json::end() const { return begin() + (is_null() ? 0 : size()); }

const Json& Json::at(std::size_t index) const {
  if (!is_array()) expected("an array");
  if (index >= size()) throw JsonError("the array has no element " + std::to_string(index));
  return begin()[index];
}

void Json::push_back(Json element) {
  if (is_null()) value_ = Array();
  auto* elements = std::get_if<Array>(&value_);
  if (elements == nullptr) expected("an array");
  elements->push_back(std::move(element));
}

const Json::Object& Json::items() const {
  static const Object kNone;
  if (const auto* members = std::get_if<Object>(&value_)) return *members;
  if (is_null()) return kNone;
  expected("an object");
}

const Json* Json::find(std::string_view key) const {
  const auto* members = std::get_if<Object>(&value_);
  if (members == nullptr) return nullptr;
  const auto found = std::ranges::find(*members, key, &Member::first);
  return found == members->end() ? nullptr : &found->second;
}

const Json& Json::at(std::string_view key) const {
  if (!is_object()) expected("an object");
  if (const Json* found = find(key)) return *found;
  throw JsonError("'" + std::string(key) + "' is missing");
}

Json& Json::operator[](std::string_view key) {
  if (is_null()) value_ = Object();
  auto* members = std::get_if<Object>(&value_);
  if (members == nullptr) expected("an object");
  const auto found = std::ranges::find(*members, key, &Member::first);
  return found == members->end() ? members->emplace_back(std::string(key), Json()).second : found->second;
}

void Json::erase(std::string_view key) {
  if (auto* members = std::get_if<Object>(&value_))
    std::erase_if(*members, [&](const Member& member) { return member.first == key; });
}

void Json::update(const Json& object) {
  for (const auto& [key, value] : object.items()) (*this)[key] = value;
}

bool operator==(const Json& a, const Json& b) {
  if (a.is_integer() && b.is_integer()) {
    if (a.is_natural() != b.is_natural()) return false;
    return a.is_natural() ? a.get<std::uint64_t>() == b.get<std::uint64_t>()
                          : a.get<std::int64_t>() == b.get<std::int64_t>();
  }
  if (a.is_number() && b.is_number()) return a.number() == b.number();
  return a.value_ == b.value_;
}

}  // namespace wordbridge
