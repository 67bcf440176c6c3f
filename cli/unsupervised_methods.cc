#include "cli/unsupervised_methods.h"

#include <utility>

#include "cli/arguments.h"
#include "wordbridge/aligners/adversarial.h"
#include "wordbridge/aligners/icp.h"
#include "wordbridge/aligners/restarts.h"
#include "wordbridge/aligners/wasserstein_procrustes.h"

namespace wordbridge::cli {

namespace {

/// `Method` with `options`, once for each restart.
template <class Method, class Options>
std::unique_ptr<Aligner> restarted(const Options& options, const MethodContext& context) {
  RestartOptions restarts{.restarts = static_cast<int>(context.restarts.restarts),
                          .min_evidence = context.restarts.min_evidence};
  restarts.session = {context.training.log, context.training.checkpoint, context.training.resume};
  if (!context.training.validation.empty()) restarts.validation = read_word_pairs(context.training.validation);
  const auto make = [options](const TrainingSessionOptions& session) {
    Options own = options;
    own.session = session;
    return std::make_unique<Method>(std::move(own));
  };
  return std::make_unique<RestartedAligner>(make, std::move(restarts));
}

class WassersteinMethod final : public AlignMethod {
 public:
  void declare(Arguments& arguments) override {
    arguments.choice("--wasserstein-start", start_, {"profiles", "convex"},
                     "First rotation: from words whose similarities to the others are distributed alike (profiles, the "
                     "default), or from the convex relaxation of the matching, as published");
    arguments.number("--wasserstein-start-words", start_words_, 2, Arguments::kMost,
                     "Most frequent words in the start (default: 4000)");
    arguments.number("--wasserstein-convex-steps", convex_steps_, 1, Arguments::kMost,
                     "Steps of the convex start (default: 12)");
    arguments.number("--wasserstein-convex-regularization", options_.convex.regularization,
                     "Regularization of its transport problems, in standard deviations of their costs (default: 0.5)");
    arguments.number("--wasserstein-epochs", epochs_, 1, 16,
                     "Epochs; each doubles the words and the batch and takes a quarter of the steps (default: 3)");
    arguments.number("--wasserstein-words", words_, 2, Arguments::kMost,
                     "Most frequent words that the first epoch draws from (default: 5000)");
    arguments.number("--wasserstein-batch", batch_, 2, Arguments::kMost,
                     "Words of each language in its steps (default: 1000)");
    arguments.number("--wasserstein-steps", steps_, 1, 999'999, "Its steps (default: 300)");
    arguments.number("--wasserstein-learning-rate", options_.learning_rate,
                     "Length of the steps, times the batch (default: 5000)");
    arguments.number("--wasserstein-regularization", options_.regularization,
                     "Regularization of the steps' transport problems (default: 0.05)");
  }

  std::unique_ptr<Aligner> make(std::string_view, const MethodContext& context) override {
    WassersteinProcrustesOptions options = options_;
    options.start_words = start_words_;
    options.start = start_ == "convex" ? TransportStart::convex : TransportStart::profiles;
    options.convex.steps = static_cast<int>(convex_steps_);
    options.epochs = static_cast<int>(epochs_);
    options.words = words_;
    options.batch = batch_;
    options.steps = static_cast<int>(steps_);
    return restarted<WassersteinProcrustesAligner>(options, context);
  }

 private:
  WassersteinProcrustesOptions options_;
  std::string start_ = "profiles";
  std::uint64_t start_words_ = options_.start_words, convex_steps_ = static_cast<std::uint64_t>(options_.convex.steps),
                epochs_ = static_cast<std::uint64_t>(options_.epochs), words_ = options_.words, batch_ = options_.batch,
                steps_ = static_cast<std::uint64_t>(options_.steps);
};

class IcpMethod final : public AlignMethod {
 public:
  void declare(Arguments& arguments) override {
    arguments.number("--icp-words", words_, 2, Arguments::kMost, "Most frequent words in the starts (default: 5000)");
    arguments.number("--icp-final-words", final_words_, 2, Arguments::kMost,
                     "Most frequent words that the best start goes on with (default: 7500)");
    arguments.number("--icp-dimensions", dimensions_, 1, Arguments::kMost, "Principal axes kept (default: 50)");
    arguments.number(
        "--icp-starts", starts_, 1, 1'000'000,
        "Starts: the first by profiles of similarities, the others by random signs of the axes (default: 32)");
    arguments.number("--icp-iterations", iterations_, 1, Arguments::kMost, "Matchings and fits of each (default: 60)");
    arguments.number("--icp-batch", batch_, 2, Arguments::kMost,
                     "Words of each language in a matching (default: 2500)");
    arguments.number("--icp-cycle", options_.cycle, "Weight of the cycle terms (default: 0.1)");
  }

  std::unique_ptr<Aligner> make(std::string_view, const MethodContext& context) override {
    IcpOptions options = options_;
    options.words = words_;
    options.final_words = final_words_;
    options.dimensions = dimensions_;
    options.starts = static_cast<int>(starts_);
    options.iterations = options.final_iterations = static_cast<int>(iterations_);
    options.batch = batch_;
    return restarted<IcpAligner>(options, context);
  }

 private:
  IcpOptions options_;
  std::uint64_t words_ = options_.words, final_words_ = options_.final_words, dimensions_ = options_.dimensions,
                starts_ = static_cast<std::uint64_t>(options_.starts),
                iterations_ = static_cast<std::uint64_t>(options_.iterations), batch_ = options_.batch;
};

class AdversarialMethod final : public AlignMethod {
 public:
  void declare(Arguments& arguments) override {
    arguments.number("--adversarial-hidden", hidden_, 1, Arguments::kMost, "Width of the discriminator (default: 128)");
    arguments.number("--adversarial-words", words_, 1, Arguments::kMost,
                     "Most frequent words drawn from (default: 10000)");
    arguments.number("--adversarial-dimensions", dimensions_, 1, Arguments::kMost,
                     "Principal axes of them in which the game is played (default: 50)");
    arguments.number("--adversarial-epochs", epochs_, 1, Arguments::kMost, "Epochs; the best is kept (default: 10)");
    arguments.number("--adversarial-epoch-words", epoch_words_, 1, Arguments::kMost,
                     "Words mapped in each (default: 64000)");
    arguments.number("--adversarial-batch", batch_, 1, Arguments::kMost,
                     "Words of each language in a step (default: 32)");
    arguments.number("--adversarial-discriminator-steps", discriminator_steps_, 1, Arguments::kMost,
                     "Steps of the discriminator for each of the mapping (default: 2)");
    arguments.number("--adversarial-learning-rate", options_.learning_rate,
                     "Length of the discriminator's steps, at first (default: 0.2)");
    arguments.number("--adversarial-mapping-rate", options_.mapping_rate,
                     "Length of the mapping's steps, at first (default: 1)");
    arguments.number("--adversarial-orthogonality", options_.orthogonality,
                     "How strongly each step pulls the mapping towards a rotation (default: 0.03)");
    arguments.number("--adversarial-length", options_.length,
                     "Length of the vectors that the discriminator sees (default: 4)");
  }

  std::unique_ptr<Aligner> make(std::string_view, const MethodContext& context) override {
    AdversarialOptions options = options_;
    options.hidden = hidden_;
    options.words = words_;
    options.dimensions = dimensions_;
    options.epochs = static_cast<int>(epochs_);
    options.epoch_words = epoch_words_;
    options.batch = batch_;
    options.discriminator_steps = static_cast<int>(discriminator_steps_);
    return restarted<AdversarialAligner>(options, context);
  }

 private:
  AdversarialOptions options_;
  std::uint64_t hidden_ = options_.hidden, words_ = options_.words, dimensions_ = options_.dimensions,
                epochs_ = static_cast<std::uint64_t>(options_.epochs), epoch_words_ = options_.epoch_words,
                batch_ = options_.batch,
                discriminator_steps_ = static_cast<std::uint64_t>(options_.discriminator_steps);
};

}  // namespace

std::unique_ptr<AlignMethod> make_adversarial_method() { return std::make_unique<AdversarialMethod>(); }
std::unique_ptr<AlignMethod> make_icp_method() { return std::make_unique<IcpMethod>(); }
std::unique_ptr<AlignMethod> make_wasserstein_method() { return std::make_unique<WassersteinMethod>(); }

}  // namespace wordbridge::cli
