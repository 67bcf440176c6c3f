#include "cli/measures/similarity_measure.h"

#include <fmt/format.h>

#include "base/wording.h"
#include "cli/options/arguments.h"
#include "cli/paths.h"
#include "cli/report/similarity_report.h"

namespace wordbridge::cli {

namespace {

/// What is behind the numbers.
std::string similarity_note(const std::vector<SimilarityOfSet>& sets) {
  std::size_t pairs = 0, found = 0, case_matched = 0, averaged = 0;
  for (const SimilarityOfSet& set : sets) {
    const Similarity& result = set.results.front().result;
    pairs += result.pairs;
    found += result.found;
    case_matched += result.case_matched;
    averaged += result.averaged;
  }
  std::string text = fmt::format("correlations over the {} of {} that were found", found, counted(pairs, "pair"));
  if (case_matched > 0) text += fmt::format(", {} of them in another case", case_matched);
  if (averaged > 0) text += fmt::format(", {} with a phrase averaged", averaged);
  return text + '\n';
}

}  // namespace

void SimilarityMeasure::declare(Arguments& arguments) {
  arguments.heading("Pairs");
  arguments.flag("--average-phrases", average_phrases,
                 "Take the mean of its words for a phrase outside the vocabulary");
}

std::vector<SimilarityPairs> SimilarityMeasure::read(Session& session, bool lenient) const {
  std::vector<SimilarityPairs> sets;
  for (const std::string& file : files) {
    sets.push_back(read_similarity_pairs(file, lenient));
    if (sets.back().skipped_lines > 0)
      session.warn(
          fmt::format("{} skipped, first: {}", counted(sets.back().skipped_lines, "line"), sets.back().first_skipped));
  }
  return sets;
}

void SimilarityMeasure::run(Session& session, const std::vector<SimilarityPairs>& sets,
                            const std::vector<NamedSpace>& spaces, Side second, const TableFormat& format) const {
  const SimilarityOptions options = {.case_policy = parse_case_policy(case_policy), .average_phrases = average_phrases};
  std::vector<SimilarityOfSet> results;
  for (const SimilarityPairs& pairs : sets) {
    SimilarityOfSet& set = results.emplace_back(SimilarityOfSet{file_name(pairs.path), {}});
    for (const auto& [name, space] : spaces)
      set.results.push_back({name, evaluate_similarity(pairs, space, second, options)});
  }
  session.print(format.json() ? to_json(results) : format.render(to_table(results), similarity_note(results)));
}

}  // namespace wordbridge::cli
