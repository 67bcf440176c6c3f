#include "cli/program.h"
#include "cli/signals.h"

int main(int argc, char** argv) {
  wordbridge::cli::clean_up_on_signals();
  return static_cast<int>(wordbridge::cli::run_program(argc, argv));
}
