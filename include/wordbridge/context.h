#pragma once
#include <atomic>
#include <cstdint>
#include <memory>
#include <mutex>
#include <string>
#include <string_view>
#include <utility>

namespace wordbridge {
class ThreadPool;  // hidden
}

namespace [[gnu::visibility("default")]] wordbridge {

/// Watches long work. The library never prints: whoever wants a bar, a log or a cancel button derives from this.
/// All calls of one piece of work come from the thread that started it.
class Progress {
 public:
  virtual ~Progress() = default;

  /// `done` of `total` units (`total` 0: unknown) of the named stage are finished. `note` is a short remark for people.
  virtual void update(std::string_view stage, std::uint64_t done, std::uint64_t total, std::string_view note) = 0;
  /// One line for people, at once: something that the work can do without went wrong.
  virtual void warn(std::string_view /*line*/) {}
  /// The stage is over; its bar may go.
  virtual void finish(std::string_view stage) = 0;

  /// The observer that does nothing.
  static Progress& none();
};

struct ContextOptions {
  int threads = 0;               // 0: one for each core that this process may use
  std::uint64_t seed = 1;        // of everything that draws random numbers
  Progress* progress = nullptr;  // told how long work goes; nullptr: nobody. Must outlive the context
};

/// The surroundings of long work: its threads, its seed, who watches it, and whether it is still wanted. Work runs in
/// the context of the innermost Scope that is open on the thread that starts it, and in a default one where none is.
/// Several contexts may be in use at once, each on threads of its own.
class Context {
 public:
  explicit Context(const ContextOptions& options = {});
  ~Context();
  Context(const Context&) = delete;
  Context& operator=(const Context&) = delete;

  std::uint64_t seed() const { return options_.seed; }
  Progress& progress() const { return options_.progress != nullptr ? *options_.progress : Progress::none(); }
  /// Started when first asked for.
  ThreadPool& pool();

  /// Asks the work of this context to end: it throws Cancelled soon, and leaves nothing half-written. For any thread,
  /// and for signal handlers.
  void cancel() noexcept { cancelled_.store(true, std::memory_order_relaxed); }
  bool is_cancelled() const noexcept { return cancelled_.load(std::memory_order_relaxed); }

  /// That of the calling thread.
  static Context& current();
  /// Cancelled where the work of the current context is not wanted any more. To be called often in long loops; the
  /// thread pool does so between chunks.
  static void poll() {
    if (current_ != nullptr && current_->is_cancelled()) throw_cancelled();
  }

  /// While it lives, the context is that of the calling thread.
  class Scope {
   public:
    explicit Scope(Context& context) : outer_(current_) { current_ = &context; }
    ~Scope() { current_ = outer_; }
    Scope(const Scope&) = delete;
    Scope& operator=(const Scope&) = delete;

   private:
    Context* outer_;
  };

 private:
  [[noreturn]] static void throw_cancelled();

  static thread_local constinit Context* current_;  // nullptr: the default one

  ContextOptions options_;
  std::atomic<bool> cancelled_{false};
  std::once_flag started_;
  std::unique_ptr<ThreadPool> pool_;
};

/// A stage of long work, as the observer of the current context sees it: it begins with the first update(), and is over
/// when this goes.
class Stage {
 public:
  explicit Stage(std::string name) : name_(std::move(name)) {}
  ~Stage();
  Stage(const Stage&) = delete;
  Stage& operator=(const Stage&) = delete;

  /// `done` of `total` is done, or of nobody knows how much (0); `note` is a short remark for people. Polls for
  /// cancellation, too. To be called by the thread that started the work.
  void update(std::uint64_t done, std::uint64_t total, std::string_view note = {});

 private:
  std::string name_;
  bool begun_ = false;
};

}  // namespace wordbridge
