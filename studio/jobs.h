#pragma once
#include <condition_variable>
#include <cstdint>
#include <deque>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <thread>
#include <vector>

#include "base/json.h"
#include "wordbridge/context.h"

namespace wordbridge::studio {

/// What happens is told to all who listen: browsers that show the same project. A listener that falls behind loses what
/// it did not take, and is told so by an event "behind".
class EventBus {
 public:
  struct Event {
    std::string kind;  // "decision", "job", ...
    std::string data;  // JSON on one line
  };

  class Listener {
   public:
    explicit Listener(EventBus& bus) : bus_(bus) {}
    ~Listener();
    Listener(const Listener&) = delete;
    Listener& operator=(const Listener&) = delete;
    /// Waits for an event, as long as `patience` at most.
    std::optional<Event> next(std::chrono::milliseconds patience);
    bool closed() const;

   private:
    friend class EventBus;
    EventBus& bus_;
    std::deque<Event> waiting_;
  };

  /// Nothing where there are too many already.
  std::unique_ptr<Listener> listen();
  void tell(std::string kind, const Json& data);
  /// Everybody who waits is woken, for good.
  void close();

 private:
  static constexpr std::size_t kMostListeners = 32, kMostWaiting = 256;

  mutable std::mutex mutex_;
  std::condition_variable changed_;
  std::vector<Listener*> listeners_;
  bool closed_ = false;
};

/// Long work behind the answers, one piece after the other on a thread of its own: its progress is told as events, and
/// it can be cancelled.
class Jobs {
 public:
  enum class State { waiting, running, done, failed, cancelled };

  struct Status {
    std::uint64_t id = 0;
    std::string kind;  // "layout", "review", "train"
    State state = State::waiting;
    std::string stage;  // of a running one
    std::uint64_t done = 0, total = 0;
    std::string error;  // of a failed one, a line
    Json result;        // of one that is done

    Json to_json() const;
  };

  Jobs(EventBus& bus, int threads, std::uint64_t seed);
  /// Cancels what runs.
  ~Jobs();
  Jobs(const Jobs&) = delete;
  Jobs& operator=(const Jobs&) = delete;

  /// What it gives becomes the result. Nothing where too many wait.
  std::optional<std::uint64_t> start(std::string kind, std::function<Json()> work);
  std::optional<Status> status(std::uint64_t id) const;
  std::vector<Status> all() const;
  /// False where there is none of this number that could be.
  bool cancel(std::uint64_t id);
  /// Whether one of a kind waits or runs.
  bool busy(const std::string& kind) const;

 private:
  struct Job;
  class Watcher;
  static constexpr std::size_t kMostKept = 64, kMostWaiting = 16;

  void run();
  void execute(Job& job);
  void tell(const Status& status);

  EventBus& bus_;
  int threads_;
  std::uint64_t seed_;
  mutable std::mutex mutex_;
  std::condition_variable changed_;
  std::deque<std::shared_ptr<Job>> jobs_;  // the oldest first
  std::uint64_t next_id_ = 1;
  bool ending_ = false;
  std::thread thread_;
};

}  // namespace wordbridge::studio
