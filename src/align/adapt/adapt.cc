#include "wordbridge/adapt.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <functional>
#include <utility>

#include "align/adapt/adapter.h"
#include "base/option_error.h"
#include "base/random.h"
#include "base/wording.h"
#include "linalg/rows.h"
#include "mapping/space_identity.h"
#include "search/neighbor_search.h"
#include "wordbridge/context.h"
#include "wordbridge/error.h"
#include "wordbridge/normalizer.h"
#include "wordbridge/version.h"

namespace wordbridge {

namespace {

using Pairs = std::vector<Lexicon::Pair>;

constexpr const char* kBothSides = "both-sides";
constexpr std::size_t kLeastPairs = 20;
constexpr std::size_t kNearTargets = 50;      // for smoothing and hard negatives
constexpr std::size_t kManyTargets = 50'000;  // from here on, a uniform sample holds too few that are hard
constexpr std::size_t kHardOfPair = 4;

/// What held-out pairs say of a map, one number a pair.
struct Scores {
  std::vector<double> own, kept, score;

  static double percent(const std::vector<double>& values) {
    double sum = 0;
    for (const double value : values) sum += value;
    return 100 * sum / static_cast<double>(values.size());
  }
};

/// Pairs held out, to be ranked among all items.
class HeldOut {
 public:
  HeldOut(const PairedItems& items, const NeighborSearch& search, Pairs pairs, const AdaptOptions& options)
      : items_(items), search_(search), pairs_(std::move(pairs)), options_(options) {
    std::vector<std::uint32_t> rows;
    for (const auto& pair : pairs_) rows.push_back(pair.target);
    old_ = search_.search(gather_rows(items_.units, rows), options_.neighbors);
  }

  Scores of(const LearnedMap& map) const {
    std::vector<std::uint32_t> rows;
    for (const auto& pair : pairs_) rows.push_back(pair.source);
    Matrix queries = map.query.apply(gather_rows(items_.sources, rows));
    normalize_rows(queries);
    const Neighbors found = find(queries, map);
    Scores scores;
    for (std::size_t i = 0; i < pairs_.size(); ++i) {
      const auto ids = found.ids_of(i), wanted = old_.ids_of(i);
      scores.own.push_back(is_own(ids.front(), pairs_[i].target) ? 1 : 0);
      const auto common =
          std::ranges::count_if(ids, [&](auto id) { return std::ranges::find(wanted, id) != wanted.end(); });
      scores.kept.push_back(static_cast<double>(common) / static_cast<double>(wanted.size()));
      const double own = scores.own.back(), kept = scores.kept.back();
      scores.score.push_back(options_.criterion == AdaptCriterion::own         ? own
                             : options_.criterion == AdaptCriterion::neighbors ? kept
                                                                               : (own + kept) / 2);
    }
    return scores;
  }

  std::size_t size() const { return pairs_.size(); }

 private:
  /// In the index as it is, or as it is written anew.
  Neighbors find(ConstMatrixView queries, const LearnedMap& map) const {
    if (!map.item) return search_.search(queries, options_.neighbors);
    Matrix items = map.item->apply(items_.units);
    normalize_rows(items);
    return make_search(items)->search(queries, options_.neighbors);
  }

  /// Items whose vectors are equal cannot be told apart.
  bool is_own(std::uint32_t found, std::uint32_t own) const {
    return found == own || std::ranges::equal(items_.units.row(found), items_.units.row(own));
  }

  const PairedItems& items_;
  const NeighborSearch& search_;
  Pairs pairs_;
  const AdaptOptions& options_;
  Neighbors old_;
};

/// Pairs to learn from, with their moments.
struct Training {
  Training(const PairedItems& items, Pairs given) : pairs(std::move(given)), moments(of(items, pairs)) {}
  static PairMoments of(const PairedItems& items, const Pairs& pairs) {
    std::vector<std::uint32_t> sources, targets;
    for (const auto& pair : pairs) {
      sources.push_back(pair.source);
      targets.push_back(pair.target);
    }
    return {gather_rows(items.sources, sources), gather_rows(items.targets, targets)};
  }

  Pairs pairs;
  PairMoments moments;
};

/// A way to learn a map, all settings fixed.
struct Recipe {
  std::string kind, settings;
  std::size_t parameters = 0;
  std::function<LearnedMap(const Training&)> learn;
};

/// Learns maps of all kinds from the same items.
class Learner {
 public:
  Learner(const PairedItems& items, const NeighborSearch& search, const AdaptOptions& options)
      : items_(items), options_(options), seed_(Context::current().seed()) {
    base_.negatives = options.negatives;
    base_.decay = options.decay;
    base_.backward = options.backward;
    base_.hard = items.units.rows() > kManyTargets && options.negatives > 0 ? kHardOfPair : 0;
    base_.seed = stream_seed(seed_, 10);
    if (base_.hard > 0 || options.smoothing.value_or(1) > 0) find_near(search);
  }

  /// The settings of a kind that are best on pairs held out.
  Recipe tuned(const std::string& kind, const Training& training, const HeldOut& held_out) const {
    if (kind == "contrastive" || kind == kBothSides) return tuned_contrastive(kind, training, held_out);
    std::vector<Recipe> recipes;
    if (kind == "procrustes")
      for (const auto& [scale, name] : kScales) recipes.push_back(procrustes(scale, name));
    else if (kind == "ridge")
      for (const double lambda : {0.001, 0.01, 0.1, 1.0}) recipes.push_back(ridge(lambda));
    else
      for (const std::size_t part : {8, 4, 2}) recipes.push_back(low_rank(std::max<std::size_t>(smaller() / part, 1)));
    return best(recipes, training, held_out);
  }

 private:
  static constexpr std::pair<PairMoments::Scale, const char*> kScales[] = {
      {PairMoments::Scale::least_squares, "scale of least squares"},
      {PairMoments::Scale::spreads, "scale of the spreads"},
      {PairMoments::Scale::one, "scale 1"}};

  std::size_t source_dimension() const { return items_.sources.cols(); }
  std::size_t target_dimension() const { return items_.targets.cols(); }
  std::size_t smaller() const { return std::min(source_dimension(), target_dimension()); }
  std::size_t affine_size() const { return target_dimension() * (source_dimension() + 1); }

  void find_near(const NeighborSearch& search) {
    near_ = search.search(items_.units.view().slice(0, items_.targets.rows()), kNearTargets + 1);
  }

  Recipe procrustes(PairMoments::Scale scale, const char* name) const {
    return {"procrustes", name, affine_size(),
            [scale](const Training& t) -> LearnedMap { return {t.moments.procrustes(scale)}; }};
  }
  Recipe ridge(double lambda) const {
    return {"ridge", fmt::format("lambda {}", lambda), affine_size(),
            [lambda](const Training& t) -> LearnedMap { return {t.moments.ridge(lambda)}; }};
  }
  Recipe low_rank(std::size_t rank) const {
    return {"low-rank", fmt::format("rank {}", rank),
            rank * (source_dimension() + target_dimension()) + target_dimension(),
            [rank](const Training& t) -> LearnedMap { return {t.moments.low_rank(0.01, rank)}; }};
  }
  Recipe contrastive(const ContrastiveOptions& o, int passes, const std::string& stage) const {
    std::string settings = fmt::format("temperature {:.3g}", o.temperature);
    if (o.smoothing > 0) settings += fmt::format(", smoothing {}", o.smoothing);
    if (o.dropout > 0) settings += fmt::format(", dropout {}", o.dropout);
    if (o.both_sides)
      return {kBothSides, settings, smaller() * (source_dimension() + target_dimension() + 2),
              [this, o, passes, stage](const Training& t) {
                return contrastive_maps_of_both(items_, t.pairs, t.moments, o, passes, stage);
              }};
    return {"contrastive", settings, affine_size(), [this, o, passes, stage](const Training& t) -> LearnedMap {
              return {contrastive_map(items_, t.pairs, near_, t.moments, t.moments.ridge(0.01), o, passes, stage)};
            }};
  }

  Recipe best(const std::vector<Recipe>& recipes, const Training& training, const HeldOut& held_out) const {
    double most = -1;
    const Recipe* chosen = &recipes.front();
    for (const Recipe& recipe : recipes) {
      const double score = Scores::percent(held_out.of(recipe.learn(training)).score);
      if (score > most) chosen = &recipe;
      most = std::max(most, score);
    }
    return *chosen;
  }

  /// The settings one after the other, by short trainings; the usual values come first and stay unless others are
  /// better.
  Recipe tuned_contrastive(const std::string& kind, const Training& training, const HeldOut& held_out) const {
    constexpr int kShort = 3;  // of the passes
    const int passes = std::max(options_.passes / kShort, 1);
    ContrastiveOptions chosen = base_;
    chosen.both_sides = kind == kBothSides;
    chosen.temperature = options_.temperature.value_or(chosen.both_sides ? 0.05 : 0.03);
    chosen.smoothing = chosen.both_sides ? 0 : options_.smoothing.value_or(0.1);
    chosen.dropout = options_.dropout.value_or(0.2);
    // Where both sides move, CSLS ranks, by which held-out pairs are not ranked here.
    if (chosen.both_sides) return contrastive(chosen, options_.passes, "training");
    double most = -1;
    const auto try_it = [&](const ContrastiveOptions& tried) {
      const Recipe recipe = contrastive(tried, passes, "choosing the temperature");
      const double score = Scores::percent(held_out.of(recipe.learn(training)).score);
      const bool better = score > most;
      if (better) {
        most = score;
        chosen = tried;
      }
      return better;
    };
    const auto with = [&](double ContrastiveOptions::*field, double value) {
      ContrastiveOptions tried = chosen;
      tried.*field = value;
      return try_it(tried);
    };
    if (options_.temperature && options_.smoothing && options_.dropout)
      return contrastive(chosen, options_.passes, "training");
    try_it(chosen);
    if (!options_.temperature) {
      if (with(&ContrastiveOptions::temperature, 0.05))
        with(&ContrastiveOptions::temperature, 0.08);
      else
        with(&ContrastiveOptions::temperature, 0.02);
    }
    if (!options_.smoothing) with(&ContrastiveOptions::smoothing, 0.0);
    if (!options_.dropout && !with(&ContrastiveOptions::dropout, 0.3)) with(&ContrastiveOptions::dropout, 0.0);
    return contrastive(chosen, options_.passes, "training");
  }

  const PairedItems& items_;
  const AdaptOptions& options_;
  std::uint64_t seed_;
  ContrastiveOptions base_;
  Neighbors near_;
};

/// Wilson's interval for a share, in percent.
std::pair<double, double> interval(double percent, std::size_t n) {
  const double z = 1.959964, p = percent / 100, count = static_cast<double>(n);
  const double middle = (p + z * z / (2 * count)) / (1 + z * z / count);
  const double half = z / (1 + z * z / count) * std::sqrt(p * (1 - p) / count + z * z / (4 * count * count));
  return {100 * std::max(middle - half, 0.0), 100 * std::min(middle + half, 1.0)};
}

/// That the first scores are ahead of the second by chance: two-sided, by the normal approximation of the paired
/// differences' mean.
double paired_p_value(const std::vector<double>& a, const std::vector<double>& b) {
  double mean = 0, square = 0;
  const auto n = static_cast<double>(a.size());
  for (std::size_t i = 0; i < a.size(); ++i) mean += (a[i] - b[i]) / n;
  for (std::size_t i = 0; i < a.size(); ++i) square += (a[i] - b[i] - mean) * (a[i] - b[i] - mean);
  if (square == 0) return mean == 0 ? 1 : 0;
  const double z = std::abs(mean) / std::sqrt(square / (n * std::max(n - 1, 1.0)));
  return std::erfc(z / std::sqrt(2.0));
}

struct Parts {
  Pairs learn, tune, compare;
};

/// Items, not pairs, are held out: no input, nor its target, is on two sides.
Parts split(const PairedItems& items, std::uint64_t seed) {
  constexpr std::size_t kMost = 1500;  // more would tell little more
  std::vector<std::uint32_t> group(items.sources.rows());
  for (std::uint32_t i = 0; i < group.size(); ++i) group[i] = i;
  const auto find = [&](std::uint32_t i) {
    while (group[i] != i) i = group[i] = group[group[i]];
    return i;
  };
  std::vector<std::uint32_t> first_of_target(items.targets.rows(), ~std::uint32_t{0});
  for (const auto& pair : items.pairs) {
    std::uint32_t& first = first_of_target[pair.target];
    if (first == ~std::uint32_t{0}) first = pair.source;
    group[find(pair.source)] = find(first);
  }
  std::vector<std::uint32_t> roots;
  for (std::uint32_t i = 0; i < group.size(); ++i)
    if (find(i) == i) roots.push_back(i);
  Random(stream_seed(seed, 3)).shuffle(roots);
  const std::size_t held = std::min(std::max<std::size_t>(roots.size() / 7, 2), kMost);
  std::vector<std::uint8_t> part(group.size(), 0);
  for (std::size_t i = 0; i < std::min(2 * held, roots.size()); ++i) part[roots[i]] = i < held ? 1 : 2;
  Parts parts;
  for (const auto& pair : items.pairs) {
    const std::uint8_t of = part[find(pair.source)];
    (of == 0 ? parts.learn : of == 1 ? parts.tune : parts.compare).push_back(pair);
  }
  return parts;
}

std::vector<std::string> kinds_asked_for(const AdaptOptions& options) {
  std::vector<std::string> names;
  for (const AdapterKind& kind : adapter_kinds())
    if (options.map == kind.name || (options.map == "auto" && !kind.moves_index)) names.push_back(kind.name);
  if (names.empty()) throw UsageError(fmt::format("'{}' is no kind of adapter", options.map));
  return names;
}

void require_rows(ConstMatrixView source, ConstMatrixView target, std::span<const Lexicon::Pair> pairs) {
  for (const auto& pair : pairs)
    if (pair.source >= source.rows() || pair.target >= target.rows())
      throw UsageError("a pair names a row that its table does not have");
}

/// The simplest row that the best one is not ahead of beyond chance.
void choose(AdaptReport& report, const std::vector<Scores>& scores) {
  std::size_t best = 0;
  for (std::size_t i = 1; i < report.rows.size(); ++i)
    if (report.rows[i].score > report.rows[best].score) best = i;
  for (std::size_t i = 0; i < report.rows.size(); ++i)
    report.rows[i].worse_p_value = paired_p_value(scores[best].score, scores[i].score);
  constexpr double kChance = 0.05;
  report.chosen = 0;
  while (report.chosen != best && report.rows[report.chosen].worse_p_value < kChance) ++report.chosen;
}

AdaptReport::Row row_of(const Recipe& recipe, const Scores& scores, double seconds) {
  AdaptReport::Row row;
  row.map = recipe.kind;
  row.settings = recipe.settings;
  row.parameters = recipe.parameters;
  row.own = Scores::percent(scores.own);
  row.kept = Scores::percent(scores.kept);
  row.score = Scores::percent(scores.score);
  std::tie(row.own_low, row.own_high) = interval(row.own, scores.own.size());
  row.seconds = seconds;
  return row;
}

/// What the chosen recipe reaches with a sixteenth of the pairs, an eighth, ..., all of them.
std::vector<AdaptReport::CurvePoint> learning_curve(const PairedItems& items, const Recipe& recipe, Pairs learn,
                                                    const Scores& of_all, const HeldOut& compare, std::uint64_t seed) {
  std::vector<AdaptReport::CurvePoint> curve;
  const auto add = [&](std::size_t pairs, const Scores& scores) {
    AdaptReport::CurvePoint point{.pairs = pairs, .own = Scores::percent(scores.own)};
    std::tie(point.own_low, point.own_high) = interval(point.own, scores.own.size());
    point.kept = Scores::percent(scores.kept);
    curve.push_back(point);
  };
  Random(stream_seed(seed, 4)).shuffle(learn);
  for (const std::size_t part : {16, 8, 4, 2}) {
    const std::size_t count = learn.size() / part;
    if (count < kLeastPairs) continue;
    const Training training(items, {learn.begin(), learn.begin() + static_cast<std::ptrdiff_t>(count)});
    add(count, compare.of(recipe.learn(training)));
  }
  add(learn.size(), of_all);
  return curve;
}

const char* name_of(AdaptCriterion criterion) {
  return criterion == AdaptCriterion::own ? "own" : criterion == AdaptCriterion::neighbors ? "neighbors" : "both";
}

/// The mapping of queries, and of items where these move.
Mapping unnamed_mapping(const LearnedMap& map) {
  if (!map.item) return Mapping(to_float(map.query.w), {}, {});
  Normalizer items = Normalizer::from_parts({Normalizer::Step::unit, Normalizer::Step::center},
                                            {{map.item->m.begin(), map.item->m.end()}});
  return Mapping(to_float(map.query.w), {}, std::move(items), to_float(map.item->v));
}

Mapping to_mapping(const LearnedMap& map, const AdaptReport& report, const Recipe& recipe,
                   const AdaptOptions& options) {
  Mapping mapping = unnamed_mapping(map);
  mapping.set_source_intercept({map.query.b.begin(), map.query.b.end()});
  for (const float value : mapping.source_map().elements())
    if (!std::isfinite(value)) throw Error("the map is not finite: the vectors are too large or too small for float32");
  Provenance& provenance = mapping.provenance;
  provenance.version = version();
  provenance.method = "adapt";
  provenance.options = {{"map", recipe.kind},
                        {"settings", recipe.settings},
                        {"criterion", name_of(options.criterion)},
                        {"passes", std::to_string(options.passes)}};
  provenance.seed = Context::current().seed();
  provenance.criterion = map.item ? "csls" : "nn";
  provenance.lexicon = counted(report.pairs, "pair");
  for (const auto& row : report.rows) {
    provenance.metrics["own_first_" + row.map] = row.own;
    provenance.metrics["neighbors_kept_" + row.map] = row.kept;
  }
  for (const auto& point : report.curve) {
    provenance.metrics[fmt::format("curve_own_first_{}", point.pairs)] = point.own;
    provenance.metrics[fmt::format("curve_neighbors_kept_{}", point.pairs)] = point.kept;
  }
  return mapping;
}

}  // namespace

std::vector<AdapterKind> adapter_kinds() {
  return {{"procrustes", "a rotation of the centered vectors, with a scale"},
          {"low-rank", "reduced-rank regression with intercept"},
          {"ridge", "ridge regression with intercept"},
          {"contrastive", "an affine map by which the own item comes first"},
          {kBothSides, "the same for both, which meet in a space of their own: the index is written anew", true}};
}

void require_valid(const AdaptOptions& options) {
  const auto require = [](bool good, const char* name, const char* range) {
    if (!good) throw OptionError(OptionName(name) + fmt::format(": a number {} is expected", range));
  };
  require(options.passes >= 1 && options.passes <= 10'000, "passes", "from 1 to 10,000");
  require(options.neighbors >= 1 && options.neighbors <= 1000, "neighbors", "from 1 to 1,000");
  const double temperature = options.temperature.value_or(1);
  require(temperature > 1e-3 && temperature <= 100, "temperature", "above 0.001, up to 100,");
  require(options.smoothing.value_or(0) >= 0 && options.smoothing.value_or(0) < 1, "smoothing", "from 0 up, below 1,");
  require(options.dropout.value_or(0) >= 0 && options.dropout.value_or(0) < 1, "dropout", "from 0 up, below 1,");
  require(std::isfinite(options.decay) && options.decay >= 0, "decay", "from 0 up");
  require(std::isfinite(options.backward) && options.backward >= 0, "backward", "from 0 up");
}

Adaptation adapt(ConstMatrixView source, ConstMatrixView target, std::span<const Lexicon::Pair> pairs,
                 const AdaptOptions& options) {
  require_valid(options);
  require_rows(source, target, pairs);
  const std::vector<std::string> kinds = kinds_asked_for(options);
  const std::uint64_t seed = Context::current().seed();
  const PairedItems items(source, target, pairs, options.sample, seed);
  if (items.pairs.size() < kLeastPairs)
    throw UsageError(fmt::format("{} of vectors that are not zero: an adapter needs {} at least",
                                 counted(items.pairs.size(), "pair"), kLeastPairs));
  const auto search = make_search(items.units);
  const Learner learner(items, *search, options);
  Parts parts = split(items, seed);
  const HeldOut tune(items, *search, parts.tune, options), compare(items, *search, parts.compare, options);
  const Training training(items, parts.learn);
  AdaptReport report{.pairs = items.pairs.size(),
                     .tuned_on = tune.size(),
                     .compared_on = compare.size(),
                     .ranked_among = items.units.rows(),
                     .neighbors = options.neighbors};
  std::vector<Recipe> recipes;
  std::vector<Scores> scores;
  for (const std::string& kind : kinds) {
    const auto start = std::chrono::steady_clock::now();
    recipes.push_back(learner.tuned(kind, training, tune));
    scores.push_back(compare.of(recipes.back().learn(training)));
    const std::chrono::duration<double> taken = std::chrono::steady_clock::now() - start;
    report.rows.push_back(row_of(recipes.back(), scores.back(), taken.count()));
  }
  choose(report, scores);
  const Recipe& chosen = recipes[report.chosen];
  if (options.learning_curve)
    report.curve = learning_curve(items, chosen, parts.learn, scores[report.chosen], compare, seed);
  const LearnedMap map = chosen.learn(Training(items, items.pairs));
  Mapping mapping = to_mapping(map, report, chosen, options);
  mapping.provenance.source.dimension = source.cols();
  mapping.provenance.target.dimension = target.cols();
  return {std::move(mapping), std::move(report)};
}

Adaptation adapt(const WordVectors& source, const WordVectors& target, std::span<const Lexicon::Pair> pairs,
                 const AdaptOptions& options) {
  Adaptation result = adapt(source.table(), target.table(), pairs, options);
  const auto origin = [](const WordVectors& vectors) {
    return VectorsOrigin{vectors.summary().path, vectors.content_checksum(), vectors.size(), vectors.dimension(),
                         head_digest(vectors)};
  };
  result.mapping.provenance.source = origin(source);
  result.mapping.provenance.target = origin(target);
  return result;
}

}  // namespace wordbridge
