#pragma once
#include <memory>

#include "cli/align_method.h"

namespace wordbridge::cli {

/// `align --method rcsls`.
std::unique_ptr<AlignMethod> make_rcsls_method();

}  // namespace wordbridge::cli
