#include "align/unsupervised/wasserstein_procrustes.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>
#include <vector>

#include "align/linear/procrustes.h"
#include "align/unsupervised/similarity_profiles.h"
#include "align/unsupervised/sinkhorn.h"
#include "base/json.h"
#include "base/random.h"
#include "linalg/blas.h"
#include "linalg/lapack.h"
#include "linalg/rows.h"
#include "wordbridge/context.h"
#include "wordbridge/error.h"

namespace wordbridge {

namespace {

constexpr int kStepsBetweenRecords = 20;

/// The first `words` rows that are not zero.
std::vector<WordId> frequent_words(const Matrix& table, std::size_t words) {
  std::vector<WordId> ids;
  for (std::size_t i = 0; i < table.rows() && ids.size() < words; ++i)
    if (std::ranges::any_of(table.row(i), [](float value) { return value != 0; }))
      ids.push_back(static_cast<WordId>(i));
  return ids;
}

Matrix draw_rows(ConstMatrixView rows, std::size_t count, Random& random) {
  const std::vector<std::size_t> drawn = random.sample(rows.rows(), count);
  return gather_rows(rows, std::vector<WordId>(drawn.begin(), drawn.end()));
}

struct Step {
  MatrixD w;
  double similarity;  // mean x'W'y over the transport, before the step
};

/// Matches a batch of words under W by transport, moves W along Yᵀ Pᵀ X, and goes back to the rotations.
Step transport_step(MatrixD w, const Matrix& x, const Matrix& y, double rate, double regularization) {
  Matrix cost = multiply_abt(multiply_abt(x, to_float(w)), y);
  for (float& value : cost.elements()) value = -value;
  const std::vector<double> ones(x.rows(), 1.0);
  const Transport transport = sinkhorn(cost, ones, ones, {.regularization = regularization});
  const Matrix matched = multiply(transport.plan, y);               // row i: what x_i is matched with
  const MatrixD gradient = multiply_atb(matched.view(), x.view());  // d_t x d_s, of <P, X Wᵀ Yᵀ>
  double similarity = 0;
  for (std::size_t i = 0; i < w.size(); ++i) {
    similarity += w.data()[i] * gradient.data()[i];
    w.data()[i] += rate * gradient.data()[i];
  }
  return {nearest_orthogonal(w), similarity / static_cast<double>(x.rows())};
}

/// Where the run is: `step` steps of the epoch are done.
struct Position {
  int epoch = 0;
  int step = 0;
  MatrixD w;
};

/// One solve().
class WassersteinAlignment {
 public:
  WassersteinAlignment(const AlignmentProblem& problem, const WassersteinProcrustesOptions& options,
                       const Aligner& aligner)
      : options_(options), session_(options.session, aligner, problem), seed_(problem.seed) {
    const std::size_t most = std::max(options.start_words, options.words << (options.epochs - 1));
    const auto sources = frequent_words(problem.source.table(), most),
               targets = frequent_words(problem.target.table(), most);
    if (sources.empty() || targets.empty()) throw UsageError("without words on both sides there is nothing to align");
    x_ = gather_rows(problem.source.table(), sources);
    y_ = gather_rows(problem.target.table(), targets);
  }

  MatrixD run() {
    Position at = start();
    for (; at.epoch < options_.epochs; ++at.epoch, at.step = 0) train_epoch(at);
    save(at, true);
    return std::move(at.w);
  }

 private:
  Position start() {
    if (session_.resumed()) {
      const Json saved = Json::parse(session_.resumed()->json);
      return {saved.at("epoch").get<int>(), saved.at("step").get<int>(), session_.resumed()->matrices.at(0)};
    }
    const std::size_t n = std::min({options_.start_words, x_.rows(), y_.rows()});
    const ConstMatrixView x = x_.view().slice(0, n), y = y_.view().slice(0, n);
    Position at;
    if (options_.start == TransportStart::convex) {
      at.w = convex_start(x, y, options_.convex);
    } else {
      Stage stage("profiles");
      stage.update(0, 0);
      at.w = procrustes_rotation(x, y, pairs_by_profile(x, y).pairs());
    }
    save(at, false);
    return at;
  }

  void train_epoch(Position& at) {
    const std::size_t words = options_.words << at.epoch, batch = options_.batch << at.epoch;
    const int steps = std::max(1, options_.steps >> (2 * at.epoch));
    const auto rows = [&](const Matrix& table) { return table.view().slice(0, std::min(words, table.rows())); };
    const ConstMatrixView x = rows(x_), y = rows(y_);
    const std::size_t size = std::min({batch, x.rows(), y.rows()});
    Stage stage(fmt::format("transport, epoch {} of {}", at.epoch + 1, options_.epochs));
    double similarity = 0;
    while (at.step < steps) {
      // Each step has random numbers of its own, so that a resumed run draws the same words.
      Random random(
          stream_seed(seed_, static_cast<std::uint64_t>(at.epoch) * 1'000'000 + static_cast<std::uint64_t>(at.step)));
      const Matrix batch_x = draw_rows(x, size, random), batch_y = draw_rows(y, size, random);
      Step next = transport_step(std::move(at.w), batch_x, batch_y, options_.learning_rate / static_cast<double>(size),
                                 options_.regularization);
      at.w = std::move(next.w);
      ++at.step;
      similarity = next.similarity;
      stage.update(static_cast<std::uint64_t>(at.step), static_cast<std::uint64_t>(steps),
                   fmt::format("mean similarity {:.4f}", similarity));
      if (at.step % kStepsBetweenRecords != 0 && at.step != steps) continue;
      session_.log(
          Json{{"seed", seed_}, {"epoch", at.epoch + 1}, {"step", at.step}, {"batch", size}, {"similarity", similarity}}
              .dump());
      save(at, false);
    }
  }

  void save(const Position& at, bool finished) const {
    session_.save({finished, Json{{"epoch", at.epoch}, {"step", at.step}}.dump(), {at.w}});
  }

  const WassersteinProcrustesOptions& options_;
  TrainingSession session_;
  std::uint64_t seed_;
  Matrix x_, y_;
};

}  // namespace

void check(const WassersteinProcrustesOptions& options) {
  if (options.start_words < 2 || options.words < 2 || options.batch < 2)
    throw UsageError("Wasserstein-Procrustes needs two words at least in its start and in each step");
  if (options.epochs < 1 || options.epochs > 16) throw UsageError("Wasserstein-Procrustes runs for 1 to 16 epochs");
  if (options.convex.steps < 1 || options.steps < 1 || options.steps >= 1'000'000)
    throw UsageError("Wasserstein-Procrustes needs one step at least, and less than a million");
  if (!(options.convex.regularization > 0) || !(options.regularization > 0))
    throw UsageError("the regularization of a transport must be above 0");
  if (!(options.learning_rate > 0)) throw UsageError("the learning rate must be above 0");
}

WassersteinProcrustesAligner::WassersteinProcrustesAligner(WassersteinProcrustesOptions options)
    : options_(std::move(options)) {
  check(options_);
}

const OptionList<WassersteinProcrustesOptions>& wasserstein_options() {
  static const OptionList<WassersteinProcrustesOptions> kList = [] {
    using S = WassersteinProcrustesOptions;
    using Start = TransportStart;
    OptionList<S> list("wasserstein-");
    list.add(
        "start", &S::start,
        std::vector<std::pair<std::string, Start>>{{"profiles", Start::profiles}, {"convex", Start::convex}},
        "First rotation: from words whose similarities to the others are distributed alike (profiles), or from the "
        "convex relaxation of the matching, as published");
    list.add("start-words", &S::start_words, "Most frequent words in the start").at_least(2);
    list.add(
            "convex-steps", [](auto& options) -> auto& { return options.convex.steps; }, "Steps of the convex start")
        .at_least(1);
    list.add(
            "convex-regularization", [](auto& options) -> auto& { return options.convex.regularization; },
            "Regularization of its transport problems, in standard deviations of their costs")
        .above(0);
    list.add("epochs", &S::epochs, "Epochs; each doubles the words and the batch and takes a quarter of the steps")
        .range(1, 16);
    list.add("words", &S::words, "Most frequent words that the first epoch draws from").at_least(2);
    list.add("batch", &S::batch, "Words of each language in its steps").at_least(2);
    list.add("steps", &S::steps, "Its steps").range(1, 999'999);
    list.add("learning-rate", &S::learning_rate, "Length of the steps, times the batch").above(0);
    list.add("regularization", &S::regularization, "Regularization of the steps' transport problems").above(0);
    return list;
  }();
  return kList;
}

AlignmentResult WassersteinProcrustesAligner::solve(const AlignmentProblem& problem) const {
  return {.source_map = to_float(WassersteinAlignment(problem, options_, *this).run())};
}

}  // namespace wordbridge
