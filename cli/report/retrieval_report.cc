#include "cli/report/retrieval_report.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <utility>

#include "base/json.h"
#include "base/wording.h"
#include "cli/report/html_page.h"
#include "cli/report/svg_chart.h"
#include "wordbridge/version.h"

namespace wordbridge {

namespace {

using Kind = RetrievalMeasure::Kind;

/// What a reader sees of a measure.
std::string shown_measure(const RetrievalMeasure& measure) {
  switch (measure.kind) {
    case Kind::own:
      return measure.k == 1 ? "own first" : fmt::format("own in {}", measure.k);
    case Kind::own_rank:
      return "MRR";
    case Kind::kept:
      return fmt::format("old {} kept", measure.k);
    case Kind::ndcg:
      return fmt::format("nDCG@{}", measure.k);
    case Kind::recall:
      return fmt::format("R@{}", measure.k);
    case Kind::grade_rank:
      return "MRR (relevant)";
  }
  return {};
}

std::string percent(double value) { return fmt::format("{:.1f}", value); }

void add_means(std::vector<std::string>& row, const std::vector<RetrievalResult::Mean>& means, bool with_interval) {
  for (std::size_t m = 0; m < means.size(); ++m) {
    row.push_back(percent(means[m].percent));
    if (with_interval && m == 0) row.push_back(fmt::format("{:.1f} to {:.1f}", means[m].low, means[m].high));
  }
}

void add_headings(Table& table, const std::vector<RetrievalMeasure>& measures, bool with_interval) {
  for (std::size_t m = 0; m < measures.size(); ++m) {
    table.columns.push_back({shown_measure(measures[m])});
    if (with_interval && m == 0) table.columns.push_back({"95% interval"});
  }
}

const RetrievalResult* result_of(const RetrievalFindings& findings, const std::string& system,
                                 const std::string& criterion) {
  for (const RetrievalResult& result : findings.results)
    if (result.system == system && result.criterion == criterion) return &result;
  return nullptr;
}

/// The measure by which ways are compared: nDCG where there are judgements, else the first.
std::size_t main_measure(const RetrievalFindings& findings) {
  const auto found = std::ranges::find(findings.measures, Kind::ndcg, &RetrievalMeasure::kind);
  return found == findings.measures.end() ? 0 : static_cast<std::size_t>(found - findings.measures.begin());
}

/// The adapter's own learning curve: pairs, and own item first in percent.
std::vector<std::pair<double, double>> learning_curve(const Provenance& provenance) {
  std::vector<std::pair<double, double>> points;
  constexpr std::string_view kPrefix = "curve_own_first_";
  for (const auto& [name, value] : provenance.metrics)
    if (name.starts_with(kPrefix)) points.emplace_back(std::atof(name.c_str() + kPrefix.size()), value);
  std::ranges::sort(points);
  return points;
}

constexpr const char* kFlatters =
    "the adapter was learned from these very vectors: on items that it has not seen it is worse (--lexicon names pairs "
    "that were kept aside)";

Json json_of_means(const std::vector<RetrievalMeasure>& measures, const std::vector<RetrievalResult::Mean>& means) {
  Json json = Json::object();
  for (std::size_t m = 0; m < measures.size(); ++m)
    json[measures[m].name()] = {
        {"percent", rounded(means[m].percent)}, {"low", rounded(means[m].low)}, {"high", rounded(means[m].high)}};
  return json;
}

void add_learning_curve(HtmlPage& page, const RetrievalFindings& findings) {
  page.heading(2, "How many pairs does it take?");
  const auto points = learning_curve(findings.provenance);
  if (points.size() < 2) {
    page.paragraph("The adapter has no learning curve: 'wordbridge adapt --learning-curve' measures one.");
    return;
  }
  const double gain = points.back().second - points[points.size() - 2].second;
  page.figure(LineChart{"Own item first by pairs",
                        "pairs learned from",
                        "own item first, percent",
                        true,
                        {{"held-out pairs", points}}}
                  .to_svg(),
              fmt::format("On pairs held out of learning. The last doubling brought {:+.1f} points: another one will "
                          "hardly bring more.",
                          gain));
}

}  // namespace

Table to_table(const RetrievalFindings& findings) {
  Table table;
  table.columns = {{"system", Table::Align::left}, {"criterion", Table::Align::left}};
  add_headings(table, findings.measures, true);
  for (const RetrievalResult& result : findings.results) {
    table.rows.push_back({result.system, result.criterion});
    add_means(table.rows.back(), result.means, true);
  }
  return table;
}

Table crowds_table(const RetrievalFindings& findings) {
  Table table;
  table.columns = {{"cosine of the item next to the own one", Table::Align::left}, {"queries"}};
  add_headings(table, findings.measures, false);
  for (const auto& crowd : findings.crowds) {
    table.rows.push_back({fmt::format("{:.2f} to {:.2f}", crowd.from, crowd.to), std::to_string(crowd.queries)});
    add_means(table.rows.back(), crowd.means, false);
  }
  return table;
}

Table lost_table(const RetrievalFindings& findings) {
  Table table;
  table.columns = {
      {"query", Table::Align::left}, {"own item", Table::Align::left}, {"at rank"}, {"came first", Table::Align::left}};
  for (const auto& lost : findings.lost)
    table.rows.push_back({lost.query, lost.own.empty() ? "-" : lost.own,
                          lost.own.empty()    ? "-"
                          : lost.own_rank > 0 ? std::to_string(lost.own_rank)
                                              : "beyond",
                          lost.first});
  return table;
}

std::string verdict(const RetrievalFindings& findings) {
  const std::size_t m = main_measure(findings);
  const RetrievalResult& adapter = findings.results.front();
  const RetrievalResult* again = result_of(findings, kEmbeddedAgain, "nn");
  if (again == nullptr) again = result_of(findings, kOldModel, "nn");
  const std::string what = shown_measure(findings.measures[m]);
  std::string text = fmt::format("{} {:.1f} (95%: {:.1f} to {:.1f})", what, adapter.means[m].percent,
                                 adapter.means[m].low, adapter.means[m].high);
  if (const RetrievalResult* without = result_of(findings, kAsTheyAre, "nn"); without != nullptr && without != &adapter)
    text += fmt::format(", {:.1f} without an adapter", without->means[m].percent);
  if (again == nullptr || again->means[m].percent <= 0)
    return text + "; --reembedded FILE compares with embedding everything again";
  const double share = 100 * adapter.means[m].percent / again->means[m].percent;
  text += fmt::format(", {:.1f} by {}: the adapter keeps {:.0f}% of it. ", again->means[m].percent,
                      again->system == kOldModel ? "the old model's own queries" : "embedding everything again", share);
  const RetrievalResult* csls = result_of(findings, adapter.system, "csls");
  const double more = csls == nullptr ? 0 : csls->means[m].percent - adapter.means[m].percent;
  if (share >= 95)
    text += "Keep the index";
  else if (share >= 80)
    text += "Keep the index for now, and embed again in the background, what is asked for most first";
  else
    text += "Embed again; the adapter bridges the time until that is done";
  if (more >= 3) text += fmt::format("; CSLS brings {:+.1f} points ('wordbridge export --inner-product')", more);
  return text;
}

std::string to_json(const RetrievalFindings& findings) {
  Json results = Json::array(), crowds = Json::array(), lost = Json::array();
  for (const RetrievalResult& result : findings.results)
    results.push_back({{"system", result.system},
                       {"criterion", result.criterion},
                       {"measures", json_of_means(findings.measures, result.means)}});
  for (const auto& crowd : findings.crowds)
    crowds.push_back({{"from", rounded(crowd.from)},
                      {"to", rounded(crowd.to)},
                      {"queries", crowd.queries},
                      {"measures", json_of_means(findings.measures, crowd.means)}});
  for (const auto& one : findings.lost)
    lost.push_back({{"query", one.query}, {"own", one.own}, {"own_rank", one.own_rank}, {"first", one.first}});
  return Json{{"queries", findings.queries},   {"items", findings.items},
              {"results", std::move(results)}, {"by_crowding", std::move(crowds)},
              {"lose_most", std::move(lost)},  {"learned_from_these", findings.learned_from_these},
              {"verdict", verdict(findings)}}
      .dump(2);
}

std::string retrieval_page(const RetrievalFindings& findings) {
  HtmlPage page(fmt::format("{}: {} to {}", findings.adapter, findings.source, findings.target));
  const std::size_t m = main_measure(findings);
  const auto& main = findings.results.front().means[m];
  page.headline(fmt::format("{:.1f}%", main.percent),
                fmt::format("{} of {} among {}, by nearest neighbor in the old index as it is (95%: {:.1f} to {:.1f})",
                            shown_measure(findings.measures[m]), counted(findings.queries, "query", "queries"),
                            counted(findings.items, "item"), main.low, main.high));
  if (findings.learned_from_these) page.paragraph(fmt::format("Beware: {}.", kFlatters));
  page.heading(2, "Keep the index, or embed everything again?");
  page.paragraph(verdict(findings) + ".");
  page.table(to_table(findings).to_html());
  page.paragraph("In percent. The old items kept are those that the old model's own query finds.");
  add_learning_curve(page, findings);
  page.heading(2, "Which queries lose most?");
  if (!findings.crowds.empty()) {
    page.paragraph(
        "By how near the next item is to the own one in the old index: where it is crowded, the own item is "
        "the first to be missed.");
    page.table(crowds_table(findings).to_html());
  }
  page.paragraph("Those that lose most:");
  page.table(lost_table(findings).to_html());
  page.heading(2, "How the adapter was learned");
  std::string how = fmt::format("From {}", findings.provenance.lexicon);
  for (const auto& [name, value] : findings.provenance.options) how += fmt::format(", {} {}", name, value);
  page.paragraph(how + ".");
  page.paragraph(fmt::format("This page was made by wordbridge {}.", version()));
  return page.to_html();
}

}  // namespace wordbridge
