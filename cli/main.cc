#include "cli/process.h"
#include "cli/program.h"

int main(int argc, char** argv) {
  wordbridge::cli::occupy_standard_streams();
  wordbridge::cli::clean_up_on_signals();
  return static_cast<int>(wordbridge::cli::run_program(argc, argv));
}
