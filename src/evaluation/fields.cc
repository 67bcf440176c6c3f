#include "evaluation/fields.h"

#include <algorithm>

namespace wordbridge {

namespace {

constexpr std::string_view kBlanks = " \t\r";

}  // namespace

std::string_view trim(std::string_view text) {
  const std::size_t first = text.find_first_not_of(kBlanks);
  if (first == std::string_view::npos) return {};
  return text.substr(first, text.find_last_not_of(kBlanks) + 1 - first);
}

std::vector<std::string_view> split_at_blanks(std::string_view line) {
  std::vector<std::string_view> words;
  for (std::size_t begin = line.find_first_not_of(kBlanks); begin != std::string_view::npos;) {
    const std::size_t end = std::min(line.find_first_of(kBlanks, begin), line.size());
    words.push_back(line.substr(begin, end - begin));
    begin = line.find_first_not_of(kBlanks, end);
  }
  return words;
}

std::vector<std::string_view> split_at(std::string_view line, char separator) {
  std::vector<std::string_view> fields;
  for (std::size_t begin = 0;;) {
    const std::size_t end = line.find(separator, begin);
    fields.push_back(trim(line.substr(begin, end == std::string_view::npos ? end : end - begin)));
    if (end == std::string_view::npos) return fields;
    begin = end + 1;
  }
}

}  // namespace wordbridge
