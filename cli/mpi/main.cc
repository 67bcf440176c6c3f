#include <fmt/format.h>

#include <string_view>

#include "cli/communicator.h"
#include "cli/mpi/mpi_communicator.h"
#include "cli/program.h"
#include "cli/session.h"
#include "cli/signals.h"
#include "cli/standard_streams.h"

// wordbridge-mpi hub ...: the same files as `wordbridge hub`, made by all processes that mpirun or srun started.
int main(int argc, char** argv) {
  using namespace wordbridge;
  cli::occupy_standard_streams();
  cli::clean_up_on_signals();
  MpiCommunicator communicator;
  const std::string_view command = argc > 1 ? argv[1] : "";
  if (command != "hub" && communicator.size() > 1) {
    if (communicator.is_first())
      cli::Session::print_message("wordbridge-mpi: several processes make a hub: wordbridge-mpi hub ...");
    return static_cast<int>(cli::ExitCode::usage);
  }
  cli::use_communicator(communicator);
  const int code = static_cast<int>(cli::run_program(argc, argv));
  // The languages that failed are everybody's result; what ended one process alone would leave the others waiting.
  if (code != 0 && communicator.size() > 1 && !cli::ended_together()) {
    cli::Session::print_message(
        fmt::format("wordbridge-mpi: rank {} of {} failed, which ends the job; repeat the command to go on",
                    communicator.rank(), communicator.size()));
    MpiCommunicator::end_all(code);
  }
  return code;
}
