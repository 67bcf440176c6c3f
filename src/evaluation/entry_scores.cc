#include "evaluation/entry_scores.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "base/json.h"
#include "base/random.h"
#include "base/wording.h"
#include "retrieval/word_forms.h"

namespace wordbridge {

namespace {

constexpr std::size_t kCalibrationBins = 10, kMostTranslations = 4;
constexpr double kLikely = 0.05;

double percent_of(double part, double whole) { return whole > 0 ? 100 * part / whole : 0; }

/// A candidate of all those of a test.
struct Judged {
  double probability;
  bool right;
  std::size_t word;
};

std::vector<Judged> likeliest_first(std::span<const JudgedWord> words) {
  std::vector<Judged> all;
  for (std::size_t i = 0; i < words.size(); ++i) {
    if (words[i].known.empty()) continue;
    for (std::size_t j = 0; j < words[i].candidates.size(); ++j)
      all.push_back({words[i].probabilities[j], std::ranges::binary_search(words[i].known, words[i].candidates[j]), i});
  }
  std::ranges::stable_sort(all, std::greater<>(), &Judged::probability);
  return all;
}

/// What words lead to, each counted so many times.
struct Measures {
  double precision = 0, recall = 0, f1 = 0, average_precision = 0, recall_at_80 = 0;

  Measures(std::span<const Judged> judged, std::span<const std::size_t> times, double known, double threshold) {
    double taken = 0, right = 0, sum = 0;
    for (std::size_t i = 0; i < judged.size(); ++i) {
      const auto count = static_cast<double>(times[judged[i].word]);
      taken += count;
      if (judged[i].right) {
        right += count;
        if (taken > 0) sum += count * right / taken;
      }
      // Candidates that are equally likely are taken together.
      if (i + 1 < judged.size() && judged[i + 1].probability == judged[i].probability) continue;
      if (right >= 0.8 * taken) recall_at_80 = percent_of(right, known);
      if (judged[i].probability < threshold) continue;
      precision = percent_of(right, taken);
      recall = percent_of(right, known);
      f1 = percent_of(2 * right, taken + known);
    }
    average_precision = percent_of(sum, known);
  }
};

double known_of(std::span<const JudgedWord> words, std::span<const std::size_t> times) {
  double known = 0;
  for (std::size_t i = 0; i < words.size(); ++i) known += static_cast<double>(times[i] * words[i].known.size());
  return known;
}

EntryScores::Interval interval(double value, std::vector<double> samples) {
  std::ranges::sort(samples);
  const auto at = [&](double share) {
    return samples[static_cast<std::size_t>(share * static_cast<double>(samples.size() - 1))];
  };
  return samples.empty() ? EntryScores::Interval{value, value, value}
                         : EntryScores::Interval{value, at(0.025), at(0.975)};
}

void set_intervals(std::span<const JudgedWord> words, std::span<const Judged> judged, const EntryScoreOptions& options,
                   EntryScores& scores) {
  std::vector<std::size_t> covered;
  for (std::size_t i = 0; i < words.size(); ++i)
    if (!words[i].known.empty()) covered.push_back(i);
  std::vector<std::size_t> times(words.size(), 1);
  const Measures measured(judged, times, known_of(words, times), scores.balance.threshold);
  std::vector<double> precision, recall, f1, average;
  Random random(options.seed);
  for (std::size_t sample = 0; sample < options.samples && !covered.empty(); ++sample) {
    std::ranges::fill(times, 0);
    for (std::size_t i = 0; i < covered.size(); ++i) ++times[covered[random.index(covered.size())]];
    const Measures drawn(judged, times, known_of(words, times), scores.balance.threshold);
    precision.push_back(drawn.precision);
    recall.push_back(drawn.recall);
    f1.push_back(drawn.f1);
    average.push_back(drawn.average_precision);
  }
  scores.precision = interval(measured.precision, std::move(precision));
  scores.recall = interval(measured.recall, std::move(recall));
  scores.f1 = interval(measured.f1, std::move(f1));
  scores.average_precision = interval(measured.average_precision, std::move(average));
  scores.recall_at_80 = measured.recall_at_80;
}

void set_calibration(std::span<const Judged> judged, EntryScores& scores) {
  scores.bins.resize(kCalibrationBins);
  double likely = 0, likely_probability[kCalibrationBins] = {}, likely_right[kCalibrationBins] = {},
         likely_count[kCalibrationBins] = {};
  for (const Judged& one : judged) {
    const auto place = std::min(static_cast<std::size_t>(one.probability * kCalibrationBins), kCalibrationBins - 1);
    ++scores.bins[place].candidates;
    scores.bins[place].probability += one.probability;
    scores.bins[place].right += one.right ? 1 : 0;
    if (one.probability < kLikely) continue;
    ++likely;
    ++likely_count[place];
    likely_probability[place] += one.probability;
    likely_right[place] += one.right ? 1 : 0;
  }
  for (std::size_t i = 0; i < kCalibrationBins; ++i) {
    EntryScores::Bin& bin = scores.bins[i];
    scores.calibration_error += percent_of(std::abs(bin.right - bin.probability), static_cast<double>(judged.size()));
    scores.calibration_error_likely += percent_of(std::abs(likely_right[i] - likely_probability[i]), likely);
    bin.probability = percent_of(bin.probability, static_cast<double>(bin.candidates));
    bin.right = percent_of(bin.right, static_cast<double>(bin.candidates));
  }
}

void set_groups(std::span<const JudgedWord> words, EntryScores& scores) {
  for (std::size_t translations = 1; translations <= kMostTranslations; ++translations)
    scores.groups.push_back({.translations = translations});
  for (const JudgedWord& word : words) {
    if (word.known.empty()) continue;
    EntryScores::Group one{.words = 1, .known = word.known.size()};
    for (std::size_t i = 0; i < word.candidates.size(); ++i) {
      if (word.probabilities[i] < scores.balance.threshold) continue;
      ++one.named;
      one.right += std::ranges::binary_search(word.known, word.candidates[i]) ? 1 : 0;
    }
    for (EntryScores::Group* group :
         {&scores.all, &scores.groups[std::min(word.known.size(), kMostTranslations) - 1]}) {
      group->words += one.words;
      group->known += one.known;
      group->named += one.named;
      group->right += one.right;
    }
  }
}

void set_first(std::span<const JudgedWord> words, std::size_t all, const WordForms* forms, EntryScores& scores) {
  double right = 0, in_any_form = 0;
  for (const JudgedWord& word : words) {
    if (word.known.empty() || word.candidates.empty()) continue;
    const WordId first = word.candidates.front();
    const bool is_right = std::ranges::binary_search(word.known, first);
    right += is_right;
    in_any_form += is_right || (forms != nullptr && std::ranges::any_of(word.known, [&](WordId known) {
                                  return forms->are_of_one_word(first, known);
                                }));
  }
  scores.first_right = percent_of(right, static_cast<double>(all));
  scores.first_right_in_any_form = percent_of(in_any_form, static_cast<double>(all));
}

Json json_of(const EntryScores::Interval& interval) {
  return {{"value", rounded(interval.value)}, {"low", rounded(interval.low)}, {"high", rounded(interval.high)}};
}

EntryScores::Interval interval_of(const Json& json) {
  return {json.at("value").get<double>(), json.at("low").get<double>(), json.at("high").get<double>()};
}

EntryScores::Group group_of(const Json& json) {
  return {0, json.at("words").get<std::size_t>(), json.at("known").get<std::size_t>(),
          json.at("named").get<std::size_t>(), json.at("right").get<std::size_t>()};
}

}  // namespace

double EntryScores::Group::precision() const {
  return percent_of(static_cast<double>(right), static_cast<double>(named));
}
double EntryScores::Group::recall() const { return percent_of(static_cast<double>(right), static_cast<double>(known)); }
double EntryScores::Group::f1() const {
  return percent_of(2 * static_cast<double>(right), static_cast<double>(named + known));
}

EntryScores evaluate_entries(std::span<const JudgedWord> words, std::size_t all, const WordForms* forms,
                             const EntryBalance& balance, const EntryScoreOptions& options) {
  EntryScores scores;
  scores.balance = balance;
  const std::vector<Judged> judged = likeliest_first(words);
  set_groups(words, scores);
  set_intervals(words, judged, options, scores);
  set_calibration(judged, scores);
  set_first(words, all, forms, scores);
  return scores;
}

std::string to_json(const EntryScores& scores) {
  Json groups = Json::array(), bins = Json::array();
  for (const EntryScores::Group& group : scores.groups)
    groups.push_back({{"translations", group.translations},
                      {"words", group.words},
                      {"known", group.known},
                      {"named", group.named},
                      {"right", group.right},
                      {"precision", rounded(group.precision())},
                      {"recall", rounded(group.recall())},
                      {"f1", rounded(group.f1())}});
  for (const EntryScores::Bin& bin : scores.bins)
    bins.push_back(
        {{"candidates", bin.candidates}, {"probability", rounded(bin.probability)}, {"right", rounded(bin.right)}});
  const EntryBalance& balance = scores.balance;
  return Json({{"words", scores.all.words},
               {"known", scores.all.known},
               {"named", scores.all.named},
               {"right", scores.all.right},
               {"precision", json_of(scores.precision)},
               {"recall", json_of(scores.recall)},
               {"f1", json_of(scores.f1)},
               {"average_precision", json_of(scores.average_precision)},
               {"recall_at_80", rounded(scores.recall_at_80)},
               {"threshold", rounded(balance.threshold)},
               {"expected",
                {{"precision", rounded(balance.precision)},
                 {"recall", rounded(balance.recall)},
                 {"f1", rounded(balance.f1)},
                 {"words", balance.words}}},
               {"by_translations", std::move(groups)},
               {"calibration",
                {{"error", rounded(scores.calibration_error)},
                 {"error_of_likely", rounded(scores.calibration_error_likely)},
                 {"bins", std::move(bins)}}},
               {"first_right", rounded(scores.first_right)},
               {"first_right_in_any_form", rounded(scores.first_right_in_any_form)}})
      .dump();
}

EntryScores parse_entry_scores(std::string_view text) {
  const Json json = Json::parse(text);
  EntryScores scores;
  scores.all = group_of(json);
  for (const Json& group : json.at("by_translations")) {
    scores.groups.push_back(group_of(group));
    scores.groups.back().translations = group.at("translations").get<std::size_t>();
  }
  scores.precision = interval_of(json.at("precision"));
  scores.recall = interval_of(json.at("recall"));
  scores.f1 = interval_of(json.at("f1"));
  scores.average_precision = interval_of(json.at("average_precision"));
  scores.recall_at_80 = json.at("recall_at_80").get<double>();
  const Json &expected = json.at("expected"), &calibration = json.at("calibration");
  scores.balance = {json.at("threshold").get<double>(),      expected.at("precision").get<double>(),
                    expected.at("recall").get<double>(),     expected.at("f1").get<double>(),
                    expected.at("words").get<std::size_t>(), true};
  scores.calibration_error = calibration.at("error").get<double>();
  scores.calibration_error_likely = calibration.at("error_of_likely").get<double>();
  for (const Json& bin : calibration.at("bins"))
    scores.bins.push_back(
        {bin.at("candidates").get<std::size_t>(), bin.at("probability").get<double>(), bin.at("right").get<double>()});
  scores.first_right = json.at("first_right").get<double>();
  scores.first_right_in_any_form = json.at("first_right_in_any_form").get<double>();
  return scores;
}

}  // namespace wordbridge
