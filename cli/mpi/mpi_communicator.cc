#include "cli/mpi/mpi_communicator.h"

#include <mpi.h>

#include <algorithm>
#include <cstdint>
#include <cstdlib>

#include "wordbridge/error.h"

namespace wordbridge {

namespace {

constexpr std::size_t kPiece = std::size_t{1} << 30;  // MPI counts with an int

void check(int code, const char* what) {
  if (code != MPI_SUCCESS) throw Error(std::string("MPI failed: ") + what);
}

}  // namespace

MpiCommunicator::MpiCommunicator() {
  int provided = 0;
  check(MPI_Init_thread(nullptr, nullptr, MPI_THREAD_FUNNELED, &provided), "start");
  MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
  check(MPI_Comm_rank(MPI_COMM_WORLD, &rank_), "rank");
  check(MPI_Comm_size(MPI_COMM_WORLD, &size_), "size");
}

MpiCommunicator::~MpiCommunicator() { MPI_Finalize(); }

void MpiCommunicator::end_all(int code) {
  MPI_Abort(MPI_COMM_WORLD, code);
  std::abort();
}

std::string MpiCommunicator::broadcast(std::string bytes, int root) {
  std::uint64_t size = bytes.size();
  check(MPI_Bcast(&size, 1, MPI_UINT64_T, root, MPI_COMM_WORLD), "broadcast");
  bytes.resize(size);
  for (std::size_t begin = 0; begin < size; begin += kPiece)
    check(MPI_Bcast(bytes.data() + begin, static_cast<int>(std::min(kPiece, size - begin)), MPI_BYTE, root,
                    MPI_COMM_WORLD),
          "broadcast");
  return bytes;
}

std::vector<std::string> MpiCommunicator::all_gather(const std::string& bytes) {
  std::vector<std::string> all(static_cast<std::size_t>(size_));
  for (int root = 0; root < size_; ++root)
    all[static_cast<std::size_t>(root)] = broadcast(root == rank_ ? bytes : std::string(), root);
  return all;
}

}  // namespace wordbridge
