#include "cli/communicator.h"

namespace wordbridge::cli {

namespace {

Communicator*& chosen_communicator() {
  static LocalCommunicator local;
  static Communicator* chosen = &local;
  return chosen;
}

bool is_together = false;

}  // namespace

bool ended_together() { return is_together; }

void end_together() { is_together = true; }

void check_together(const std::function<void()>& check) {
  try {
    check();
  } catch (...) {
    end_together();
    throw;
  }
}

Communicator& communicator() { return *chosen_communicator(); }

void use_communicator(Communicator& communicator) { chosen_communicator() = &communicator; }

}  // namespace wordbridge::cli
