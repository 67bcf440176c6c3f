#include "align/unsupervised/adversarial.h"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <utility>
#include <vector>

#include "align/unsupervised/discriminator.h"
#include "align/unsupervised/principal_axes.h"
#include "align/unsupervised/unsupervised_criterion.h"
#include "base/json.h"
#include "base/random.h"
#include "linalg/blas.h"
#include "wordbridge/context.h"
#include "wordbridge/error.h"

namespace wordbridge {

namespace {

constexpr std::size_t kStepsBetweenReports = 64;
constexpr std::size_t kDiscriminatorMatrices = 6;

/// Where the game is played: the most frequent words of both languages, in their leading principal axes or, where there
/// are no more dimensions than axes, as they are.
class Arena {
 public:
  Arena(const Matrix& source, const Matrix& target, const AdversarialOptions& options)
      : reduced_(options.dimensions < std::min(source.cols(), target.cols())) {
    const auto rows_of = [&](const Matrix& table, MatrixD& axes) {
      const ConstMatrixView rows = table.view().slice(0, std::min(options.words, table.rows()));
      if (!reduced_) return Matrix::copy_of(rows);
      PrincipalAxes principal = principal_axes(rows, options.dimensions);
      axes = std::move(principal.axes);
      return std::move(principal.points);
    };
    source_ = rows_of(source, source_axes_);
    target_ = rows_of(target, target_axes_);
    scale(source_, options.length);
    scale(target_, options.length);
  }

  const Matrix& source() const { return source_; }
  const Matrix& target() const { return target_; }
  bool reduced() const { return reduced_; }

  /// The map of the full space that does what `w` does in the axes, and nothing outside of them.
  MatrixD lifted(const Matrix& w) const {
    return multiply_atb(target_axes_.view(), multiply(to_double(w), source_axes_).view());
  }

 private:
  bool reduced_;
  Matrix source_, target_;
  MatrixD source_axes_, target_axes_;
};

/// W starts as the identity (its first min(d_s, d_t) axes where the dimensions differ); in principal axes this lays the
/// widest axes of the two languages over each other.
Matrix identity_map(std::size_t rows, std::size_t cols) {
  Matrix w(rows, cols);
  for (std::size_t i = 0; i < std::min(rows, cols); ++i) w(i, i) = 1;
  return w;
}

/// The two players: W and the discriminator.
class Game {
 public:
  Game(const Matrix& source, const Matrix& target, const AdversarialOptions& options, Random& random)
      : source_(source),
        target_(target),
        options_(options),
        discriminator_(target.cols(), {.hidden = options.hidden}, random),
        w_(identity_map(target.cols(), source.cols())),
        batch_(2 * options.batch, target.cols()),
        drawn_(options.batch, source.cols()) {
    wanted_.assign(options.batch, static_cast<float>(1 - options.smoothing));
    wanted_.insert(wanted_.end(), options.batch, static_cast<float>(options.smoothing));
    for (const float value : wanted_) confused_.push_back(1 - value);
  }

  const Matrix& w() const { return w_; }

  /// Returns the loss before the step.
  double teach_discriminator(double rate, Random& random) {
    draw(random);
    return discriminator_.train(batch_, wanted_, rate, random);
  }

  /// W moves so that the discriminator errs, then a little towards the orthogonal matrices.
  void move_mapping(double rate, Random& random) {
    draw(random);
    const Matrix gradient = discriminator_.input_gradient(batch_, confused_).gradient;
    // d loss / d W = sum over the mapped rows of g xᵀ.
    const MatrixD step = multiply_atb(gradient.view().slice(0, options_.batch), drawn_.view());
    for (std::size_t i = 0; i < w_.size(); ++i) w_.data()[i] -= static_cast<float>(rate * step.data()[i]);
    const float beta = static_cast<float>(options_.orthogonality);
    const Matrix pull = multiply(multiply_abt(w_, w_), w_);
    for (std::size_t i = 0; i < w_.size(); ++i) w_.data()[i] = (1 + beta) * w_.data()[i] - beta * pull.data()[i];
  }

  std::vector<MatrixD> state() const {
    std::vector<MatrixD> all = discriminator_.state();
    all.push_back(to_double(w_));
    return all;
  }
  void restore(std::span<const MatrixD> state) {
    discriminator_.restore(state.first(kDiscriminatorMatrices));
    w_ = to_float(state[kDiscriminatorMatrices]);
  }

 private:
  /// A fresh batch: mapped source words above, target words below.
  void draw(Random& random) {
    for (std::size_t i = 0; i < options_.batch; ++i) {
      std::ranges::copy(source_.row(random.index(source_.rows())), drawn_.row(i).begin());
      std::ranges::copy(target_.row(random.index(target_.rows())), batch_.row(options_.batch + i).begin());
    }
    const Matrix mapped = multiply_abt(drawn_, w_);
    std::ranges::copy(mapped.elements(), batch_.data());
  }

  const Matrix &source_, &target_;
  const AdversarialOptions& options_;
  Discriminator discriminator_;
  Matrix w_;
  Matrix batch_, drawn_;
  std::vector<float> wanted_, confused_;
};

/// One solve().
class AdversarialAlignment {
 public:
  AdversarialAlignment(const AlignmentProblem& problem, const AdversarialOptions& options, const Aligner& aligner)
      : options_(options),
        full_criterion_(problem.source.table(), problem.target.table()),
        arena_(problem.source.table(), problem.target.table(), options),
        axes_criterion_(arena_.source(), arena_.target()),
        session_(options.session, aligner, problem),
        seed_(problem.seed),
        mapping_rate_(options.mapping_rate) {}

  AlignmentResult run() {
    Random random(seed_);
    Game game(arena_.source(), arena_.target(), options_, random);
    if (session_.resumed()) restore(*session_.resumed(), game);
    while (static_cast<int>(scores_.size()) < options_.epochs) {
      play_epoch(game);
      session_.save({.finished = static_cast<int>(scores_.size()) == options_.epochs, .matrices = matrices(game)});
    }
    // The axes leave most of the space out: the pairs that they find give the rotation of all of it.
    const Matrix w = arena_.reduced() ? to_float(full_criterion_.refined(arena_.lifted(best_), 1)) : best_;
    return {.source_map = w, .report = {.epoch_scores = scores_}};
  }

 private:
  void play_epoch(Game& game) {
    const auto epoch = static_cast<std::uint64_t>(scores_.size()) + 1;
    const std::size_t steps = std::max<std::size_t>(1, options_.epoch_words / options_.batch);
    Stage stage(fmt::format("adversarial, epoch {} of {}", epoch, options_.epochs));
    // Each epoch has random numbers of its own, so that a resumed run draws the same words.
    Random random(stream_seed(seed_, epoch));
    double rate = options_.learning_rate, loss = 0;
    for (std::uint64_t i = 1; i < epoch; ++i) rate *= options_.decay;
    for (std::size_t step = 1; step <= steps; ++step) {
      for (int i = 0; i < options_.discriminator_steps; ++i)
        loss += 0.01 * (game.teach_discriminator(rate, random) - loss);
      game.move_mapping(mapping_rate_, random);
      if (step % kStepsBetweenReports == 0 || step == steps)
        stage.update(step, steps,
                     fmt::format("loss {:.3f}{}", loss,
                                 scores_.empty() ? "" : fmt::format(", criterion {:.4f}", scores_.back())));
    }
    judge(game.w());
    session_.log(Json{{"seed", seed_},
                      {"epoch", epoch},
                      {"discriminator_loss", loss},
                      {"mapping_rate", mapping_rate_},
                      {"criterion", scores_.back()}}
                     .dump());
  }

  /// Keeps the best map.
  void judge(const Matrix& w) {
    const double score = (arena_.reduced() ? axes_criterion_ : full_criterion_).score(to_double(w));
    mapping_rate_ *= options_.decay;
    if (scores_.empty() || score > best_score_) {
      best_score_ = score;
      best_ = w;
    }
    scores_.push_back(score);
  }

  std::vector<MatrixD> matrices(const Game& game) const {
    std::vector<MatrixD> all = game.state();
    all.push_back(to_double(best_));
    MatrixD numbers(1, 2 + scores_.size());
    numbers(0, 0) = mapping_rate_;
    numbers(0, 1) = best_score_;
    std::ranges::copy(scores_, numbers.data() + 2);
    all.push_back(std::move(numbers));
    return all;
  }

  void restore(const CheckpointState& saved, Game& game) {
    game.restore(saved.matrices);
    best_ = to_float(saved.matrices.at(kDiscriminatorMatrices + 1));
    const MatrixD& numbers = saved.matrices.at(kDiscriminatorMatrices + 2);
    mapping_rate_ = numbers(0, 0);
    best_score_ = numbers(0, 1);
    scores_.assign(numbers.data() + 2, numbers.data() + numbers.size());
  }

  const AdversarialOptions& options_;
  UnsupervisedCriterion full_criterion_;
  Arena arena_;
  UnsupervisedCriterion axes_criterion_;
  TrainingSession session_;
  std::uint64_t seed_;
  double mapping_rate_;
  std::vector<double> scores_;
  double best_score_ = -std::numeric_limits<double>::infinity();
  Matrix best_;
};

}  // namespace

void check(const AdversarialOptions& options) {
  if (options.hidden == 0 || options.words == 0 || options.batch == 0 || options.epoch_words == 0)
    throw UsageError("adversarial training needs one hidden unit, one word and one step at least");
  if (options.epochs < 1 || options.discriminator_steps < 1)
    throw UsageError("adversarial training needs one epoch and one step of the discriminator at least");
  if (options.dimensions == 0) throw UsageError("adversarial training needs one dimension at least");
  if (!(options.learning_rate > 0) || !(options.mapping_rate > 0) || !(options.length > 0))
    throw UsageError("adversarial training needs learning rates and a length above 0");
  if (!(options.orthogonality >= 0)) throw UsageError("the pull of adversarial training must not be below 0");
}

AdversarialAligner::AdversarialAligner(AdversarialOptions options) : options_(std::move(options)) { check(options_); }

const OptionList<AdversarialOptions>& adversarial_options() {
  static const OptionList<AdversarialOptions> kList = [] {
    using S = AdversarialOptions;
    OptionList<S> list("adversarial-");
    list.add("hidden", &S::hidden, "Width of the discriminator").at_least(1);
    list.add("words", &S::words, "Most frequent words drawn from").at_least(1);
    list.add("dimensions", &S::dimensions, "Principal axes of them in which the game is played").at_least(1);
    list.add("epochs", &S::epochs, "Epochs; the best is kept").at_least(1);
    list.add("epoch-words", &S::epoch_words, "Words mapped in each").at_least(1);
    list.add("batch", &S::batch, "Words of each language in a step").at_least(1);
    list.add("discriminator-steps", &S::discriminator_steps, "Steps of the discriminator for each of the mapping")
        .at_least(1);
    list.add("learning-rate", &S::learning_rate, "Length of the discriminator's steps, at first").above(0);
    list.add("mapping-rate", &S::mapping_rate, "Length of the mapping's steps, at first").above(0);
    list.add("decay", &S::decay, "What both lengths are multiplied by after each epoch").above(0).at_most(1);
    list.add("smoothing", &S::smoothing, "How far the wanted probabilities are from 0 and 1").at_least(0).below(0.5);
    list.add("orthogonality", &S::orthogonality, "How strongly each step pulls the mapping towards a rotation")
        .at_least(0);
    list.add("length", &S::length, "Length of the vectors that the discriminator sees").above(0);
    return list;
  }();
  return kList;
}

AlignmentResult AdversarialAligner::solve(const AlignmentProblem& problem) const {
  if (problem.source.table().empty() || problem.target.table().empty())
    throw UsageError("without words on both sides there is nothing to align");
  return AdversarialAlignment(problem, options_, *this).run();
}

}  // namespace wordbridge
