#include "studio/jobs.h"

#include <algorithm>
#include <chrono>
#include <utility>

#include "wordbridge/error.h"

namespace wordbridge::studio {

namespace {

const char* name_of(Jobs::State state) {
  switch (state) {
    case Jobs::State::waiting:
      return "waiting";
    case Jobs::State::running:
      return "running";
    case Jobs::State::done:
      return "done";
    case Jobs::State::failed:
      return "failed";
    case Jobs::State::cancelled:
      return "cancelled";
  }
  return "";
}

bool is_over(Jobs::State state) { return state != Jobs::State::waiting && state != Jobs::State::running; }

}  // namespace

EventBus::Listener::~Listener() {
  const std::lock_guard lock(bus_.mutex_);
  std::erase(bus_.listeners_, this);
}

std::optional<EventBus::Event> EventBus::Listener::next(std::chrono::milliseconds patience) {
  std::unique_lock lock(bus_.mutex_);
  bus_.changed_.wait_for(lock, patience, [&] { return bus_.closed_ || !waiting_.empty(); });
  if (waiting_.empty()) return std::nullopt;
  Event event = std::move(waiting_.front());
  waiting_.pop_front();
  return event;
}

bool EventBus::Listener::closed() const {
  const std::lock_guard lock(bus_.mutex_);
  return bus_.closed_;
}

std::unique_ptr<EventBus::Listener> EventBus::listen() {
  auto listener = std::make_unique<Listener>(*this);
  const std::lock_guard lock(mutex_);
  if (closed_ || listeners_.size() == kMostListeners) return nullptr;
  listeners_.push_back(listener.get());
  return listener;
}

void EventBus::tell(std::string kind, const Json& data) {
  const Event event{std::move(kind), data.dump()};
  const std::lock_guard lock(mutex_);
  for (Listener* listener : listeners_) {
    if (listener->waiting_.size() >= kMostWaiting) listener->waiting_.assign(1, {"behind", "{}"});
    listener->waiting_.push_back(event);
  }
  changed_.notify_all();
}

void EventBus::close() {
  const std::lock_guard lock(mutex_);
  closed_ = true;
  changed_.notify_all();
}

struct Jobs::Job {
  Status status;
  std::function<Json()> work;
  std::unique_ptr<Context> context;  // of a running one
  bool unwanted = false;
};

/// Hands on how far the work is, a few times a second.
class Jobs::Watcher final : public Progress {
 public:
  Watcher(Jobs& jobs, Job& job) : jobs_(jobs), job_(job) {}

  void update(std::string_view stage, std::uint64_t done, std::uint64_t total, std::string_view) override {
    constexpr auto kPause = std::chrono::milliseconds(100);
    const auto now = std::chrono::steady_clock::now();
    Status told;
    {
      const std::lock_guard lock(jobs_.mutex_);
      const bool is_new = job_.status.stage != stage;
      job_.status.stage = stage;
      job_.status.done = done;
      job_.status.total = total;
      if (!is_new && now - last_ < kPause) return;
      told = job_.status;
    }
    last_ = now;
    jobs_.tell(told);
  }
  void finish(std::string_view) override {}

 private:
  Jobs& jobs_;
  Job& job_;
  std::chrono::steady_clock::time_point last_{};
};

Json Jobs::Status::to_json() const {
  Json json = {{"id", id},       {"kind", kind}, {"state", name_of(state)},
               {"stage", stage}, {"done", done}, {"total", total}};
  if (!error.empty()) json["error"] = error;
  if (!result.is_null()) json["result"] = result;
  return json;
}

Jobs::Jobs(EventBus& bus, int threads, std::uint64_t seed)
    : bus_(bus), threads_(threads), seed_(seed), thread_([this] { run(); }) {}

Jobs::~Jobs() {
  {
    const std::lock_guard lock(mutex_);
    ending_ = true;
    for (const auto& job : jobs_) {
      job->unwanted = true;
      if (job->context) job->context->cancel();
    }
    changed_.notify_all();
  }
  thread_.join();
}

std::optional<std::uint64_t> Jobs::start(std::string kind, std::function<Json()> work) {
  auto job = std::make_shared<Job>();
  job->status.kind = std::move(kind);
  job->work = std::move(work);
  Status told;
  {
    const std::lock_guard lock(mutex_);
    const auto open = std::ranges::count_if(jobs_, [](const auto& other) { return !is_over(other->status.state); });
    if (ending_ || static_cast<std::size_t>(open) >= kMostWaiting) return std::nullopt;
    job->status.id = next_id_++;
    jobs_.push_back(job);
    if (jobs_.size() > kMostKept && is_over(jobs_.front()->status.state)) jobs_.pop_front();
    told = job->status;
    changed_.notify_all();
  }
  tell(told);
  return told.id;
}

std::optional<Jobs::Status> Jobs::status(std::uint64_t id) const {
  const std::lock_guard lock(mutex_);
  for (const auto& job : jobs_)
    if (job->status.id == id) return job->status;
  return std::nullopt;
}

std::vector<Jobs::Status> Jobs::all() const {
  const std::lock_guard lock(mutex_);
  std::vector<Status> result;
  for (const auto& job : jobs_) result.push_back(job->status);
  return result;
}

bool Jobs::busy(const std::string& kind) const {
  const std::lock_guard lock(mutex_);
  return std::ranges::any_of(jobs_,
                             [&](const auto& job) { return job->status.kind == kind && !is_over(job->status.state); });
}

bool Jobs::cancel(std::uint64_t id) {
  const std::lock_guard lock(mutex_);
  for (const auto& job : jobs_)
    if (job->status.id == id && !is_over(job->status.state)) {
      job->unwanted = true;
      if (job->context) job->context->cancel();
      return true;
    }
  return false;
}

void Jobs::run() {
  while (true) {
    std::shared_ptr<Job> next;
    {
      std::unique_lock lock(mutex_);
      const auto find = [&] {
        const auto found =
            std::ranges::find_if(jobs_, [](const auto& job) { return job->status.state == State::waiting; });
        next = found == jobs_.end() ? nullptr : *found;
        return ending_ || next != nullptr;
      };
      changed_.wait(lock, find);
      if (ending_) return;
      next->status.state = State::running;
    }
    execute(*next);
  }
}

void Jobs::execute(Job& job) {
  Watcher watcher(*this, job);
  {
    const std::lock_guard lock(mutex_);
    job.context = std::make_unique<Context>(ContextOptions{.threads = threads_, .seed = seed_, .progress = &watcher});
    if (job.unwanted) job.context->cancel();
  }
  State state = State::done;
  std::string error;
  Json result;
  try {
    const Context::Scope scope(*job.context);
    Context::poll();
    result = job.work();
  } catch (const Cancelled&) {
    state = State::cancelled;
  } catch (const std::bad_alloc&) {
    state = State::failed;
    error = "out of memory";
  } catch (const std::exception& failure) {
    state = State::failed;
    error = failure.what();
  }
  Status told;
  {
    const std::lock_guard lock(mutex_);
    job.status.state = state;
    job.status.error = std::move(error);
    job.status.result = std::move(result);
    job.context.reset();
    job.work = nullptr;
    told = job.status;
  }
  tell(told);
}

void Jobs::tell(const Status& status) { bus_.tell("job", status.to_json()); }

}  // namespace wordbridge::studio
