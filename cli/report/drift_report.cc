#include "cli/report/drift_report.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <string>
#include <vector>

#include "base/escaped_text.h"

namespace wordbridge {

Table fields_table(const Drift& drift) {
  Table table;
  for (const char* heading :
       {"word", "old_rank", "new_rank", "cosine", "z", "p", "q", "kept", "old_neighbors", "new_neighbors"})
    table.columns.push_back({heading, Table::Align::left});
  const auto joined = [&](const std::vector<std::string>& words) {
    std::vector<std::string> escaped;
    for (const std::string& word : words) {
      escaped.emplace_back();
      for (const char letter : escape_field(word)) escaped.back() += letter == ' ' ? "\\x20" : std::string(1, letter);
    }
    return fmt::format("{}", fmt::join(escaped, " "));
  };
  for (const DriftedWord& word : drift.words)
    table.rows.push_back({escape_field(word.word), std::to_string(word.old_rank), std::to_string(word.new_rank),
                          fmt::format("{:.6f}", word.cosine), fmt::format("{:.4f}", word.z),
                          fmt::format("{:.4g}", word.p), fmt::format("{:.4g}", word.q),
                          fmt::format("{:.4f}", word.kept), joined(word.old_neighbors), joined(word.new_neighbors)});
  return table;
}

Table to_table(const Drift& drift) {
  Table table;
  table.columns = {
      {"word", Table::Align::left},     {"cosine"}, {"z"}, {"q"}, {"kept"}, {"neighbors before", Table::Align::left},
      {"and after", Table::Align::left}};
  const auto first = [](const std::vector<std::string>& words) {
    constexpr std::size_t kShown = 4;
    std::string text;
    for (std::size_t i = 0; i < std::min(kShown, words.size()); ++i) text += (i > 0 ? " " : "") + words[i];
    return text;
  };
  for (const DriftedWord& word : drift.words)
    table.rows.push_back({word.word, fmt::format("{:.3f}", word.cosine), fmt::format("{:.1f}", word.z),
                          fmt::format("{:.2g}", word.q), fmt::format("{:.0f}%", 100 * word.kept),
                          first(word.old_neighbors), first(word.new_neighbors)});
  return table;
}

}  // namespace wordbridge
