#pragma once
#include <cstdint>

#include "parallel/communicator.h"

namespace wordbridge {

/// The processes that mpirun or srun started together. Makes MPI ready, and ends it with this. To be used by the thread
/// that made it.
class MpiCommunicator final : public Communicator {
 public:
  MpiCommunicator();
  ~MpiCommunicator() override;
  MpiCommunicator(const MpiCommunicator&) = delete;
  MpiCommunicator& operator=(const MpiCommunicator&) = delete;

  int rank() const override { return rank_; }
  int size() const override { return size_; }
  std::string broadcast(std::string bytes, int root) override;
  std::vector<std::string> all_gather(const std::string& bytes) override;

  /// What this process has exchanged with the others; measured where WORDBRIDGE_TRAFFIC is set, which makes them wait
  /// for each other before each exchange, so that waiting and passing on are told apart.
  struct Traffic {
    std::uint64_t exchanges = 0, received_bytes = 0;
    double waiting_seconds = 0, passing_seconds = 0;
  };
  bool measures_traffic() const { return measures_traffic_; }
  const Traffic& traffic() const { return traffic_; }

  /// Ends all processes at once with that code: where one cannot go on, the others would wait for it for ever.
  [[noreturn]] static void end_all(int code);

 private:
  class Measured;

  int rank_ = 0, size_ = 1;
  bool measures_traffic_ = false;
  Traffic traffic_;
};

}  // namespace wordbridge
