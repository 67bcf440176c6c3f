#include <fmt/format.h>

#include "cli/communicator.h"
#include "cli/mpi/mpi_communicator.h"
#include "cli/process.h"
#include "cli/program.h"
#include "cli/session.h"

namespace {

using namespace wordbridge;

constexpr const char* kHelp =
    "\n\nThis is wordbridge-mpi: the processes that mpirun or srun started share the work of hub, align, evaluate\n"
    "translation and induce, to the bytes that one gives. Of align: --method rcsls with a --learning-rate, and the "
    "other\n"
    "methods that learn from a lexicon; criteria nn and csls. WORDBRIDGE_TRAFFIC=1 tells what they passed on. As:\n"
    "  mpirun -np 8 wordbridge-mpi align en.wbvec es.wbvec --lexicon train.txt --method rcsls --learning-rate 10 \\\n"
    "      --checkpoint state --resume -o en-es.wbmap";

void print_traffic(const MpiCommunicator::Traffic& traffic) {
  cli::Session::print_message(fmt::format("rank 0: {} exchanges, {:.1f} MB received in {:.2f} s, {:.2f} s of waiting",
                                          traffic.exchanges, static_cast<double>(traffic.received_bytes) / 1e6,
                                          traffic.passing_seconds, traffic.waiting_seconds));
}

}  // namespace

// The same files and the same text as `wordbridge` gives, made by all processes that mpirun or srun started.
int main(int argc, char** argv) {
  cli::occupy_standard_streams();
  cli::clean_up_on_signals();
  MpiCommunicator communicator;
  cli::use_communicator(communicator);
  const int code = static_cast<int>(cli::run_program(argc, argv, kHelp));
  if (communicator.measures_traffic() && communicator.is_first()) print_traffic(communicator.traffic());
  // The languages that failed are everybody's result; what ended one process alone would leave the others waiting.
  if (code != 0 && communicator.size() > 1 && !cli::ended_together()) {
    cli::Session::print_message(fmt::format("wordbridge-mpi: rank {} of {} failed, which ends the job",
                                            communicator.rank(), communicator.size()));
    MpiCommunicator::end_all(code);
  }
  return code;
}
