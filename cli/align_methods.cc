#include "cli/align_method.h"
#include "cli/arguments.h"
#include "cli/rcsls_method.h"
#include "wordbridge/aligners/least_squares.h"
#include "wordbridge/aligners/procrustes.h"

namespace wordbridge::cli {

namespace {

class ProcrustesMethod final : public AlignMethod {
 public:
  void declare(Arguments&) override {}
  std::unique_ptr<Aligner> make(const GlobalOptions&) const override { return std::make_unique<ProcrustesAligner>(); }
};

class LeastSquaresMethod final : public AlignMethod {
 public:
  void declare(Arguments& arguments) override {
    arguments.number("--ridge", options_.ridge, "Weight of ||W||^2 in the sum of squares (default: 0)");
  }
  std::unique_ptr<Aligner> make(const GlobalOptions&) const override {
    return std::make_unique<LeastSquaresAligner>(options_);
  }

 private:
  LeastSquaresOptions options_;
};

template <class T>
std::unique_ptr<AlignMethod> make_method() {
  return std::make_unique<T>();
}

}  // namespace

std::span<const AlignMethodEntry> all_align_methods() {
  static const AlignMethodEntry methods[] = {
      {"rcsls", "the paper's method, learned with the retrieval criterion", "unit", "csls", true, make_rcsls_method},
      {"procrustes", "the best rotation", "unit", "csls", true, make_method<ProcrustesMethod>},
      {"least-squares", "the best linear map", "unit", "csls", true, make_method<LeastSquaresMethod>},
  };
  return methods;
}

}  // namespace wordbridge::cli
