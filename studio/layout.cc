#include "studio/layout.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstring>
#include <numeric>

#include "base/random.h"
#include "linalg/blas.h"
#include "linalg/lapack.h"
#include "parallel/thread_pool.h"
#include "search/neighbor_search.h"
#include "space/common_space_state.h"
#include "wordbridge/context.h"
#include "wordbridge/error.h"

namespace wordbridge::studio {

namespace {

constexpr std::string_view kMagic = "wbxymap1";
constexpr std::size_t kHeader = 24;
constexpr std::size_t kBlockRows = 4096;
constexpr std::size_t kSampleRows = 16'384;  // for the axes
constexpr std::size_t kJudged = 1000;        // words whose neighbors on the map are counted

static_assert(std::endian::native == std::endian::little, "maps are sent as they are in memory");

/// Rows of another dimension with zeros behind, or cut.
Matrix with_dimension(Matrix rows, std::size_t dimension) {
  if (rows.cols() == dimension) return rows;
  Matrix result(rows.rows(), dimension);
  for (std::size_t i = 0; i < rows.rows(); ++i)
    std::copy_n(rows.row(i).data(), std::min(dimension, rows.cols()), result.row(i).data());
  return result;
}

/// A plane: the mean of the rows and two axes.
struct Plane {
  std::vector<float> mean;
  Matrix axes;  // 2 x d

  void place(ConstMatrixView rows, float* positions) const {
    const std::array<double, 2> shift = {product(0), product(1)};
    const Matrix products = multiply_abt(rows, axes);
    for (std::size_t i = 0; i < rows.rows(); ++i)
      for (std::size_t axis = 0; axis < 2; ++axis)
        positions[2 * i + axis] = is_zero(rows.row(i)) ? 0 : products(i, axis) - static_cast<float>(shift[axis]);
  }
  double product(std::size_t axis) const {
    return std::inner_product(mean.begin(), mean.end(), axes.row(axis).begin(), 0.0);
  }
};

Plane main_plane(ConstMatrixView source, ConstMatrixView target) {
  const std::size_t rows = source.rows() + target.rows(), step = std::max<std::size_t>(1, rows / kSampleRows);
  const std::size_t dimension = source.cols();
  std::vector<std::size_t> some;
  const auto row = [&](std::size_t i) { return i < source.rows() ? source.row(i) : target.row(i - source.rows()); };
  for (std::size_t i = 0; i < rows; i += step)
    if (!is_zero(row(i))) some.push_back(i);
  Matrix sample = Matrix::uninitialized(some.size(), dimension);
  std::vector<double> sums(dimension);
  for (std::size_t i = 0; i < some.size(); ++i) {
    std::ranges::copy(row(some[i]), sample.row(i).begin());
    for (std::size_t j = 0; j < dimension; ++j) sums[j] += sample(i, j);
  }
  Plane plane{std::vector<float>(dimension), Matrix(2, dimension)};
  if (some.empty()) return plane;
  for (std::size_t j = 0; j < dimension; ++j)
    plane.mean[j] = static_cast<float>(sums[j] / static_cast<double>(some.size()));
  for (std::size_t i = 0; i < some.size(); ++i)
    for (std::size_t j = 0; j < dimension; ++j) sample(i, j) -= plane.mean[j];
  const Eigen eigen = symmetric_eigen(multiply_atb(sample.view(), sample.view()));
  for (std::size_t axis = 0; axis < std::min<std::size_t>(2, dimension); ++axis) {
    const std::size_t column = dimension - 1 - axis;
    std::size_t largest = 0;
    for (std::size_t j = 0; j < dimension; ++j)
      if (std::abs(eigen.vectors(j, column)) > std::abs(eigen.vectors(largest, column))) largest = j;
    const double sign = eigen.vectors(largest, column) < 0 ? -1 : 1;  // of an axis nobody knows which way is up
    for (std::size_t j = 0; j < dimension; ++j)
      plane.axes(axis, j) = static_cast<float>(sign * eigen.vectors(j, column));
  }
  return plane;
}

/// The neighbors of a word in a graph, each with how strongly it pulls.
struct Graph {
  struct Edge {
    std::uint32_t to;
    float weight;
  };
  std::vector<std::size_t> starts = {0};
  std::vector<Edge> edges;

  std::span<const Edge> of(std::size_t row) const {
    return std::span(edges).subspan(starts[row], starts[row + 1] - starts[row]);
  }
};

/// exp(-(d - rho) / sigma), rho the distance of the nearest and sigma so that the weights of a word add up to log2 k.
void weigh(std::span<const float> cosines, std::vector<float>& weights) {
  std::vector<double> distances;
  for (const float cosine : cosines) distances.push_back(std::max(0.0, 1.0 - static_cast<double>(cosine)));
  weights.assign(cosines.size(), 0);
  if (cosines.empty()) return;
  const double rho = distances.front(), wanted = std::log2(static_cast<double>(cosines.size()));
  const double mean = std::accumulate(distances.begin(), distances.end(), 0.0) / static_cast<double>(cosines.size());
  double low = 0, high = std::numeric_limits<double>::infinity(), sigma = 1;
  for (int step = 0; step < 64; ++step) {
    double sum = 0;
    for (const double distance : distances) sum += std::exp(-std::max(0.0, distance - rho) / sigma);
    if (std::abs(sum - wanted) < 1e-5) break;
    (sum > wanted ? high : low) = sigma;
    sigma = std::isinf(high) ? 2 * sigma : (low + high) / 2;
  }
  sigma = std::max(sigma, 1e-3 * mean + 1e-12);
  for (std::size_t i = 0; i < distances.size(); ++i)
    weights[i] = static_cast<float>(std::exp(-std::max(0.0, distances[i] - rho) / sigma));
}

/// P + Pᵀ - P ∘ Pᵀ.
Graph fuzzy_graph(const Neighbors& nearest) {
  const std::size_t rows = nearest.queries;
  std::vector<std::vector<Graph::Edge>> own(rows), both(rows);
  std::vector<float> weights;
  for (std::size_t row = 0; row < rows; ++row) {
    weigh(nearest.scores_of(row), weights);
    for (std::size_t i = 0; i < nearest.found; ++i) own[row].push_back({nearest.ids_of(row)[i], weights[i]});
  }
  const auto weight = [&](std::size_t from, std::uint32_t to) {
    for (const Graph::Edge& edge : own[from])
      if (edge.to == to) return edge.weight;
    return 0.0F;
  };
  for (std::uint32_t row = 0; row < rows; ++row)
    for (const Graph::Edge& edge : own[row]) {
      const float back = weight(edge.to, row);
      const float joined = edge.weight + back - edge.weight * back;
      both[row].push_back({edge.to, joined});
      if (back == 0) both[edge.to].push_back({row, joined});
    }
  Graph graph;
  for (const auto& edges : both) {
    graph.edges.insert(graph.edges.end(), edges.begin(), edges.end());
    graph.starts.push_back(graph.edges.size());
  }
  return graph;
}

/// Numbers that look drawn, by where they are asked for: the same on any thread.
class Draw {
 public:
  Draw(std::uint64_t seed, std::size_t epoch, std::size_t row)
      : state_(seed * 0x9E3779B97F4A7C15ULL + epoch * 0xD1B54A32D192ED03ULL + row * 0x8CB92BA72F3D8DD7ULL) {}
  std::size_t below(std::size_t n) {
    state_ += 0x9E3779B97F4A7C15ULL;
    std::uint64_t z = state_;
    z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9ULL;
    z = (z ^ (z >> 27)) * 0x94D049BB133111EBULL;
    z ^= z >> 31;
    return static_cast<std::size_t>((static_cast<std::uint64_t>(static_cast<std::uint32_t>(z >> 32)) * n) >> 32);
  }

 private:
  std::uint64_t state_;
};

/// One word's way through an epoch. The curve 1 / (1 + a d^2b) is that of min_dist 0.1 and spread 1.
struct Walker {
  static constexpr double kA = 1.576943460405378, kB = 0.8950608781227859;
  double x, y, rate;

  void pull(const float* other) {
    const double dx = x - other[0], dy = y - other[1], square = dx * dx + dy * dy;
    if (square <= 0) return;
    const double power = std::pow(square, kB);
    move(-2 * kA * kB * power / (square * (kA * power + 1)), dx, dy);
  }
  void push(const float* other) {
    const double dx = x - other[0], dy = y - other[1], square = dx * dx + dy * dy;
    if (square <= 0) return;
    move(2 * kB / ((0.001 + square) * (kA * std::pow(square, kB) + 1)), dx, dy);
  }
  void move(double coefficient, double dx, double dy) {
    x += rate * std::clamp(coefficient * dx, -4.0, 4.0);
    y += rate * std::clamp(coefficient * dy, -4.0, 4.0);
  }
};

/// Brings a start to a width of 20, off any symmetry.
std::vector<float> spread(std::span<const float> start, std::uint64_t seed) {
  float largest = 0;
  for (const float value : start) largest = std::max(largest, std::abs(value));
  Random random(seed);
  std::vector<float> positions(start.begin(), start.end());
  for (float& value : positions)
    value = (largest > 0 ? value * 10 / largest : 0) + static_cast<float>(1e-3 * random.normal());
  return positions;
}

void optimize(const Graph& graph, const UmapOptions& options, std::vector<float>& positions) {
  const std::size_t rows = graph.starts.size() - 1;
  float largest = 0;
  for (const Graph::Edge& edge : graph.edges) largest = std::max(largest, edge.weight);
  std::vector<float> next = positions;
  Stage stage("map");
  for (std::size_t epoch = 0; epoch < options.epochs; ++epoch) {
    stage.update(epoch, options.epochs);
    const double rate = 1.0 - static_cast<double>(epoch) / static_cast<double>(options.epochs);
    const auto begin = static_cast<double>(epoch), end = static_cast<double>(epoch + 1);
    ThreadPool::current().for_chunks(rows, 256, [&](std::size_t first, std::size_t last, int) {
      for (std::size_t row = first; row < last; ++row) {
        Draw draw(options.seed, epoch, row);
        Walker walker{positions[2 * row], positions[2 * row + 1], rate};
        for (const Graph::Edge& edge : graph.of(row)) {
          const double share = edge.weight / largest;  // of the epochs in which it pulls
          if (std::floor(end * share) == std::floor(begin * share)) continue;
          walker.pull(&positions[2 * edge.to]);
          walker.pull(&positions[2 * edge.to]);  // once from each end of the edge
          for (std::size_t i = 0; i < options.negatives; ++i) walker.push(&positions[2 * draw.below(rows)]);
        }
        next[2 * row] = static_cast<float>(walker.x);
        next[2 * row + 1] = static_cast<float>(walker.y);
      }
    });
    positions.swap(next);
  }
}

/// Where source words would have stood before: at the target words that were nearest to them.
void place_before(const CommonSpace& space, const RowsBefore& before, Layout& layout) {
  constexpr std::size_t kNear = 5;
  constexpr double kSharpness = 50;
  const Matrix targets = joint_rows(space, 0, layout.target);
  const auto search = make_search(targets, layout.source);
  const float* target_positions = &layout.positions[2 * layout.source];
  float* result = &layout.positions[2 * (layout.source + layout.target)];
  for (std::size_t begin = 0; begin < layout.source; begin += kBlockRows) {
    const std::size_t end = std::min(begin + kBlockRows, layout.source);
    const Matrix rows = with_dimension(before(begin, end), space.dimension());
    const Neighbors nearest = search->search(rows, kNear);
    for (std::size_t i = 0; i < end - begin; ++i) {
      double sum = 0, x = 0, y = 0;
      for (std::size_t rank = 0; rank < nearest.found; ++rank) {
        const double weight =
            std::exp(kSharpness * (static_cast<double>(nearest.scores_of(i)[rank]) - nearest.scores_of(i)[0]));
        const float* position = target_positions + 2 * nearest.ids_of(i)[rank];
        sum += weight;
        x += weight * position[0];
        y += weight * position[1];
      }
      if (sum <= 0) continue;
      result[2 * (begin + i)] = static_cast<float>(x / sum);
      result[2 * (begin + i) + 1] = static_cast<float>(y / sum);
    }
  }
}

}  // namespace

std::string Layout::to_bytes() const {
  std::string bytes(kMagic);
  const auto append = [&](const auto value) { bytes.append(reinterpret_cast<const char*>(&value), sizeof(value)); };
  append(static_cast<std::uint32_t>(source));
  append(static_cast<std::uint32_t>(target));
  append(kept);
  append(std::uint32_t{0});
  return bytes.append(reinterpret_cast<const char*>(positions.data()), positions.size() * sizeof(float));
}

Layout Layout::parse(std::string_view bytes, const std::string& kind) {
  std::uint32_t counts[2];
  if (bytes.size() < kHeader || !bytes.starts_with(kMagic)) throw InputError("map", 0, "is not one of the studio");
  std::memcpy(counts, bytes.data() + 8, sizeof counts);
  Layout layout{kind, counts[0], counts[1], {}, 0};
  std::memcpy(&layout.kept, bytes.data() + 16, sizeof layout.kept);
  const std::size_t values = 2 * (2 * layout.source + layout.target);
  if (bytes.size() != kHeader + values * sizeof(float)) throw InputError("map", 0, "has another length than it says");
  layout.positions.resize(values);
  std::memcpy(layout.positions.data(), bytes.data() + kHeader, values * sizeof(float));
  return layout;
}

Layout pca_layout(const CommonSpace& space, const RowsBefore& before, std::size_t source, std::size_t target) {
  source = std::min(source, space.size(Side::source));
  target = std::min(target, space.size(Side::target));
  Layout layout{"pca", source, target, std::vector<float>(2 * (2 * source + target)), 0};
  const ConstMatrixView sources = space.table(Side::source).slice(0, source);
  const ConstMatrixView targets = space.table(Side::target).slice(0, target);
  const Plane plane = main_plane(sources, targets);
  const auto place = [&](ConstMatrixView rows, std::size_t at) {
    for (std::size_t begin = 0; begin < rows.rows(); begin += kBlockRows)
      plane.place(rows.slice(begin, std::min(begin + kBlockRows, rows.rows())), &layout.positions[2 * (at + begin)]);
  };
  place(sources, 0);
  place(targets, source);
  for (std::size_t begin = 0; begin < source; begin += kBlockRows) {
    const std::size_t end = std::min(begin + kBlockRows, source);
    float* result = &layout.positions[2 * (source + target + begin)];
    if (before)
      plane.place(with_dimension(before(begin, end), space.dimension()), result);
    else
      std::copy_n(&layout.positions[2 * begin], 2 * (end - begin), result);
  }
  return layout;
}

Layout umap_layout(const CommonSpace& space, const RowsBefore& before, const Layout& start,
                   const UmapOptions& options) {
  const std::size_t words = start.source + start.target;
  if (words > kMostUmapWords)
    throw UsageError(fmt::format("{} words are too many for this map: {} at most", words, kMostUmapWords));
  Layout layout{"umap", start.source, start.target, {}, 0};
  Neighbors nearest;
  {
    const Matrix rows = joint_rows(space, start.source, start.target);
    nearest = nearest_others(rows, options.neighbors);
  }
  std::vector<float> positions = spread(std::span(start.positions).first(2 * words), options.seed);
  optimize(fuzzy_graph(nearest), options, positions);
  layout.kept = static_cast<float>(neighbors_kept(nearest, positions, std::max<std::size_t>(1, words / kJudged)));
  layout.positions = std::move(positions);
  layout.positions.resize(2 * (words + start.source));
  std::copy_n(layout.positions.begin(), 2 * start.source,
              layout.positions.begin() + static_cast<std::ptrdiff_t>(2 * words));
  if (before && start.target > 0) place_before(space, before, layout);
  return layout;
}

Matrix joint_rows(const CommonSpace& space, std::size_t source, std::size_t target) {
  Matrix rows = Matrix::uninitialized(source + target, space.dimension());
  for (std::size_t i = 0; i < rows.rows(); ++i)
    std::ranges::copy(i < source ? space.table(Side::source).row(i) : space.table(Side::target).row(i - source),
                      rows.row(i).begin());
  return rows;
}

Neighbors nearest_others(ConstMatrixView rows, std::size_t k) {
  const auto search = make_search(rows, rows.rows());
  Neighbors result;
  result.queries = rows.rows();
  Stage stage("neighbors");
  for (std::size_t begin = 0; begin < rows.rows(); begin += kBlockRows) {
    stage.update(begin, rows.rows());
    const std::size_t end = std::min(begin + kBlockRows, rows.rows());
    const Neighbors found = search->search(rows.slice(begin, end), k + 1);
    result.found = found.found == 0 ? 0 : found.found - 1;
    for (std::size_t i = 0; i < end - begin; ++i) {
      std::size_t taken = 0;
      for (std::size_t rank = 0; rank < found.found && taken < result.found; ++rank) {
        if (found.ids_of(i)[rank] == begin + i) continue;
        result.ids.push_back(found.ids_of(i)[rank]);
        result.scores.push_back(found.scores_of(i)[rank]);
        ++taken;
      }
    }
  }
  return result;
}

double neighbors_kept(const Neighbors& nearest, std::span<const float> positions, std::size_t step) {
  const std::size_t rows = nearest.queries, k = nearest.found;
  if (rows == 0 || k == 0) return 0;
  const std::size_t judged = (rows + step - 1) / step;
  std::vector<std::size_t> common(judged);
  ThreadPool::current().for_chunks(judged, 8, [&](std::size_t first, std::size_t last, int) {
    std::vector<std::pair<float, std::uint32_t>> others;
    for (std::size_t one = first; one < last; ++one) {
      const std::size_t row = one * step;
      others.clear();
      for (std::uint32_t i = 0; i < rows; ++i) {
        const float dx = positions[2 * i] - positions[2 * row], dy = positions[2 * i + 1] - positions[2 * row + 1];
        if (i != row) others.emplace_back(dx * dx + dy * dy, i);
      }
      std::ranges::nth_element(others, others.begin() + static_cast<std::ptrdiff_t>(k - 1));
      for (std::size_t i = 0; i < k; ++i) common[one] += std::ranges::count(nearest.ids_of(row), others[i].second);
    }
  });
  return static_cast<double>(std::accumulate(common.begin(), common.end(), std::size_t{0})) /
         static_cast<double>(judged * k);
}

}  // namespace wordbridge::studio
