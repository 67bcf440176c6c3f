#include "run.h"

#include <chrono>
#include <condition_variable>
#include <deque>
#include <exception>
#include <mutex>
#include <string>
#include <thread>

#include "text.h"
#include "wordbridge/context.h"
#include "wordbridge/error.h"

namespace wordbridge::python {

namespace py = pybind11;

namespace {

/// How often signals are looked at.
constexpr std::chrono::milliseconds kInterval(10);

struct Event {
  enum class Kind { update, warning, finish } kind;
  std::string stage;  // of a warning, the line
  std::uint64_t done = 0, total = 0;
  std::string note = {};
};

/// What the work tells, until the calling thread fetches it.
class Events final : public Progress {
 public:
  void update(std::string_view stage, std::uint64_t done, std::uint64_t total, std::string_view note) override {
    const std::lock_guard lock(mutex_);
    // Only the last of several updates is of interest.
    if (!events_.empty() && events_.back().kind == Event::Kind::update && events_.back().stage == stage)
      events_.pop_back();
    events_.push_back({Event::Kind::update, std::string(stage), done, total, std::string(note)});
  }
  void warn(std::string_view line) override {
    const std::lock_guard lock(mutex_);
    events_.push_back({Event::Kind::warning, std::string(line)});
  }
  void finish(std::string_view stage) override {
    const std::lock_guard lock(mutex_);
    events_.push_back({Event::Kind::finish, std::string(stage)});
  }

  std::deque<Event> take() {
    const std::lock_guard lock(mutex_);
    return std::exchange(events_, {});
  }

 private:
  std::mutex mutex_;
  std::deque<Event> events_;
};

/// The work on its thread.
class Worker {
 public:
  Worker(Context& context, const std::function<void()>& work)
      : thread_([this, &context, &work] {
          try {
            const Context::Scope scope(context);
            work();
          } catch (...) {
            failure_ = std::current_exception();
          }
          const std::lock_guard lock(mutex_);
          done_ = true;
          changed_.notify_all();
        }) {}

  ~Worker() { join(); }
  Worker(const Worker&) = delete;
  Worker& operator=(const Worker&) = delete;

  bool wait(std::chrono::milliseconds time) {
    std::unique_lock lock(mutex_);
    return changed_.wait_for(lock, time, [&] { return done_; });
  }
  /// Until the end.
  std::exception_ptr join() {
    if (thread_.joinable()) thread_.join();
    return failure_;
  }

 private:
  std::exception_ptr failure_;
  std::mutex mutex_;
  std::condition_variable changed_;
  bool done_ = false;
  std::thread thread_;  // the last: it uses all of the others
};

/// Hands events on. Throws what a callback throws.
void tell(std::deque<Event> events, const py::object& progress) {
  for (const Event& event : events) {
    if (event.kind == Event::Kind::warning)
      warn(event.stage);
    else if (progress.is_none())
      continue;
    else if (event.kind == Event::Kind::update)
      progress(to_str(event.stage), event.done, event.total, to_str(event.note));
    else
      progress(to_str(event.stage), py::none(), py::none(), "");
  }
}

int checked_threads(std::int64_t threads) {
  constexpr std::int64_t kMostThreads = 1024;
  if (threads < 0 || threads > kMostThreads)
    throw UsageError("threads must be from 0 (one for each core) to " + std::to_string(kMostThreads));
  return static_cast<int>(threads);
}

}  // namespace

void warn(const std::string& line) { py::module_::import("wordbridge.errors").attr("warn")(to_str(line)); }

Run::Run(std::int64_t threads, std::uint64_t seed, py::object progress)
    : threads_(checked_threads(threads)), seed_(seed), progress_(std::move(progress)) {}

void Run::execute(const std::function<void()>& work) const {
  Events events;
  Context context({.threads = threads_, .seed = seed_, .progress = &events});
  std::optional<py::error_already_set> error;  // of a signal handler or of a callback
  std::exception_ptr failure;
  {
    Worker worker(context, work);
    const auto look = [&] {
      if (error) return;
      try {
        if (PyErr_CheckSignals() != 0) throw py::error_already_set();
        tell(events.take(), progress_);
      } catch (py::error_already_set& thrown) {
        error.emplace(thrown);
        context.cancel();
      }
    };
    const py::gil_scoped_release release;
    while (!worker.wait(kInterval)) {
      const py::gil_scoped_acquire acquire;
      look();
    }
    failure = worker.join();
    const py::gil_scoped_acquire acquire;
    look();
  }
  if (error) throw py::error_already_set(*error);
  if (failure) std::rethrow_exception(failure);
}

void bind_run(py::module_& module) {
  py::class_<Run>(module, "Run")
      .def(py::init<std::int64_t, std::uint64_t, py::object>(), py::arg("threads"), py::arg("seed"),
           py::arg("progress"));
}

}  // namespace wordbridge::python
