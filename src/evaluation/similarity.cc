#include "evaluation/similarity.h"

#include <cmath>
#include <numeric>
#include <string_view>

#include "evaluation/correlation.h"
#include "evaluation/fields.h"

namespace wordbridge {

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
