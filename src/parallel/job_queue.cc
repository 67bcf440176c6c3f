#include "parallel/job_queue.h"

#include <malloc.h>

#include <algorithm>
#include <chrono>
#include <condition_variable>
#include <exception>
#include <map>
#include <memory>
#include <mutex>
#include <numeric>
#include <thread>
#include <utility>

#include "parallel/thread_pool.h"
#include "wordbridge/context.h"

namespace wordbridge {

namespace {

constexpr auto kLook = std::chrono::milliseconds(50);  // how often the caller looks whether it is cancelled

/// A job that has begun.
struct RunningJob {
  explicit RunningJob(const ContextOptions& options) : context(options) {}

  Context context;
  std::exception_ptr error;
  std::thread thread;
};

class JobRunner {
 public:
  JobRunner(const std::vector<Job>& jobs, const JobLimits& limits, const std::function<void(std::size_t)>& finished)
      : jobs_(jobs), limits_(limits), finished_(finished), order_(jobs.size()) {
    const int threads = ThreadPool::current().size();
    if (limits_.at_once <= 0) limits_.at_once = threads;
    const int most =
        std::max(1, std::min(limits_.at_once, static_cast<int>(std::min<std::size_t>(jobs.size(), 1 << 20))));
    // Twice as many threads as cores: the jobs do not always have work for all of theirs.
    threads_each_ = std::min(threads, most == 1 ? threads : (2 * threads + most - 1) / most);
    std::iota(order_.begin(), order_.end(), std::size_t{0});
    std::ranges::stable_sort(order_, std::ranges::greater(), [&](std::size_t job) { return jobs_[job].bytes; });
  }
  ~JobRunner() {
    for (auto& [job, running] : running_) running->context.cancel();
    for (auto& [job, running] : running_)
      if (running->thread.joinable()) running->thread.join();  // else the system refused the thread
  }
  JobRunner(const JobRunner&) = delete;
  JobRunner& operator=(const JobRunner&) = delete;

  void run() {
    while (!running_.empty() || (next_ < order_.size() && !error_ && !Context::current().is_cancelled())) {
      while (can_start())
        if (const std::size_t job = order_[next_++]; !limits_.claim || limits_.claim(job)) start(job);
      if (running_.empty()) continue;
      for (const std::size_t job : wait()) end(job);
      if (Context::current().is_cancelled())
        for (auto& [job, running] : running_) running->context.cancel();
    }
    Context::poll();
    if (error_) std::rethrow_exception(error_);
  }

 private:
  bool can_start() const {
    if (next_ >= order_.size() || error_ || Context::current().is_cancelled()) return false;
    if (running_.empty()) return true;
    const std::uint64_t bytes = jobs_[order_[next_]].bytes;
    return running_.size() < static_cast<std::size_t>(limits_.at_once) &&
           (limits_.bytes == 0 || (bytes <= limits_.bytes && bytes_ <= limits_.bytes - bytes));
  }

  void start(std::size_t job) {
    auto& running = *running_
                         .emplace(job, std::make_unique<RunningJob>(
                                           ContextOptions{.threads = threads_each_, .seed = Context::current().seed()}))
                         .first->second;
    bytes_ += jobs_[job].bytes;
    running.thread = std::thread([this, job, &running] {
      const Context::Scope scope(running.context);
      try {
        jobs_[job].run();
      } catch (...) {
        running.error = std::current_exception();
      }
      const std::lock_guard lock(mutex_);
      ended_.push_back(job);
      wake_.notify_one();
    });
  }

  std::vector<std::size_t> wait() {
    std::unique_lock lock(mutex_);
    wake_.wait_for(lock, kLook, [&] { return !ended_.empty(); });
    return std::exchange(ended_, {});
  }

  void end(std::size_t job) {
    const auto at = running_.find(job);
    at->second->thread.join();
    if (const std::exception_ptr error = at->second->error; error && (!error_ || job < error_job_)) {
      error_ = error;
      error_job_ = job;
    }
    const bool failed = static_cast<bool>(at->second->error);
    running_.erase(at);
    // The heaps of threads keep what is freed; the next job would come on top of that.
    ::malloc_trim(0);
    bytes_ -= jobs_[job].bytes;
    if (!failed && finished_) finished_(job);
  }

  const std::vector<Job>& jobs_;
  JobLimits limits_;
  const std::function<void(std::size_t)>& finished_;
  std::vector<std::size_t> order_;
  int threads_each_ = 1;
  std::size_t next_ = 0;
  std::uint64_t bytes_ = 0;
  std::map<std::size_t, std::unique_ptr<RunningJob>> running_;
  std::exception_ptr error_;
  std::size_t error_job_ = 0;
  std::mutex mutex_;
  std::condition_variable wake_;
  std::vector<std::size_t> ended_;
};

}  // namespace

void run_jobs(const std::vector<Job>& jobs, const JobLimits& limits,
              const std::function<void(std::size_t job)>& finished) {
  JobRunner(jobs, limits, finished).run();
}

}  // namespace wordbridge
