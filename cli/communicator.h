#pragma once
#include <functional>

#include "parallel/communicator.h"

namespace wordbridge::cli {

/// The processes that this one works together with: itself alone, unless use_communicator() says otherwise.
Communicator& communicator();
/// It must outlive everything that asks for it.
void use_communicator(Communicator& communicator);

/// Whether the work is shared by several processes.
inline bool works_with_others() { return communicator().size() > 1; }
/// Checks what all processes see alike, such as the command line: where it throws, they all end together, and the first
/// alone says why.
void check_together(const std::function<void()>& check);

/// Whether all processes came to the same end of their command, which then was not cut short on one of them.
bool ended_together();
void end_together();

}  // namespace wordbridge::cli
