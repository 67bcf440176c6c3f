#include "cli/mpi/mpi_communicator.h"

#include <mpi.h>

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <numeric>

#include "wordbridge/error.h"

namespace wordbridge {

namespace {

constexpr std::size_t kPiece = std::size_t{1} << 30;  // MPI counts with an int

constexpr std::uint64_t kLarge = 1 << 20;

void check(int code, const char* what) {
  if (code != MPI_SUCCESS) throw Error(std::string("MPI failed: ") + what);
}

/// The bytes of `root` to everybody, who has room for them.
void pass_on(std::string& bytes, int root) {
  for (std::size_t begin = 0; begin < bytes.size(); begin += kPiece)
    check(MPI_Bcast(bytes.data() + begin, static_cast<int>(std::min(kPiece, bytes.size() - begin)), MPI_BYTE, root,
                    MPI_COMM_WORLD),
          "broadcast");
}

}  // namespace

/// One exchange, for as long as it lives.
class MpiCommunicator::Measured {
 public:
  explicit Measured(MpiCommunicator& communicator) : communicator_(communicator) {
    if (!communicator.measures_traffic_) return;
    const double begin = MPI_Wtime();
    check(MPI_Barrier(MPI_COMM_WORLD), "waiting");
    start_ = MPI_Wtime();
    communicator.traffic_.waiting_seconds += start_ - begin;
  }
  ~Measured() {
    if (!communicator_.measures_traffic_) return;
    ++communicator_.traffic_.exchanges;
    communicator_.traffic_.passing_seconds += MPI_Wtime() - start_;
  }
  Measured(const Measured&) = delete;
  Measured& operator=(const Measured&) = delete;
  void receive(std::uint64_t bytes) { communicator_.traffic_.received_bytes += bytes; }

 private:
  MpiCommunicator& communicator_;
  double start_ = 0;
};

MpiCommunicator::MpiCommunicator() : measures_traffic_(std::getenv("WORDBRIDGE_TRAFFIC") != nullptr) {
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
  Measured measured(*this);
  std::uint64_t size = bytes.size();
  check(MPI_Bcast(&size, 1, MPI_UINT64_T, root, MPI_COMM_WORLD), "broadcast");
  bytes.resize(size);
  if (rank_ != root) measured.receive(size);
  pass_on(bytes, root);
  return bytes;
}

/// Large messages go straight to where they belong, one process after the other; small ones in one exchange.
std::vector<std::string> MpiCommunicator::all_gather(const std::string& bytes) {
  Measured measured(*this);
  const auto ranks = static_cast<std::size_t>(size_);
  std::vector<std::uint64_t> sizes(ranks);
  const std::uint64_t own = bytes.size();
  check(MPI_Allgather(&own, 1, MPI_UINT64_T, sizes.data(), 1, MPI_UINT64_T, MPI_COMM_WORLD), "gathering sizes");
  const std::uint64_t total = std::accumulate(sizes.begin(), sizes.end(), std::uint64_t{0});
  measured.receive(total - own);
  std::vector<std::string> all(ranks);
  if (total > kLarge) {
    for (std::size_t i = 0; i < ranks; ++i) {
      if (static_cast<int>(i) == rank_)
        all[i] = bytes;
      else
        all[i].resize(sizes[i]);
      pass_on(all[i], static_cast<int>(i));
    }
    return all;
  }
  std::vector<int> counts(sizes.begin(), sizes.end()), places(ranks);
  std::exclusive_scan(counts.begin(), counts.end(), places.begin(), 0);
  std::string received(total, '\0');
  check(MPI_Allgatherv(bytes.data(), counts[static_cast<std::size_t>(rank_)], MPI_BYTE, received.data(), counts.data(),
                       places.data(), MPI_BYTE, MPI_COMM_WORLD),
        "gathering");
  for (std::size_t i = 0; i < ranks; ++i) all[i] = received.substr(static_cast<std::size_t>(places[i]), sizes[i]);
  return all;
}

}  // namespace wordbridge
