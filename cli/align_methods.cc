#include "cli/align_method.h"
#include "cli/arguments.h"
#include "cli/rcsls_method.h"
#include "cli/unsupervised_methods.h"
#include "wordbridge/aligners/least_squares.h"
#include "wordbridge/aligners/procrustes.h"
#include "wordbridge/aligners/smith.h"
#include "wordbridge/aligners/vecmap.h"
#include "wordbridge/base/error.h"

namespace wordbridge::cli {

namespace {

class ProcrustesMethod final : public AlignMethod {
 public:
  void declare(Arguments&) override {}
  std::unique_ptr<Aligner> make(std::string_view, const MethodContext&) override {
    return std::make_unique<ProcrustesAligner>();
  }
};

class LeastSquaresMethod final : public AlignMethod {
 public:
  void declare(Arguments& arguments) override {
    arguments.number("--ridge", options_.ridge, "Weight of ||W||^2 in the sum of squares (default: 0)");
  }
  std::unique_ptr<Aligner> make(std::string_view, const MethodContext&) override {
    return std::make_unique<LeastSquaresAligner>(options_);
  }

 private:
  LeastSquaresOptions options_;
};

/// Methods that move both sides into new axes.
class CommonAxesMethod final : public AlignMethod {
 public:
  void declare(Arguments& arguments) override {
    arguments.number("--dimensions", dimensions_, 0, 1 << 20, "Leading axes to keep (default: 0, all of them)");
    arguments.number("--reweight", reweight_,
                     "Of vecmap: the axes are weighed by their correlation to this power (default: 0.5)");
  }
  std::unique_ptr<Aligner> make(std::string_view name, const MethodContext&) override {
    if (name == "smith") {
      if (reweight_) throw UsageError("--reweight belongs to --method vecmap, not to smith");
      return std::make_unique<SmithAligner>(SmithOptions{.dimensions = dimensions_});
    }
    VecmapOptions options{.dimensions = dimensions_};
    if (reweight_) options.reweight = *reweight_;
    return std::make_unique<VecmapAligner>(options);
  }

 private:
  std::uint64_t dimensions_ = 0;
  std::optional<double> reweight_;
};

template <class T>
std::unique_ptr<AlignMethod> make_method() {
  return std::make_unique<T>();
}

}  // namespace

std::span<const AlignMethodEntry> all_align_methods() {
  static const AlignMethodEntry methods[] = {
      {"rcsls", "the paper's method, learned with the retrieval criterion", "unit", "csls", true, true,
       make_rcsls_method},
      {"procrustes", "the best rotation", "unit", "csls", true, false, make_method<ProcrustesMethod>},
      {"least-squares", "the best linear map", "unit", "csls", true, false, make_method<LeastSquaresMethod>},
      {"vecmap", "whitened, rotated and re-weighted on both sides (Artetxe 2018)", "unit,center,unit", "csls", true,
       false, make_method<CommonAxesMethod>},
      {"smith", "rotated on both sides (Smith 2017)", "unit", "isf", true, false, make_method<CommonAxesMethod>},
      {"artetxe", "procrustes as in Artetxe 2016", "unit,center", "nn", true, false, make_method<ProcrustesMethod>},
      {"mikolov", "least-squares as in Mikolov 2013", "none", "nn", true, false, make_method<LeastSquaresMethod>},
      {"adversarial", "without a lexicon, against a discriminator (Conneau 2018)", "unit,center,unit", "csls", false,
       true, make_adversarial_method},
      {"icp", "without a lexicon, by closest points (Hoshen & Wolf 2018)", "unit,center,unit", "csls", false, true,
       make_icp_method},
      {"wasserstein", "without a lexicon, by optimal transport (Grave 2018)", "unit,center,unit", "csls", false, true,
       make_wasserstein_method},
      {"dinu", "least-squares as in Dinu 2014", "unit", "gc", true, false, make_method<LeastSquaresMethod>},
  };
  return methods;
}

}  // namespace wordbridge::cli
