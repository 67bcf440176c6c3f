#include "io/read_ahead.h"

#include <algorithm>
#include <array>
#include <condition_variable>
#include <cstdint>
#include <cstring>
#include <exception>
#include <mutex>
#include <thread>
#include <utility>

namespace wordbridge {

namespace {
constexpr std::size_t kBlocks = 4;
constexpr std::size_t kBytesOfBlock = std::size_t{512} << 10;
}  // namespace

/// A ring: blocks [taken, filled) hold bytes; the puller fills block `filled`, the reader empties block `taken`.
struct ReadAhead::State {
  explicit State(Pull pull) : pull_bytes(std::move(pull)) {
    for (Block& block : ring) block.bytes = std::make_unique_for_overwrite<char[]>(kBytesOfBlock);
    thread = std::thread([this] { run(); });
  }

  struct Block {
    std::unique_ptr<char[]> bytes;
    std::size_t size = 0;
  };

  void run() {
    std::unique_lock lock(mutex);
    for (;;) {
      changed.wait(lock, [&] { return stopped || filled - taken < kBlocks; });
      if (stopped) return;
      Block& block = ring[filled % kBlocks];
      lock.unlock();
      std::exception_ptr thrown;
      try {
        block.size = pull_bytes(block.bytes.get(), kBytesOfBlock);
      } catch (...) {
        thrown = std::current_exception();
      }
      lock.lock();
      if (thrown || block.size == 0) {
        failure = thrown;
        ended = true;
        changed.notify_all();
        return;
      }
      ++filled;
      changed.notify_all();
    }
  }

  Pull pull_bytes;
  std::array<Block, kBlocks> ring;
  std::size_t offset = 0;  // of the reader in block `taken`
  std::mutex mutex;
  std::condition_variable changed;
  std::uint64_t filled = 0, taken = 0;
  bool ended = false;
  bool stopped = false;
  std::exception_ptr failure;
  std::thread thread;
};

ReadAhead::ReadAhead(Pull pull) : state_(std::make_unique<State>(std::move(pull))) {}

ReadAhead::~ReadAhead() {
  stop();
  state_->thread.join();
}

void ReadAhead::stop() {
  const std::lock_guard lock(state_->mutex);
  state_->stopped = true;
  state_->changed.notify_all();
}

std::size_t ReadAhead::read(char* buffer, std::size_t bytes) {
  State& state = *state_;
  std::unique_lock lock(state.mutex);
  state.changed.wait(lock, [&] { return state.filled > state.taken || state.ended; });
  if (state.filled == state.taken) {
    if (state.failure) std::rethrow_exception(state.failure);
    return 0;
  }
  const State::Block& block = state.ring[state.taken % kBlocks];
  lock.unlock();
  const std::size_t count = std::min(bytes, block.size - state.offset);
  std::memcpy(buffer, block.bytes.get() + state.offset, count);
  state.offset += count;
  if (state.offset == block.size) {
    state.offset = 0;
    lock.lock();
    ++state.taken;
    state.changed.notify_all();
  }
  return count;
}

}  // namespace wordbridge
