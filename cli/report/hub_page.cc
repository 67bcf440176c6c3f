#include "cli/report/hub_page.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <vector>

#include "base/wording.h"
#include "cli/paths.h"
#include "cli/report/html_page.h"
#include "cli/report/mapping_page.h"
#include "cli/report/svg_chart.h"

namespace wordbridge::cli {

namespace {

constexpr std::size_t kWordsOfAPoint = 10;  // of a band, to be drawn

enum class Ranking { csls, anew };

/// Where nothing ranks anew, CSLS does.
double first_precision(const DirectionRecord& record, Ranking ranking) {
  return ranking == Ranking::anew && record.is_reranked() ? record.reranked[0] : record.precision[0];
}

std::string percent_or_dash(const DirectionRecord* record, Ranking ranking = Ranking::csls) {
  return record == nullptr ? "-" : fmt::format("{:.1f}", first_precision(*record, ranking));
}

/// Over all directions that begin or end with a language.
std::string mean_of_language(const HubManifest& manifest, const std::string& language, Ranking ranking) {
  double sum = 0;
  std::size_t count = 0;
  for (const HubManifest::Language& other : manifest.languages)
    for (const DirectionRecord* record : {manifest.score(language, other.name), manifest.score(other.name, language)})
      if (record != nullptr) sum += first_precision(*record, ranking), ++count;
  return count == 0 ? "-" : fmt::format("{:.1f}", sum / static_cast<double>(count));
}

HeatMap heat_map_of(const HubManifest& manifest, Ranking ranking) {
  HeatMap map{"P@1 between all languages, in percent", "from", "to", {}, {}};
  double most = 1;
  for (const HubManifest::Language& language : manifest.languages) map.labels.push_back(language.name);
  for (const std::string& source : map.labels) {
    auto& row = map.values.emplace_back();
    for (const std::string& target : map.labels) {
      const DirectionRecord* record = manifest.score(source, target);
      row.push_back(record == nullptr ? std::nullopt : std::optional(first_precision(*record, ranking)));
      if (record != nullptr) most = std::max(most, first_precision(*record, ranking));
    }
  }
  map.most = most;
  return map;
}

/// Every direction that was measured, and what it was measured on.
Table directions_table(const HubManifest& manifest) {
  Table table{{{"from", Table::Align::left},
               {"to", Table::Align::left},
               {"words"},
               {"covered"},
               {"P@1"},
               {"P@5"},
               {"P@10"},
               {"P@1 re-ranked"},
               {"weights", Table::Align::left},
               {"lexicon", Table::Align::left}},
              {}};
  const auto scores = manifest.scores.find(manifest.recommended);
  if (scores == manifest.scores.end()) return table;
  for (const auto& [pair, record] : scores->second) {
    std::vector<std::string> row = {pair.first, pair.second, std::to_string(record.words),
                                    std::to_string(record.covered)};
    for (const double precision : record.precision)
      row.push_back(record.measured() ? fmt::format("{:.1f}", precision) : "-");
    row.push_back(record.is_reranked() ? fmt::format("{:.1f}", record.reranked[0]) : "-");
    row.push_back(record.reranker.empty() ? "-" : record.reranker);
    row.push_back(record.measured() ? record.origin : record.problem);
    table.rows.push_back(std::move(row));
  }
  return table;
}

void add_matrix(HtmlPage& page, const HubManifest& manifest) {
  page.heading(2, "All languages");
  const bool anew = manifest.mean_reranked(manifest.recommended) >= 0;
  page.figure(
      heat_map_of(manifest, anew ? Ranking::anew : Ranking::csls).to_svg(),
      fmt::format("P@1 {} in percent: rows are translated into columns. Darker is better; empty cells have no words to "
                  "ask.",
                  anew ? "re-ranked" : "by CSLS"));
  if (anew)
    page.paragraph(
        "Re-ranked: candidates are ranked anew by meaning, spelling and frequency, with probabilities. Weights are the "
        "pair's own where it has a lexicon to learn them from, else transferred from other languages. P@1, P@5 and "
        "P@10 "
        "in the table are by CSLS.");
  page.paragraph(fmt::format(
      "Words of a test lexicon that both vocabularies cover. Where two languages have none, it is joined through {}: "
      "the words are held out of the lexicon with {}, and a translation of a translation counts as right.",
      manifest.pivot, manifest.pivot));
  page.table(directions_table(manifest).to_html());
}

void add_comparison(HtmlPage& page, const HubComparison& comparison) {
  page.heading(2, "Star or joint");
  page.paragraph(
      "Star: each language is learned with the pivot alone. Joint: all maps are learned together, from the lexicons of "
      "all pairs. Both on the same held-out words, which neither was learned from.");
  const auto number = [](double value) { return fmt::format("{:.2f}", value); };
  page.table(
      Table{{{"P@1, mean", Table::Align::left}, {"directions"}, {"star"}, {"joint"}},
            {{"all pairs", std::to_string(comparison.directions), number(comparison.star), number(comparison.joint)},
             {"with the pivot", std::to_string(comparison.pivot_directions), number(comparison.star_pivot),
              number(comparison.joint_pivot)}}}
          .to_html());
}

/// P@1 by frequency, to the pivot and from it.
void add_bands(HtmlPage& page, const HubManifest& manifest, const std::string& language) {
  LineChart chart{"P@1 by frequency", "frequency rank of the source word, up to", "P@1 in percent", true, {}};
  for (const auto& [source, target] :
       {LanguagePair(language, manifest.pivot), LanguagePair(manifest.pivot, language)}) {
    const DirectionRecord* record = manifest.score(source, target);
    if (record == nullptr) continue;
    LineChart::Series series{fmt::format("{} to {}", source, target), {}};
    for (const DirectionRecord::Band& band : record->bands)
      if (band.words >= kWordsOfAPoint) series.points.emplace_back(static_cast<double>(band.last), band.precision);
    if (!series.points.empty()) chart.series.push_back(std::move(series));
  }
  if (chart.series.empty()) return;
  page.begin_column();
  page.figure(chart.to_svg(), "Rare words have poorer vectors, and are harder to translate.");
  page.end_column();
}

void add_language(HtmlPage& page, const HubManifest& manifest, const HubManifest::Language& language,
                  const std::map<std::string, Provenance>& provenances) {
  page.heading(3, language.name);
  const auto provenance = provenances.find(language.name);
  if (provenance != provenances.end()) page.table(provenance_table(provenance->second).to_html());
  if (!language.warnings.empty()) page.list(language.warnings);
  page.begin_columns();
  add_bands(page, manifest, language.name);
  if (provenance != provenances.end()) add_training(page, provenance->second.report);
  std::vector<HubnessRecord> hubness;
  for (const auto& [source, target] :
       {LanguagePair(language.name, manifest.pivot), LanguagePair(manifest.pivot, language.name)})
    if (const DirectionRecord* record = manifest.score(source, target); record != nullptr && record->hubness) {
      hubness.push_back(*record->hubness);
      hubness.back().criterion = fmt::format("{} to {}", source, target);
    }
  if (!hubness.empty()) add_hubness(page, hubness);
  page.end_columns();
}

}  // namespace

Table hub_table(const HubManifest& manifest) {
  Table table{{{"language", Table::Align::left},
               {"words"},
               {"aligned by", Table::Align::left},
               {"to " + manifest.pivot},
               {"from " + manifest.pivot},
               {"all pairs"}},
              {}};
  const bool anew = manifest.mean_reranked(manifest.recommended) >= 0;
  if (anew)
    for (const std::string& what : {"to " + manifest.pivot, "from " + manifest.pivot, std::string("all pairs")})
      table.columns.push_back({what + ", re-ranked"});
  for (const HubManifest::Language& language : manifest.languages) {
    std::vector<std::string> row = {language.name, std::to_string(language.words),
                                    language.name == manifest.pivot ? "pivot" : language.method};
    for (const Ranking ranking : {Ranking::csls, Ranking::anew}) {
      if (ranking == Ranking::anew && !anew) break;
      row.push_back(percent_or_dash(manifest.score(language.name, manifest.pivot), ranking));
      row.push_back(percent_or_dash(manifest.score(manifest.pivot, language.name), ranking));
      row.push_back(mean_of_language(manifest, language.name, ranking));
    }
    table.rows.push_back(std::move(row));
  }
  for (const auto& [language, reason] : manifest.failed) {
    std::vector<std::string> row(table.columns.size(), "-");
    row[0] = language;
    row[2] = "failed";
    table.rows.push_back(std::move(row));
  }
  return table;
}

std::string hub_notes(const HubManifest& manifest) {
  std::string notes = "P@1 in percent of the words that both vocabularies cover, by CSLS.";
  const double anew = manifest.mean_reranked(manifest.recommended);
  if (const double mean = manifest.mean_precision(manifest.recommended); mean >= 0)
    notes += fmt::format(" The mean over all directions is {:.1f}{}.", mean,
                         anew < 0 ? "" : fmt::format(", re-ranked {:.1f}", anew));
  notes += "\n";
  if (manifest.comparison)
    notes += fmt::format(
        "Held-out words of {} recommend the {} maps: star {:.2f}, joint {:.2f} (with {} alone {:.2f} and {:.2f}).\n",
        counted(manifest.comparison->directions, "direction"), name_of(manifest.recommended), manifest.comparison->star,
        manifest.comparison->joint, manifest.pivot, manifest.comparison->star_pivot, manifest.comparison->joint_pivot);
  for (const auto& [language, reason] : manifest.failed) notes += fmt::format("{} failed: {}\n", language, reason);
  return notes;
}

std::string hub_page(const HubManifest& manifest, const std::map<std::string, Provenance>& provenances) {
  HtmlPage page("Many languages in one space");
  const double mean =
      std::max(manifest.mean_precision(manifest.recommended), manifest.mean_reranked(manifest.recommended));
  page.headline(std::to_string(manifest.languages.size()),
                mean < 0 ? fmt::format("languages in one space, around {}", manifest.pivot)
                         : fmt::format("languages in one space, around {}; P@1 is {:.1f}% on average between them",
                                       manifest.pivot, mean));
  page.paragraph(fmt::format("Made with wordbridge {}, seed {}, after the normalization '{}'.", manifest.version,
                             manifest.seed, manifest.normalization));
  page.table(hub_table(manifest).to_html());
  if (!manifest.failed.empty()) {
    page.paragraph("What failed, and why:");
    std::vector<std::string> lines;
    for (const auto& [language, reason] : manifest.failed) lines.push_back(fmt::format("{}: {}", language, reason));
    page.list(lines);
  }
  add_matrix(page, manifest);
  if (manifest.comparison) add_comparison(page, *manifest.comparison);
  page.heading(2, "Each language");
  for (const HubManifest::Language& language : manifest.languages)
    if (language.name != manifest.pivot) add_language(page, manifest, language, provenances);
  return page.to_html();
}

}  // namespace wordbridge::cli
