#pragma once
#include <cstddef>
#include <cstdint>
#include <functional>
#include <vector>

namespace wordbridge {

/// A piece of long work that needs no other one.
struct Job {
  std::uint64_t bytes = 0;  // of memory that it takes, roughly; jobs with the most start first
  std::function<void()> run;
};

/// How many jobs may run at the same time.
struct JobLimits {
  int at_once = 0;          // 0: as many as the current context has threads
  std::uint64_t bytes = 0;  // the jobs that run take so much together; one always runs. 0: no limit
  /// Asked on the calling thread before a job starts: false where somebody else does it. Absent: nobody else does.
  std::function<bool(std::size_t job)> claim = nullptr;
};

/// Runs all jobs, each on a thread and in a context of its own, with the seed of the current one and a part of its
/// threads, so that all cores are busy also while a job has work for one only. Which run at the same time is a matter
/// of luck: their results must not depend on it. `finished` is told of the end of each job that
/// ran, by its index, on the calling
/// thread.
///
/// Of exceptions the one of the lowest index is thrown, once all jobs that had begun have ended; jobs that had not are
/// left out then. Cancelling the current context cancels the jobs.
void run_jobs(const std::vector<Job>& jobs, const JobLimits& limits = {},
              const std::function<void(std::size_t job)>& finished = nullptr);

}  // namespace wordbridge
