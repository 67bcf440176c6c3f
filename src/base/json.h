#pragma once
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <iosfwd>
#include <iterator>
#include <limits>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

namespace wordbridge {

/// What a value cannot be asked for: a member that is missing, a text where a number was expected.
class JsonError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// A text that is no JSON, or nests too deeply.
class JsonSyntaxError : public JsonError {
 public:
  JsonSyntaxError(const std::string& reason, std::size_t byte) : JsonError(reason), byte_(byte) {}
  std::size_t byte() const { return byte_; }  // how many bytes were read before the first wrong one

 private:
  std::size_t byte_;
};

/// A value of JSON. Members of objects keep their order. The library that reads and writes JSON is known to json.cc
/// alone: its templates take seconds to compile wherever they are used.
///
/// `Json{{"words", 3}, {"names", {"a", "b"}}}` is an object, because each element is a pair that begins with a text;
/// every other list in braces is an array.
class Json {
 public:
  using Array = std::vector<Json>;
  using Member = std::pair<std::string, Json>;
  using Object = std::vector<Member>;
  static constexpr int kMostDepth = 100;  // whoever walks through a value does so recursively

  /// Throws JsonSyntaxError; JsonError for a number that no double can hold.
  static Json parse(std::string_view text, int most_depth = kMostDepth);
  static bool accept(std::string_view text);
  static Json array() { return Json(Value(Array())); }
  static Json object() { return Json(Value(Object())); }

  Json() = default;
  Json(std::nullptr_t) {}
  Json(const char* text) : value_(std::string(text)) {}
  Json(std::string_view text) : value_(std::string(text)) {}
  Json(std::string text) : value_(std::move(text)) {}
  Json(std::initializer_list<Json> elements);
  Json(bool value) : value_(value) {}
  Json(std::floating_point auto number) : value_(static_cast<double>(number)) {}
  Json(std::signed_integral auto number) : value_(static_cast<std::int64_t>(number)) {}
  Json(std::unsigned_integral auto number) : value_(static_cast<std::uint64_t>(number)) {}
  /// Maps with texts as keys become objects, other containers arrays.
  template <class Container>
  requires requires(const Container& c) {
    std::begin(c) != std::end(c);
  } &&(!std::convertible_to<const Container&, std::string_view>)Json(const Container& container) {
    if constexpr (requires { typename Container::mapped_type; }) {
      value_ = Object();
      for (const auto& [key, value] : container) (*this)[key] = value;
    } else {
      value_ = Array();
      for (const auto& value : container) push_back(value);
    }
  }
  Json(const Json&);
  Json(Json&&) noexcept;
  Json& operator=(const Json&);
  Json& operator=(Json&&) noexcept;
  ~Json();

  bool is_null() const { return std::holds_alternative<std::monostate>(value_); }
  bool is_boolean() const { return std::holds_alternative<bool>(value_); }
  bool is_string() const { return std::holds_alternative<std::string>(value_); }
  bool is_array() const { return std::holds_alternative<Array>(value_); }
  bool is_object() const { return std::holds_alternative<Object>(value_); }
  bool is_number() const { return is_integer() || std::holds_alternative<double>(value_); }
  bool is_integer() const { return is_natural() || std::holds_alternative<std::int64_t>(value_); }
  bool is_natural() const;  // a whole number from 0 up

  /// The value as a bool, a number, a std::string, a container of such or a map with texts as keys; throws JsonError
  /// where it is of another kind, or a whole number is expected and this one is beyond the range of T.
  template <class T>
  T get() const;
  const std::string& text() const;

  /// Of arrays and objects; null has none.
  std::size_t size() const;
  bool empty() const { return size() == 0; }

  /// Of arrays; null has no elements, and becomes an array that has some.
  const Json* begin() const;
  const Json* end() const;
  const Json& at(std::size_t index) const;
  const Json& operator[](std::integral auto index) const { return at(static_cast<std::size_t>(index)); }
  const Json& operator[](std::integral auto index) { return at(static_cast<std::size_t>(index)); }
  void push_back(Json element);

  /// Of objects; null has no members, and becomes an object that has some. Constant ones throw JsonError for a member
  /// that is missing.
  const Object& items() const;
  bool contains(std::string_view key) const { return find(key) != nullptr; }
  const Json* find(std::string_view key) const;  // nullptr if it is missing, or this is no object
  const Json& at(std::string_view key) const;
  const Json& operator[](const char* key) const { return at(std::string_view(key)); }
  const Json& operator[](const std::string& key) const { return at(std::string_view(key)); }
  Json& operator[](std::string_view key);
  Json& operator[](const char* key) { return (*this)[std::string_view(key)]; }
  Json& operator[](const std::string& key) { return (*this)[std::string_view(key)]; }
  void erase(std::string_view key);
  void update(const Json& object);  // takes its members, also in the place of those that are there
  /// The member, or what stands for it where it is missing.
  template <class T>
  T value(std::string_view key, T fallback) const {
    if (!is_object()) expected("an object");
    const Json* found = find(key);
    return found != nullptr ? found->get<T>() : fallback;
  }
  std::string value(std::string_view key, const char* fallback) const { return value(key, std::string(fallback)); }

  /// On one line, or with so many spaces of indentation. Invalid UTF-8 is replaced; numbers that are not finite are
  /// null.
  std::string dump(int indent = -1) const;

  /// Numbers are equal by value, 1 and 1.0 are.
  friend bool operator==(const Json& a, const Json& b);
  friend std::ostream& operator<<(std::ostream& out, const Json& json);

 private:
  class Text;  // to and from the library
  using Value = std::variant<std::monostate, bool, std::int64_t, std::uint64_t, double, std::string, Array, Object>;
  explicit Json(Value&& value) : value_(std::move(value)) {}
  [[noreturn]] static void expected(const char* what);
  bool boolean() const;
  double number() const;
  /// From `least` to `most`.
  std::int64_t integer(std::int64_t least, std::int64_t most) const;
  std::uint64_t natural(std::uint64_t most) const;

  Value value_;
};

template <class T>
T Json::get() const {
  if constexpr (std::same_as<T, Json>) {
    return *this;
  } else if constexpr (std::same_as<T, bool>) {
    return boolean();
  } else if constexpr (std::same_as<T, std::string>) {
    return text();
  } else if constexpr (std::floating_point<T>) {
    return static_cast<T>(number());
  } else if constexpr (std::signed_integral<T>) {
    return static_cast<T>(integer(std::numeric_limits<T>::min(), std::numeric_limits<T>::max()));
  } else if constexpr (std::unsigned_integral<T>) {
    return static_cast<T>(natural(std::numeric_limits<T>::max()));
  } else if constexpr (requires { typename T::mapped_type; }) {
    T result;
    for (const auto& [key, value] : items()) result.emplace(key, value.template get<typename T::mapped_type>());
    return result;
  } else {
    T result;
    for (const Json& element : *this) result.insert(result.end(), element.get<typename T::value_type>());
    return result;
  }
}

}  // namespace wordbridge
