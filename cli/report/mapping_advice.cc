#include "cli/report/mapping_advice.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>

#include "cli/paths.h"

namespace wordbridge::cli {

namespace {

constexpr double kLowCoverage = 90;  // percent of the test's words
constexpr std::size_t kFewTrainingWords = 1000;
constexpr double kSteepFall = 15;            // points of P@1 from the most frequent band to the rarest
constexpr std::size_t kEnoughWords = 30;     // of a band, to say something about it
constexpr double kFarFromProbabilities = 5;  // points of calibration error

/// The file that the mapping was learned from: "train.txt: 1260 of 1260 source words, ..." begins with it.
std::string training_file(const Provenance& provenance) {
  return file_name(provenance.lexicon.substr(0, provenance.lexicon.find(": ")));
}

/// "train.txt: 1260 of 1300 source words, ...": 1260; 0 where it does not say.
std::size_t training_words(const Provenance& provenance) {
  const std::size_t colon = provenance.lexicon.find(": ");
  return colon == std::string::npos ? 0 : std::strtoull(provenance.lexicon.c_str() + colon + 2, nullptr, 10);
}

void advise_on_test(const MappingFindings& findings, std::vector<std::string>& lines) {
  if (findings.translations.empty()) {
    lines.emplace_back(
        "Give a test lexicon (--lexicon): without one, this page cannot say how well words are translated.");
    return;
  }
  if (file_name(findings.lexicon) == training_file(findings.provenance))
    lines.push_back(
        fmt::format("The mapping was learned from {} itself: its scores here are too good. Use words that "
                    "were kept apart.",
                    file_name(findings.lexicon)));
  const WordTranslation& best = findings.best();
  if (best.coverage_percent() < kLowCoverage)
    lines.push_back(
        fmt::format("{:.0f}% of the test's source words cannot be found, or none of their translations can: "
                    "read more words (--max-words), or compare without letter case (--case lower).",
                    100 - best.coverage_percent()));
}

void advise_on_training(const MappingFindings& findings, std::vector<std::string>& lines) {
  const Provenance& provenance = findings.provenance;
  const bool reranked = !findings.translations.empty() && findings.best().criterion == "rerank";
  if (provenance.method != "auto" && !provenance.lexicon.empty())
    lines.push_back(
        fmt::format("Align again without --method {}: by default, held-out words choose the kind of map, and "
                    "a re-ranker is learned with it.",
                    provenance.method));
  else if (!reranked && !findings.translations.empty())
    lines.emplace_back("There is no re-ranker here: align without --no-rerank, or translate with --criterion rerank.");
  if (findings.rerank && findings.rerank->gains_by_spelling_alone())
    lines.emplace_back(
        "All that the re-ranker gains over CSLS is words whose translations are written alike: of others it says "
        "nothing. Where words are ids, align with --rerank-features semantic.");
  const std::size_t words = training_words(provenance);
  if (words > 0 && words < kFewTrainingWords)
    lines.push_back(
        fmt::format("{} source words are a small lexicon. Grow it: 'wordbridge induce --mutual' finds pairs, "
                    "the best first; check them by hand, add them, and align again.",
                    words));
}

void advise_on_words(const MappingFindings& findings, std::vector<std::string>& lines) {
  if (findings.translations.empty()) return;
  std::vector<FrequencyBand> bands = findings.translations.back().bands;
  std::erase_if(bands, [](const FrequencyBand& band) { return band.all.words < kEnoughWords; });
  if (bands.size() > 1) {
    const double frequent = bands.front().all.precision[0], rare = bands.back().all.precision[0];
    if (frequent - rare > kSteepFall)
      lines.push_back(
          fmt::format("Rare words are translated worse (P@1 {:.1f} beyond rank {} instead of {:.1f}): their "
                      "vectors are poorer. Pairs of rare words in the training lexicon help most.",
                      rare, bands.back().first - 1, frequent));
  }
  if (findings.reliability && findings.reliability->error > kFarFromProbabilities)
    lines.push_back(
        fmt::format("Probabilities are off by {:.1f} points in the mean: choose the threshold of 'induce "
                    "--precision' with room to spare, or learn from more words.",
                    findings.reliability->error));
}

}  // namespace

std::vector<std::string> advice(const MappingFindings& findings) {
  std::vector<std::string> lines;
  advise_on_test(findings, lines);
  advise_on_training(findings, lines);
  advise_on_words(findings, lines);
  if (lines.empty())
    lines.emplace_back(
        "Nothing stands out. Grow the lexicon with 'wordbridge induce --precision 0.9', or use the mapping.");
  return lines;
}

}  // namespace wordbridge::cli
