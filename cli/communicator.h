#pragma once
#include "parallel/communicator.h"

namespace wordbridge::cli {

/// The processes that this one works together with: itself alone, unless use_communicator() says otherwise.
Communicator& communicator();
/// It must outlive everything that asks for it.
void use_communicator(Communicator& communicator);

/// Whether all processes came to the same end of their command, which then was not cut short on one of them.
bool ended_together();
void end_together();

}  // namespace wordbridge::cli
