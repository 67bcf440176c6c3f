#pragma once
#include <cstddef>
#include <functional>
#include <memory>

namespace wordbridge {

/// Worker threads that share out index ranges in chunks, taken dynamically so that a slow chunk delays nobody else.
/// A pool of size 1 runs everything on the calling thread. The calling thread always works too.
class ThreadPool {
 public:
  /// 0: one thread for each core that this process may use. Fewer where the system refuses to start as many.
  explicit ThreadPool(int threads = 0);
  ~ThreadPool();
  ThreadPool(const ThreadPool&) = delete;
  ThreadPool& operator=(const ThreadPool&) = delete;

  int size() const { return size_; }

  /// Calls body(begin, end, worker) for disjoint chunks of at most `chunk` indexes that cover [0, count); worker is in
  /// [0, size()) and no two calls run at once with the same worker. The cut into chunks does not depend on the number
  /// of threads, so results that depend only on chunks are the same for any. An exception stops the handing out of
  /// chunks; the one of the lowest chunk that failed is rethrown here. So does cancelling the current context, which is
  /// that of the bodies too, whatever thread they run on. A call from inside a body runs on that thread alone, as
  /// worker 0 of its own.
  void for_chunks(std::size_t count, std::size_t chunk,
                  const std::function<void(std::size_t begin, std::size_t end, int worker)>& body);

  /// The pool of the current context (context.h).
  static ThreadPool& current();

 private:
  struct Job;
  struct State;
  int size_;
  std::unique_ptr<State> state_;
};

}  // namespace wordbridge
