#pragma once
#include <functional>

#include "parallel/communicator.h"

namespace wordbridge {

/// Runs `work` in so many threads at once, each of which is a rank. Rethrows what the lowest rank that failed threw.
void run_ranks(int size, const std::function<void(Communicator& communicator)>& work);

}  // namespace wordbridge
