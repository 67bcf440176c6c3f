#include "cli/report/mapping_findings.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdlib>
#include <string_view>
#include <utility>
#include <vector>

#include "cli/paths.h"
#include "cli/report/table.h"
#include "linalg/lapack.h"
#include "wordbridge/hubness.h"

namespace wordbridge::cli {

namespace {

constexpr double kPictureWidth = 640, kPictureHeight = 420, kPictureMargin = 14, kLetterWidth = 7.2, kLineHeight = 15;

struct Point {
  double x, y;
};

/// Where rows lie along the two directions in which they differ most, scaled to the picture. The sign of a direction is
/// such that the row farthest out has a positive place.
std::vector<Point> places_of(const MatrixD& rows) {
  MatrixD centered = rows;
  for (std::size_t j = 0; j < rows.cols(); ++j) {
    double mean = 0;
    for (std::size_t i = 0; i < rows.rows(); ++i) mean += rows(i, j);
    mean /= static_cast<double>(rows.rows());
    for (std::size_t i = 0; i < rows.rows(); ++i) centered(i, j) -= mean;
  }
  const Svd decomposition = svd(centered);
  std::vector<Point> places(rows.rows(), {0, 0});
  const std::size_t axes = std::min<std::size_t>(2, decomposition.s.size());
  for (std::size_t axis = 0; axis < axes; ++axis) {
    double farthest = 0;
    for (std::size_t i = 0; i < rows.rows(); ++i)
      if (std::abs(decomposition.u(i, axis)) > std::abs(farthest)) farthest = decomposition.u(i, axis);
    for (std::size_t i = 0; i < rows.rows(); ++i)
      (axis == 0 ? places[i].x : places[i].y) = farthest == 0 ? 0 : decomposition.u(i, axis) / farthest;
  }
  return places;
}

/// From places around 0 to those of the picture, with room for words at the right.
void fit(std::vector<Point>& places) {
  constexpr double kRoom = 90;
  const auto [left, right] = std::ranges::minmax(places, {}, &Point::x);
  const auto [top, bottom] = std::ranges::minmax(places, {}, &Point::y);
  const double width = std::max(right.x - left.x, 1e-9), height = std::max(bottom.y - top.y, 1e-9);
  const Point first = {left.x, top.y};
  for (Point& place : places) {
    place.x = kPictureMargin + (place.x - first.x) / width * (kPictureWidth - 2 * kPictureMargin - kRoom);
    place.y = kPictureMargin + kLineHeight +
              (place.y - first.y) / height * (kPictureHeight - 3 * kPictureMargin - 2 * kLineHeight);
  }
}

/// What a word and its mark cover.
struct Box {
  double left, top, right, bottom;
  bool meets(const Box& other) const {
    return left < other.right && other.left < right && top < other.bottom && other.top < bottom;
  }
};

Box box_of(Point place, std::string_view word) {
  // Letters, not bytes: continuation bytes of UTF-8 do not count.
  const auto letters =
      std::ranges::count_if(word, [](char c) { return (static_cast<unsigned char>(c) & 0xC0) != 0x80; });
  return {place.x - 5, place.y - kLineHeight / 2, place.x + 8 + kLetterWidth * static_cast<double>(letters),
          place.y + kLineHeight / 2};
}

std::string word_at(Point place, std::string_view word, int color) {
  return fmt::format(
      "<circle class=\"c{0}\" cx=\"{1:.1f}\" cy=\"{2:.1f}\" r=\"3\"/><text x=\"{3:.1f}\" y=\"{4:.1f}\">{5}</text>\n",
      color, place.x, place.y, place.x + 6, place.y + 4, escape_html(word));
}

MatrixD rows_of(const CommonSpace& space, std::span<const Lexicon::Pair> pairs) {
  MatrixD rows(2 * pairs.size(), space.dimension());
  for (std::size_t i = 0; i < pairs.size(); ++i) {
    std::ranges::copy(space.table(Side::source).row(pairs[i].source), rows.row(2 * i).begin());
    std::ranges::copy(space.table(Side::target).row(pairs[i].target), rows.row(2 * i + 1).begin());
  }
  return rows;
}

}  // namespace

std::string word_map_svg(const CommonSpace& space, std::span<const Lexicon::Pair> pairs) {
  std::string svg = fmt::format(
      "<svg viewBox=\"0 0 {} {}\" role=\"img\" aria-label=\"Words of both languages in the common space\">\n",
      kPictureWidth, kPictureHeight);
  if (pairs.size() < 2) return svg + "</svg>\n";
  std::vector<Point> places = places_of(rows_of(space, pairs));
  fit(places);
  std::vector<Box> taken;
  for (std::size_t i = 0; i < pairs.size(); ++i) {
    const Point from = places[2 * i], to = places[2 * i + 1];
    const std::string_view source = space.vocabulary(Side::source)[pairs[i].source],
                           target = space.vocabulary(Side::target)[pairs[i].target];
    const std::array<Box, 2> boxes = {box_of(from, source), box_of(to, target)};
    const auto is_free = [&](const Box& box) {
      return std::ranges::none_of(taken, [&](const Box& other) { return box.meets(other); });
    };
    if (boxes[0].meets(boxes[1]) || !is_free(boxes[0]) || !is_free(boxes[1])) continue;
    taken.insert(taken.end(), boxes.begin(), boxes.end());
    svg += fmt::format("<line class=\"grid\" x1=\"{:.1f}\" y1=\"{:.1f}\" x2=\"{:.1f}\" y2=\"{:.1f}\"/>\n", from.x,
                       from.y, to.x, to.y);
    svg += word_at(from, source, 0) + word_at(to, target, 1);
  }
  return svg + "</svg>\n";
}

namespace {

/// The most frequent words that are translated right, with their translations.
std::vector<Lexicon::Pair> right_pairs(const CommonSpace& space, const WordTranslation& result) {
  constexpr std::size_t kMost = 60;  // not all of them find room
  std::vector<Lexicon::Pair> pairs;
  for (const WordTranslation::Word& word : result.words)
    if (word.rank == 1 && word.id && word.predictions.front() != word.word)
      if (const auto target = space.vocabulary(Side::target).find(word.predictions.front()))
        pairs.push_back({*word.id, *target});
  std::ranges::sort(pairs, {}, &Lexicon::Pair::source);
  pairs.resize(std::min(pairs.size(), kMost));
  return pairs;
}

/// Where bands of frequency end: the last with the vocabulary.
std::vector<std::size_t> band_ends(std::size_t words) {
  std::vector<std::size_t> ends;
  for (std::size_t power = 100; power < words; power *= 10)
    for (const std::size_t end : {power, 2 * power, 5 * power})
      if (end < words) ends.push_back(end);
  ends.push_back(std::max<std::size_t>(words, 1));
  return ends;
}

}  // namespace

void MappingFindings::measure(const CommonSpace& space, const GoldLexicon& gold, const Criterion& criterion) {
  WordTranslation result = evaluate_word_translation(criterion, space, gold);
  std::vector<FrequencyBand> bands = by_frequency(result, band_ends(space.size(Side::source)));
  translations.push_back({std::move(result), std::move(bands)});
}

void MappingFindings::conclude(const CommonSpace& space, std::uint64_t seed) {
  word_map = word_map_svg(space, right_pairs(space, best()));
  if (best().criterion != "rerank" || translations.size() < 2) return;
  rerank = analyze_reranked(best(), translations[translations.size() - 2].result, {.seed = seed});
  reliability = evaluate_reliability(best());
}

void MappingFindings::measure_hubness(const CommonSpace& space, std::size_t queries) {
  for (const char* name : {"nn", "csls"}) {
    const auto criterion = make_criterion(name, space);
    hubness.push_back(
        record_of(evaluate_hubness(*criterion, space, {.max_words = queries}), space.vocabulary(Side::target)));
  }
}

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
