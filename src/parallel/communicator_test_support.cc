#include "parallel/communicator_test_support.h"

#include <condition_variable>
#include <exception>
#include <mutex>
#include <thread>
#include <utility>

namespace wordbridge {

namespace {

/// Where the ranks leave what they give.
struct Meeting {
  std::mutex mutex;
  std::condition_variable wake;
  std::vector<std::string> given, complete;
  int here = 0;
  std::uint64_t number = 0;
};

class ThreadCommunicator final : public Communicator {
 public:
  ThreadCommunicator(Meeting& meeting, int rank, int size) : meeting_(meeting), rank_(rank), size_(size) {}
  int rank() const override { return rank_; }
  int size() const override { return size_; }
  std::string broadcast(std::string bytes, int root) override {
    return all_gather(bytes)[static_cast<std::size_t>(root)];
  }
  std::vector<std::string> all_gather(const std::string& bytes) override {
    std::unique_lock lock(meeting_.mutex);
    const std::uint64_t number = meeting_.number;
    meeting_.given.resize(static_cast<std::size_t>(size_));
    meeting_.given[static_cast<std::size_t>(rank_)] = bytes;
    if (++meeting_.here == size_) {
      meeting_.complete = std::exchange(meeting_.given, {});
      meeting_.here = 0;
      ++meeting_.number;
      meeting_.wake.notify_all();
    } else {
      meeting_.wake.wait(lock, [&] { return meeting_.number != number; });
    }
    return meeting_.complete;
  }

 private:
  Meeting& meeting_;
  int rank_, size_;
};

}  // namespace

void run_ranks(int size, const std::function<void(Communicator& communicator)>& work) {
  Meeting meeting;
  std::vector<std::exception_ptr> errors(static_cast<std::size_t>(size));
  std::vector<std::thread> threads;
  for (int rank = 0; rank < size; ++rank)
    threads.emplace_back([&, rank] {
      ThreadCommunicator communicator(meeting, rank, size);
      try {
        work(communicator);
      } catch (...) {
        errors[static_cast<std::size_t>(rank)] = std::current_exception();
      }
    });
  for (std::thread& thread : threads) thread.join();
  for (const std::exception_ptr& error : errors)
    if (error) std::rethrow_exception(error);
}

}  // namespace wordbridge
