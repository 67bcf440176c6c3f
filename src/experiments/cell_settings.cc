#include "experiments/cell_settings.h"

#include <fmt/format.h>

#include <charconv>
#include <sstream>

#include "wordbridge/error.h"
#include "wordbridge/formats.h"

namespace wordbridge {

std::string CellSettings::text(const std::string& name, const std::string& otherwise) const {
  const auto found = settings_.find(name);
  return found == settings_.end() ? otherwise : found->second;
}

std::size_t CellSettings::count(const std::string& name, std::size_t otherwise) const {
  const std::string digits = text(name);
  if (digits.empty()) return otherwise;
  std::size_t value = 0;
  const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), value);
  if (error != std::errc() || end != digits.data() + digits.size())
    throw UsageError(fmt::format("the setting '{}' must be a whole number, not '{}'", name, digits));
  return value;
}

std::vector<std::string> CellSettings::words(const std::string& name) const {
  std::istringstream stream(text(name));
  std::vector<std::string> words;
  for (std::string word; stream >> word;) words.push_back(expand(word, settings_));
  return words;
}

std::size_t CellSettings::max_words() const { return count("max_words", kUsualWords); }

std::string CellSettings::file(const std::string& name, const DataFiles& files) const {
  const std::string pattern = text(name);
  if (pattern.empty()) throw UsageError(fmt::format("the setting '{}' is missing", name));
  return files.find(expand(pattern, settings_));
}

}  // namespace wordbridge
