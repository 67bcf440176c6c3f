#include "vectors/inspection.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <optional>
#include <unordered_map>

#include "base/checksum.h"
#include "base/random.h"
#include "parallel/thread_pool.h"

namespace wordbridge {

namespace {

constexpr std::size_t kRowsOfTask = 4096;

std::vector<double> row_norms(ConstMatrixView table) {
  std::vector<double> norms(table.rows());
  ThreadPool::current().for_chunks(table.rows(), kRowsOfTask, [&](std::size_t begin, std::size_t end, int) {
    for (std::size_t i = begin; i < end; ++i) {
      double square = 0;
      for (const float value : table.row(i)) square += static_cast<double>(value) * value;
      norms[i] = std::sqrt(square);
    }
  });
  return norms;
}

/// The value at a quantile of sorted values, by nearest rank.
double quantile(const std::vector<double>& sorted, double share) {
  const double rank = std::ceil(share * static_cast<double>(sorted.size()));
  return sorted[static_cast<std::size_t>(std::max(1.0, rank)) - 1];
}

std::vector<double> sorted_nonzero(const std::vector<double>& norms) {
  std::vector<double> sorted;
  std::copy_if(norms.begin(), norms.end(), std::back_inserter(sorted), [](double norm) { return norm > 0; });
  std::sort(sorted.begin(), sorted.end());
  return sorted;
}

Inspection::Norms norm_statistics(const std::vector<double>& sorted) {
  Inspection::Norms norms;
  if (sorted.empty()) return norms;
  norms.min = sorted.front();
  norms.max = sorted.back();
  double sum = 0;
  for (const double norm : sorted) sum += norm;
  norms.mean = sum / static_cast<double>(sorted.size());
  for (std::size_t i = 0; i < norms.quantiles.size(); ++i)
    norms.quantiles[i] = quantile(sorted, Inspection::Norms::kQuantiles[i]);
  return norms;
}

/// Collects findings, of which the first few are shown.
class Finder {
 public:
  explicit Finder(std::size_t examples) : examples_(examples) {}
  template <class Describe>
  void add(const Describe& describe) {
    if (++finding_.count <= examples_) finding_.examples.push_back(describe());
  }
  Inspection::Finding take() { return std::move(finding_); }

 private:
  std::size_t examples_;
  Inspection::Finding finding_;
};

/// Lengths spread over orders of magnitude, mostly by frequency, so that outliers are judged by their logarithm:
/// Tukey's far fences. The factor of two keeps quiet about tables whose lengths hardly differ, as those of unit
/// vectors.
Inspection::Finding find_far_norms(const WordVectors& vectors, const std::vector<double>& norms,
                                   const std::vector<double>& sorted, std::size_t examples) {
  Finder finder(examples);
  if (sorted.empty()) return finder.take();
  const double low = std::log(quantile(sorted, 0.25)), high = std::log(quantile(sorted, 0.75));
  const double median = std::log(quantile(sorted, 0.5)), fence = 3 * (high - low);
  for (std::size_t i = 0; i < norms.size(); ++i) {
    if (norms[i] == 0) continue;
    const double value = std::log(norms[i]);
    if ((value < low - fence || value > high + fence) && std::abs(value - median) >= std::log(2))
      finder.add([&] { return fmt::format("{} ({:.4g})", vectors.vocabulary()[i], norms[i]); });
  }
  return finder.take();
}

Inspection::Finding find_zero_rows(const WordVectors& vectors, const std::vector<double>& norms, std::size_t examples) {
  Finder finder(examples);
  for (std::size_t i = 0; i < norms.size(); ++i)
    if (norms[i] == 0) finder.add([&] { return std::string(vectors.vocabulary()[i]); });
  return finder.take();
}

/// Zero rows are counted apart.
Inspection::Finding find_duplicate_rows(const WordVectors& vectors, const std::vector<double>& norms,
                                        std::size_t examples) {
  const ConstMatrixView table = vectors.table();
  const std::size_t bytes = table.cols() * sizeof(float);
  std::vector<std::uint64_t> hashes(table.rows());
  ThreadPool::current().for_chunks(table.rows(), kRowsOfTask, [&](std::size_t begin, std::size_t end, int) {
    for (std::size_t i = begin; i < end; ++i) hashes[i] = xxh3(table.row(i).data(), bytes);
  });
  Finder finder(examples);
  std::unordered_multimap<std::uint64_t, std::size_t> first_rows;
  first_rows.reserve(table.rows());
  for (std::size_t i = 0; i < table.rows(); ++i) {
    if (norms[i] == 0) continue;
    const auto [begin, end] = first_rows.equal_range(hashes[i]);
    const auto same = std::find_if(begin, end, [&](const auto& entry) {
      return std::memcmp(table.row(entry.second).data(), table.row(i).data(), bytes) == 0;
    });
    if (same == end)
      first_rows.emplace(hashes[i], i);
    else
      finder.add([&] { return fmt::format("{} = {}", vectors.vocabulary()[i], vectors.vocabulary()[same->second]); });
  }
  return finder.take();
}

Inspection::Finding find_constant_coordinates(ConstMatrixView table, const std::vector<double>& norms,
                                              std::size_t examples) {
  Finder finder(examples);
  const auto first = std::find_if(norms.begin(), norms.end(), [](double norm) { return norm > 0; });
  if (std::count_if(first, norms.end(), [](double norm) { return norm > 0; }) < 2) return finder.take();
  const auto reference = table.row(static_cast<std::size_t>(first - norms.begin()));
  std::vector<std::uint8_t> varies(table.cols());
  std::size_t left = table.cols();
  for (std::size_t i = 0; i < table.rows() && left > 0; ++i) {
    if (norms[i] == 0) continue;
    const auto row = table.row(i);
    for (std::size_t j = 0; j < row.size(); ++j)
      if (!varies[j] && row[j] != reference[j]) {
        varies[j] = 1;
        --left;
      }
  }
  for (std::size_t j = 0; j < varies.size(); ++j)
    if (!varies[j]) finder.add([&] { return fmt::format("coordinate {} = {:.6g}", j, reference[j]); });
  return finder.take();
}

struct Cosines {
  double mean = 0, deviation = 0;
  std::uint64_t pairs = 0;
};

/// Pairs of two different rows that are not zero, drawn with repetition.
Cosines random_cosines(ConstMatrixView table, const std::vector<double>& norms, const InspectionOptions& options) {
  std::vector<std::size_t> rows;
  for (std::size_t i = 0; i < norms.size(); ++i)
    if (norms[i] > 0) rows.push_back(i);
  Cosines result;
  if (rows.size() < 2) return result;
  Random random(options.seed);
  double sum = 0, squares = 0;
  for (; result.pairs < options.random_pairs; ++result.pairs) {
    const std::size_t first = random.index(rows.size());
    const std::size_t second = (first + 1 + random.index(rows.size() - 1)) % rows.size();
    const auto a = table.row(rows[first]), b = table.row(rows[second]);
    double product = 0;
    for (std::size_t j = 0; j < a.size(); ++j) product += static_cast<double>(a[j]) * b[j];
    const double cosine = product / (norms[rows[first]] * norms[rows[second]]);
    sum += cosine;
    squares += cosine * cosine;
  }
  if (result.pairs == 0) return result;
  const double pairs = static_cast<double>(result.pairs);
  result.mean = sum / pairs;
  result.deviation = std::sqrt(std::max(0.0, squares / pairs - result.mean * result.mean));
  return result;
}

}  // namespace

Inspection inspect_vectors(const WordVectors& vectors, const InspectionOptions& options) {
  Inspection result;
  result.summary = vectors.summary();
  result.words = vectors.size();
  result.dimension = vectors.dimension();
  for (std::size_t i = 0; i < std::min(options.examples, vectors.size()); ++i)
    result.first_words.emplace_back(vectors.vocabulary()[i]);
  for (std::size_t i = 0; i < vectors.size(); ++i)
    ++result.letter_cases[static_cast<std::size_t>(letter_case(vectors.vocabulary()[i]))];

  const std::vector<double> norms = row_norms(vectors.table());
  const std::vector<double> sorted = sorted_nonzero(norms);
  result.norms = norm_statistics(sorted);
  const Cosines cosines = random_cosines(vectors.table(), norms, options);
  result.mean_cosine = cosines.mean;
  result.deviation_of_cosine = cosines.deviation;
  result.random_pairs = cosines.pairs;
  result.zero_rows = find_zero_rows(vectors, norms, options.examples);
  result.far_norms = find_far_norms(vectors, norms, sorted, options.examples);
  result.duplicate_rows = find_duplicate_rows(vectors, norms, options.examples);
  result.constant_coordinates = find_constant_coordinates(vectors.table(), norms, options.examples);
  return result;
}

}  // namespace wordbridge
