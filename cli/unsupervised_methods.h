#pragma once
#include <memory>

#include "cli/align_method.h"

namespace wordbridge::cli {

/// `align --method adversarial`, `icp` and `wasserstein`.
std::unique_ptr<AlignMethod> make_adversarial_method();
std::unique_ptr<AlignMethod> make_icp_method();
std::unique_ptr<AlignMethod> make_wasserstein_method();

}  // namespace wordbridge::cli
