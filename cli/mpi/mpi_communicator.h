#pragma once
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

  /// Ends all processes at once with that code: where one cannot go on, the others would wait for it for ever.
  [[noreturn]] static void end_all(int code);

 private:
  int rank_ = 0, size_ = 1;
};

}  // namespace wordbridge
