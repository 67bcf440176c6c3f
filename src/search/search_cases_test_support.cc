#include "search/search_cases_test_support.h"

#include <algorithm>
#include <atomic>
#include <bit>
#include <cmath>
#include <deque>
#include <thread>

#include "base/random.h"
#include "wordbridge/context.h"
#include "wordbridge/error.h"

namespace wordbridge {

namespace {

void fill_row(std::span<float> row, Spread spread, const Matrix& centers, Random& random) {
  const std::size_t d = row.size();
  const auto center = centers.row(random.index(centers.rows()));
  const double scale = std::pow(10.0, 30 * random.uniform() - 15);
  const double shift = 1e-7 * random.normal();
  for (std::size_t j = 0; j < d; ++j) {
    const double normal = random.normal();
    double value = normal;
    switch (spread) {
      case Spread::kGaussian:
        break;
      case Spread::kDecaying:
        value = normal / static_cast<double>(j + 1) + (j == 0 ? 3 : 0);
        break;
      case Spread::kClustered:
        value = center[j] + 0.05 * normal;
        break;
      case Spread::kDuplicated:
        value = center[j];
        break;
      case Spread::kNearTies:
        value = center[j] * (1 + shift) + 1e-8 * normal;
        break;
      case Spread::kSparse:
        value = random.index(8) == 0 ? normal : 0;
        break;
      case Spread::kHuge:
        value = 1e19 * normal;
        break;
      case Spread::kTiny:
        value = 1e-21 * normal;
        break;
      case Spread::kDenormal:
        value = 1e-41 * normal;
        break;
      case Spread::kMixedNorms:
        value = scale * normal;
        break;
      case Spread::kIntegers:
        value = std::round(1.5 * normal);
        break;
      case Spread::kAxes:
        value = 0;
        break;
    }
    row[j] = static_cast<float>(value);
  }
  if (spread == Spread::kAxes && d > 0) row[random.index(d)] = static_cast<float>(random.normal());
  if (spread == Spread::kDuplicated && random.index(3) == 0)
    for (float& value : row) value = -value;
  if (spread != Spread::kGaussian && random.index(11) == 0)
    for (float& value : row) value = random.index(2) == 0 ? 0.0f : -0.0f;
}

}  // namespace

std::vector<Spread> all_spreads() {
  std::vector<Spread> spreads;
  for (int i = 0; i <= static_cast<int>(Spread::kAxes); ++i) spreads.push_back(static_cast<Spread>(i));
  return spreads;
}

std::string name_of(Spread spread) {
  static const char* const names[] = {"gaussian", "decaying", "clustered", "duplicated",  "near ties", "sparse",
                                      "huge",     "tiny",     "denormal",  "mixed norms", "integers",  "axes"};
  return names[static_cast<int>(spread)];
}

Matrix random_rows(Spread spread, std::size_t rows, std::size_t dimension, std::uint64_t seed) {
  Random shared(dimension);  // centers that do not depend on the seed: queries then lie near the rows of the table
  Matrix centers = Matrix::uninitialized(5, dimension);
  for (float& value : centers.elements()) value = static_cast<float>(shared.normal());
  Random random(seed);
  Matrix result = Matrix::uninitialized(rows, dimension);
  for (std::size_t i = 0; i < rows; ++i) fill_row(result.row(i), spread, centers, random);
  return result;
}

std::vector<const Kernels*> tested_kernels() {
  struct Staged {
    std::string name;
    FilterKernel filter;
    Kernels kernels;
  };
  static const std::deque<Staged> staged = [] {
    std::deque<Staged> result;
    for (const Kernels* plain : available_kernels()) {
      if (plain->filter->least_staged_rows == SIZE_MAX) continue;
      Staged& own = result.emplace_back(Staged{std::string(plain->name) + "_staged", *plain->filter, *plain});
      own.filter.least_staged_rows = 0;
      own.kernels.name = own.name.c_str();
      own.kernels.filter = &own.filter;
    }
    return result;
  }();
  std::vector<const Kernels*> result = available_kernels();
  for (const Staged& own : staged) result.push_back(&own.kernels);
  return result;
}

bool ends_cancelled(const std::function<void()>& work, std::size_t turns) {
  Context context({.threads = 2});
  if (turns == 0) context.cancel();
  std::atomic<std::size_t> turn = 0;
  std::jthread other([&] {
    while (turn < turns) ++turn;
    context.cancel();
  });
  const Context::Scope scope(context);
  try {
    work();
  } catch (const Cancelled&) {
    return true;
  }
  return false;
}

std::string difference(const Neighbors& expected, const Neighbors& actual) {
  if (expected.queries != actual.queries) return "number of queries";
  if (expected.found != actual.found)
    return "found " + std::to_string(actual.found) + " instead of " + std::to_string(expected.found);
  if (expected.ids.size() != actual.ids.size() || expected.scores.size() != actual.scores.size()) return "sizes";
  for (std::size_t i = 0; i < expected.queries; ++i)
    for (std::size_t j = 0; j < expected.found; ++j) {
      const std::size_t at = i * expected.found + j;
      const std::string where = "query " + std::to_string(i) + ", neighbor " + std::to_string(j) + ": ";
      if (expected.ids[at] != actual.ids[at])
        return where + "row " + std::to_string(actual.ids[at]) + " instead of " + std::to_string(expected.ids[at]);
      if (std::bit_cast<std::uint32_t>(expected.scores[at]) != std::bit_cast<std::uint32_t>(actual.scores[at]))
        return where + "score";
    }
  return "";
}

const Kernels& kernels_with_blocks() {
  const auto all = available_kernels();
  return **std::ranges::find_if(all, [](const Kernels* one) { return one->filter->block_rows > 0; });
}

}  // namespace wordbridge
