#include "cli/report/inspection_report.h"

#include <fmt/format.h>

#include <utility>

#include "base/json.h"

namespace wordbridge {

namespace {

constexpr std::array<std::pair<LetterCase, const char*>, 6> kCases = {{{LetterCase::lower, "lower"},
                                                                       {LetterCase::title, "title"},
                                                                       {LetterCase::upper, "upper"},
                                                                       {LetterCase::mixed, "mixed"},
                                                                       {LetterCase::uncased, "uncased"},
                                                                       {LetterCase::no_letters, "no_letters"}}};

double percent_of_words(const Inspection& inspection, std::uint64_t count) {
  return inspection.words == 0 ? 0 : 100 * static_cast<double>(count) / static_cast<double>(inspection.words);
}

std::string finding_line(const char* label, const Inspection::Finding& finding) {
  if (finding.count == 0) return {};
  const char* more = finding.count > finding.examples.size() ? ", ..." : "";
  return fmt::format("  {:<22} {}: {}{}\n", label, finding.count, fmt::join(finding.examples, ", "), more);
}

std::string case_line(const Inspection& inspection) {
  std::vector<std::string> parts;
  for (const auto& [letter_case, name] : kCases) {
    const std::uint64_t count = inspection.of_case(letter_case);
    if (count == 0) continue;
    std::string label = name;
    std::replace(label.begin(), label.end(), '_', ' ');
    parts.push_back(fmt::format("{:.1f}% {}", percent_of_words(inspection, count), label));
  }
  return fmt::format("{}", fmt::join(parts, ", "));
}

Json finding_json(const Inspection::Finding& finding) {
  return {{"count", finding.count}, {"examples", finding.examples}};
}

Json norms_json(const Inspection::Norms& norms) {
  Json quantiles = Json::object();
  for (std::size_t i = 0; i < norms.quantiles.size(); ++i)
    quantiles[fmt::format("{}", Inspection::Norms::kQuantiles[i])] = norms.quantiles[i];
  return {{"min", norms.min},
          {"mean", norms.mean},
          {"median", norms.median()},
          {"max", norms.max},
          {"quantiles", std::move(quantiles)}};
}

Json file_json(const ReadSummary& summary) {
  return {{"path", summary.path},
          {"format", summary.format},
          {"compression", summary.compression},
          {"duplicates", summary.duplicates},
          {"empty_words", summary.empty_words},
          {"invalid_utf8", summary.invalid_utf8},
          {"spaced_words", summary.spaced_words},
          {"skipped_rows", summary.skipped_rows}};
}

}  // namespace

std::string to_text(const Inspection& inspection) {
  std::string text;
  const auto add = [&](const char* label, const std::string& value) {
    text += fmt::format("{:<24} {}\n", label, value);
  };
  if (!inspection.summary.path.empty()) add("file", inspection.summary.to_line());
  add("words", fmt::format("{}", inspection.words));
  add("dimension", fmt::format("{}", inspection.dimension));
  add("first words", fmt::format("{}", fmt::join(inspection.first_words, " ")));
  add("letter case", case_line(inspection));
  const Inspection::Norms& norms = inspection.norms;
  add("lengths", fmt::format("min {:.4g}, median {:.4g}, mean {:.4g}, max {:.4g}", norms.min, norms.median(),
                             norms.mean, norms.max));
  std::vector<std::string> quantiles;
  for (std::size_t i = 0; i < norms.quantiles.size(); ++i)
    quantiles.push_back(fmt::format("{:g}%: {:.4g}", 100 * Inspection::Norms::kQuantiles[i], norms.quantiles[i]));
  add("quantiles of lengths", fmt::format("{}", fmt::join(quantiles, ", ")));
  add("cosine of random pairs", fmt::format("mean {:.4f}, standard deviation {:.4f} ({} pairs)", inspection.mean_cosine,
                                            inspection.deviation_of_cosine, inspection.random_pairs));
  if (!inspection.suspicious()) {
    add("suspicious", "nothing");
    return text;
  }
  text += "suspicious\n";
  text += finding_line("zero vectors", inspection.zero_rows);
  text += finding_line("far lengths", inspection.far_norms);
  text += finding_line("equal vectors", inspection.duplicate_rows);
  text += finding_line("constant coordinates", inspection.constant_coordinates);
  return text;
}

std::string to_json(const Inspection& inspection) {
  Json cases = Json::object();
  for (const auto& [letter_case, name] : kCases) cases[name] = inspection.of_case(letter_case);
  const Json object = {{"words", inspection.words},
                       {"dimension", inspection.dimension},
                       {"first_words", inspection.first_words},
                       {"letter_cases", std::move(cases)},
                       {"norms", norms_json(inspection.norms)},
                       {"cosine_of_random_pairs",
                        {{"mean", inspection.mean_cosine},
                         {"deviation", inspection.deviation_of_cosine},
                         {"pairs", inspection.random_pairs}}},
                       {"suspicious",
                        {{"zero_vectors", finding_json(inspection.zero_rows)},
                         {"far_norms", finding_json(inspection.far_norms)},
                         {"equal_vectors", finding_json(inspection.duplicate_rows)},
                         {"constant_coordinates", finding_json(inspection.constant_coordinates)}}},
                       {"file", file_json(inspection.summary)}};
  return object.dump(2) + '\n';
}

}  // namespace wordbridge
