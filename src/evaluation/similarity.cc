#include "evaluation/similarity.h"

#include <fmt/format.h>

#include <charconv>
#include <cmath>
#include <filesystem>
#include <numeric>
#include <optional>
#include <string_view>
#include <utility>

#include "base/wording.h"
#include "evaluation/fields.h"
#include "evaluation/statistics.h"
#include "io/lines.h"
#include "wordbridge/error.h"

namespace wordbridge {

namespace {

using Fields = std::vector<std::string_view>;

std::optional<double> number_in(std::string_view field) {
  double value = 0;
  const auto [end, error] = std::from_chars(field.data(), field.data() + field.size(), value);
  if (error != std::errc() || end != field.data() + field.size() || !std::isfinite(value)) return std::nullopt;
  return value;
}

/// Reads line after line; what the first ones show holds for all.
class PairReader {
 public:
  PairReader(ByteStream& stream, bool lenient) : lines_(stream, "a set of similarities"), lenient_(lenient) {
    result_.path = stream.path();
  }

  /// `scored`: whether each line has its score, or it is somewhere else and 0 for now.
  SimilarityPairs read(bool scored) {
    while (const auto line = lines_.next()) {
      const std::string reason = add(*line, scored);
      if (reason.empty()) continue;
      InputError error(result_.path, lines_.number(), reason);
      if (!lenient_) throw error;
      if (result_.skipped_lines++ == 0) result_.first_skipped = error.what();
    }
    if (result_.pairs.empty()) throw InputError(result_.path, 0, "no pair of words with a score in it");
    return std::move(result_);
  }

 private:
  /// The reason why the line is no pair, where it is none and nothing else either.
  std::string add(std::string_view line, bool scored) {
    if (line.find('\0') != std::string_view::npos) return "a NUL byte: not a text file in UTF-8";
    const std::string_view text = trim(line);
    if (text.empty() || text.front() == '#') return {};
    if (separator_ == '\0')
      separator_ = text.find('\t') != std::string_view::npos  ? '\t'
                   : text.find(',') != std::string_view::npos ? ','
                                                              : ' ';
    const Fields fields = separator_ == ' ' ? split_at_blanks(text) : split_at(text, separator_);
    if (fields.size() < 2 || fields[0].empty() || fields[1].empty()) return "two words are wanted";
    if (!scored) {
      result_.pairs.push_back({std::string(fields[0]), std::string(fields[1]), 0});
      return {};
    }
    const bool first = std::exchange(first_, false);
    if (score_column_ == 0) {
      for (std::size_t i = 2; i < fields.size() && score_column_ == 0; ++i)
        if (number_in(fields[i])) score_column_ = i;
      if (score_column_ == 0) return first && fields.size() > 2 ? "" : "no score after the two words";
    }
    const auto score = score_column_ < fields.size() ? number_in(fields[score_column_]) : std::nullopt;
    if (!score) return fmt::format("no score in column {}", score_column_ + 1);
    result_.pairs.push_back({std::string(fields[0]), std::string(fields[1]), *score});
    return {};
  }

  LineReader lines_;
  bool lenient_;
  char separator_ = '\0';         // not known yet
  bool first_ = true;             // no line but comments was seen
  std::size_t score_column_ = 0;  // not known yet
  SimilarityPairs result_;
};

/// Where the scores of a file in SemEval's layout may be; none for a file that is not named like one.
std::vector<std::filesystem::path> gold_paths(const std::filesystem::path& path) {
  std::string name = path.filename().string();
  const std::size_t data = name.find(".data.");
  if (data == std::string::npos) return {};
  name.replace(data, 6, ".gold.");
  return {path.parent_path() / name, path.parent_path() / ".." / "keys" / name};
}

/// A score a line.
std::vector<double> read_scores(const std::string& path) {
  const auto stream = open_bytes(path);
  LineReader lines(*stream, "a list of scores");
  std::vector<double> scores;
  while (const auto line = lines.next()) {
    if (trim(*line).empty()) continue;
    const auto score = number_in(trim(*line));
    if (!score) throw InputError(path, lines.number(), "a score is wanted");
    scores.push_back(*score);
  }
  return scores;
}

SimilarityPairs read_semeval(const std::string& path, const std::string& gold) {
  const auto stream = open_bytes(path);
  SimilarityPairs result = PairReader(*stream, false).read(false);
  const std::vector<double> scores = read_scores(gold);
  if (scores.size() != result.pairs.size())
    throw InputError(gold, 0,
                     fmt::format("{} for the {} of {}", counted(scores.size(), "score"),
                                 counted(result.pairs.size(), "pair"), path));
  for (std::size_t i = 0; i < scores.size(); ++i) result.pairs[i].score = scores[i];
  return result;
}

}  // namespace

SimilarityPairs read_similarity_pairs(ByteStream& stream, bool lenient) {
  return PairReader(stream, lenient).read(true);
}

SimilarityPairs read_similarity_pairs(const std::string& path, bool lenient) {
  for (const std::filesystem::path& gold : gold_paths(path))
    if (std::filesystem::is_regular_file(gold)) return read_semeval(path, gold.string());
  const auto stream = open_bytes(path);
  return read_similarity_pairs(*stream, lenient);
}

namespace {

/// A unit vector and how it was found.
struct Entry {
  std::vector<double> vector;
  bool other_case = false, averaged = false;
};

double length_of(const std::vector<double>& vector) {
  return std::sqrt(std::inner_product(vector.begin(), vector.end(), vector.begin(), 0.0));
}

std::optional<Entry> find_single(const CommonSpace& space, Side side, std::string_view word, CasePolicy policy) {
  const auto found = find_word(space.vocabulary(side), word, policy);
  if (!found) return std::nullopt;
  const auto row = space.table(side).row(found->id);
  Entry entry{{row.begin(), row.end()}, found->other_case, false};
  if (length_of(entry.vector) == 0) return std::nullopt;
  return entry;
}

std::optional<Entry> find_entry(const CommonSpace& space, Side side, std::string_view text,
                                const SimilarityOptions& options) {
  if (auto entry = find_single(space, side, text, options.case_policy)) return entry;
  const auto parts = split_at_blanks(text);
  if (!options.average_phrases || parts.size() < 2) return std::nullopt;
  Entry sum{std::vector<double>(space.dimension()), false, true};
  for (const std::string_view part : parts) {
    const auto entry = find_single(space, side, part, options.case_policy);
    if (!entry) return std::nullopt;
    for (std::size_t i = 0; i < sum.vector.size(); ++i) sum.vector[i] += entry->vector[i];
    sum.other_case = sum.other_case || entry->other_case;
  }
  if (length_of(sum.vector) == 0) return std::nullopt;
  return sum;
}

double cosine_of(const std::vector<double>& a, const std::vector<double>& b) {
  return std::inner_product(a.begin(), a.end(), b.begin(), 0.0) / (length_of(a) * length_of(b));
}

}  // namespace

Similarity evaluate_similarity(const SimilarityPairs& pairs, const CommonSpace& space, Side second,
                               const SimilarityOptions& options) {
  Similarity result;
  std::vector<double> cosines, scores;
  for (const SimilarityPairs::Pair& pair : pairs.pairs) {
    ++result.pairs;
    result.cosines.emplace_back();
    const auto a = find_entry(space, Side::source, pair.first, options),
               b = find_entry(space, second, pair.second, options);
    if (!a || !b) continue;
    ++result.found;
    result.case_matched += a->other_case || b->other_case;
    result.averaged += a->averaged || b->averaged;
    result.cosines.back() = cosine_of(a->vector, b->vector);
    cosines.push_back(*result.cosines.back());
    scores.push_back(pair.score);
  }
  result.spearman = spearman_correlation(cosines, scores);
  result.pearson = pearson_correlation(cosines, scores);
  return result;
}

}  // namespace wordbridge
