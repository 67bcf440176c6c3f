#include "wordbridge/context.h"

#include "parallel/thread_pool.h"
#include "wordbridge/error.h"

namespace wordbridge {

thread_local constinit Context* Context::current_ = nullptr;

Context::Context(const ContextOptions& options) : options_(options) {}
Context::~Context() = default;

ThreadPool& Context::pool() {
  std::call_once(started_, [&] { pool_ = std::make_unique<ThreadPool>(options_.threads); });
  return *pool_;
}

Context& Context::current() {
  static Context usual;
  return current_ != nullptr ? *current_ : usual;
}

void Context::throw_cancelled() { throw Cancelled(); }

Stage::~Stage() {
  if (!begun_) return;
  try {
    Context::current().progress().finish(name_);
  } catch (...) {  // an observer that fails now has nobody left to tell
  }
}

void Stage::update(std::uint64_t done, std::uint64_t total, std::string_view note) {
  Context::poll();
  begun_ = true;
  Context::current().progress().update(name_, done, total, note);
}

namespace {
class Silent final : public Progress {
 public:
  void update(std::string_view, std::uint64_t, std::uint64_t, std::string_view) override {}
  void finish(std::string_view) override {}
};
}  // namespace

Progress& Progress::none() {
  static Silent silent;
  return silent;
}

}  // namespace wordbridge
