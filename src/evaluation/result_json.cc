#include "evaluation/result_json.h"

#include "base/json.h"
#include "base/wording.h"
#include "evaluation/entry_scores.h"

namespace wordbridge {

namespace {

std::string dump(const Json& json) { return json.dump(); }

Json precision_of(const WordTranslation::Shares& shares) {
  Json object = Json::object();
  for (std::size_t i = 0; i < shares.precision.size(); ++i)
    object[std::to_string(WordTranslation::kRanks[i])] = rounded(shares.precision[i]);
  return object;
}

Json lexicon_of(const LexiconCoverage& coverage) {
  Json json = {{"lines", coverage.lines},
               {"duplicates", coverage.duplicates},
               {"identical_dropped", coverage.identical},
               {"pairs", coverage.pairs},
               {"missing_source", coverage.missing_source},
               {"missing_target", coverage.missing_target},
               {"missing_both", coverage.missing_both},
               {"case_matched", coverage.case_matched},
               {"skipped_lines", coverage.skipped_lines}};
  if (coverage.phrases > 0)
    json["phrases"] = {
        {"pairs", coverage.phrases}, {"found", coverage.phrases_found}, {"of_words", coverage.phrases_of_words}};
  if (coverage.known_pairs > 0) {
    json["known_words"] = coverage.known_words;
    json["known_pairs"] = coverage.known_pairs;
  }
  return json;
}

}  // namespace

std::string to_json(const WordTranslation::Shares& shares) { return dump(precision_of(shares)); }

std::string to_json(const WordTranslation& result) {
  Json object = {{"precision", {{"all", precision_of(result.all)}, {"covered", precision_of(result.covered)}}},
                 {"mrr_at_10", rounded(result.all.mrr_at_10)},
                 {"mrr_at_10_covered", rounded(result.covered.mrr_at_10)},
                 {"coverage", rounded(result.coverage_percent())},
                 {"criterion", result.criterion},
                 {"words", {{"all", result.all.words}, {"covered", result.covered.words}}},
                 {"lexicon", lexicon_of(result.coverage)}};
  if (result.entries) object["entries"] = Json::parse(to_json(*result.entries));
  return dump(object);
}

std::string to_json(const Hubness& result, const Vocabulary& source, const Vocabulary& target) {
  Json histogram = Json::array(), hubs = Json::array();
  for (std::size_t bin = 0; bin < result.histogram.size(); ++bin)
    histogram.push_back({{"occurrences", histogram_label(bin)}, {"targets", result.histogram[bin]}});
  for (const Hubness::Hub& hub : result.hubs) {
    Json choosers = Json::array();
    for (const WordId word : hub.chosen_by) choosers.push_back(std::string(source[word]));
    hubs.push_back({{"word", std::string(target[hub.target])},
                    {"occurrences", hub.occurrences},
                    {"chosen_by", std::move(choosers)}});
  }
  return dump({{"criterion", result.criterion},
               {"k", result.k},
               {"source_words", result.queries},
               {"targets", result.targets},
               {"skewness", rounded(result.skewness)},
               {"largest", result.largest()},
               {"never_percent", rounded(result.never_percent())},
               {"histogram", std::move(histogram)},
               {"hubs", std::move(hubs)}});
}

}  // namespace wordbridge
