#include "parallel/thread_pool.h"

#include <sched.h>

#include <algorithm>
#include <atomic>
#include <condition_variable>
#include <cstdint>
#include <exception>
#include <mutex>
#include <system_error>
#include <thread>
#include <utility>
#include <vector>

#include "wordbridge/context.h"

namespace wordbridge {

namespace {

int usable_cores() {
  cpu_set_t set;
  CPU_ZERO(&set);
  if (sched_getaffinity(0, sizeof(set), &set) == 0) return std::max(1, CPU_COUNT(&set));
  return std::max(1u, std::thread::hardware_concurrency());
}

thread_local bool inside_body = false;

}  // namespace

/// One for_chunks call: what to do and how far it has got.
struct ThreadPool::Job {
  std::size_t count, chunk;
  const std::function<void(std::size_t, std::size_t, int)>* body;
  Context& context;  // of the caller
  std::atomic<std::size_t> next{0};
  std::mutex error_mutex;
  std::size_t error_begin = 0;
  std::exception_ptr error;

  void work(int worker) {
    const bool was_inside = std::exchange(inside_body, true);
    const Context::Scope scope(context);
    for (;;) {
      const std::size_t begin = next.fetch_add(chunk);
      if (begin >= count) break;
      try {
        Context::poll();
        (*body)(begin, std::min(begin + chunk, count), worker);
      } catch (...) {
        // Chunks are handed out in ascending order, so every one below this has begun and will be heard here too: the
        // lowest that fails is the same for any number of threads.
        const std::lock_guard lock(error_mutex);
        if (!error || begin < error_begin) {
          error = std::current_exception();
          error_begin = begin;
        }
        next.store(count);
      }
    }
    inside_body = was_inside;
  }
};

struct ThreadPool::State {
  std::mutex mutex;
  std::condition_variable wake, idle;
  Job* job = nullptr;
  std::uint64_t generation = 0;  // counts jobs, so that a worker takes each once
  int busy = 0;
  bool stop = false;
  std::mutex callers;  // one for_chunks at a time
  std::vector<std::thread> threads;

  void run(int worker) {
    std::uint64_t seen = 0;
    std::unique_lock lock(mutex);
    for (;;) {
      wake.wait(lock, [&] { return stop || generation != seen; });
      if (stop) return;
      seen = generation;
      Job* current = job;
      if (current == nullptr) continue;
      ++busy;
      lock.unlock();
      current->work(worker);
      lock.lock();
      if (--busy == 0) idle.notify_all();
    }
  }
};

ThreadPool::ThreadPool(int threads) : size_(threads > 0 ? threads : usable_cores()), state_(std::make_unique<State>()) {
  state_->threads.reserve(static_cast<std::size_t>(size_ - 1));
  for (int worker = 1; worker < size_; ++worker) {
    try {
      state_->threads.emplace_back([state = state_.get(), worker] { state->run(worker); });
    } catch (const std::system_error&) {
      size_ = worker;  // the system gives no more threads; results do not depend on their number
    }
  }
}

ThreadPool::~ThreadPool() {
  {
    const std::lock_guard lock(state_->mutex);
    state_->stop = true;
  }
  state_->wake.notify_all();
  for (std::thread& thread : state_->threads) thread.join();
}

void ThreadPool::for_chunks(std::size_t count, std::size_t chunk,
                            const std::function<void(std::size_t, std::size_t, int)>& body) {
  Job job{count, std::max<std::size_t>(1, chunk), &body, Context::current(), {}, {}, {}, {}};
  if (size_ == 1 || inside_body || count <= job.chunk) {
    job.work(0);
  } else {
    const std::lock_guard one_at_a_time(state_->callers);
    {
      const std::lock_guard lock(state_->mutex);
      state_->job = &job;
      ++state_->generation;
    }
    state_->wake.notify_all();
    job.work(0);
    std::unique_lock lock(state_->mutex);
    state_->job = nullptr;  // a worker that wakes only now finds nothing to do
    state_->idle.wait(lock, [&] { return state_->busy == 0; });
  }
  if (job.error) std::rethrow_exception(job.error);
}

ThreadPool& ThreadPool::current() { return Context::current().pool(); }

}  // namespace wordbridge
