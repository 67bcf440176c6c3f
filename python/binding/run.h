#pragma once
#include <pybind11/pybind11.h>

#include <cstdint>
#include <functional>
#include <optional>
#include <type_traits>
#include <utility>

namespace wordbridge::python {

/// How long work is to be done for Python: its threads, its seed, who watches it. The work itself runs on a thread of
/// its own, without the interpreter; the calling thread looks at signals meanwhile, hands on what the work tells, and
/// cancels it where Ctrl-C was pressed or a callback failed.
class Run {
 public:
  /// `progress`: called as progress(stage, done, total, note) while a stage goes on, and progress(stage, None, None,
  /// "") when it is over; None: nobody watches.
  Run(std::int64_t threads, std::uint64_t seed, pybind11::object progress);

  std::uint64_t seed() const { return seed_; }

  /// What the work gives. It must not touch Python objects.
  template <class Work>
  auto operator()(const Work& work) const {
    using Result = std::invoke_result_t<const Work&>;
    if constexpr (std::is_void_v<Result>) {
      execute(work);
    } else {
      std::optional<Result> result;
      execute([&] { result.emplace(work()); });
      return std::move(*result);
    }
  }

 private:
  void execute(const std::function<void()>& work) const;

  int threads_;
  std::uint64_t seed_;
  pybind11::object progress_;
};

/// A warning of Python (wordbridge.WordbridgeWarning), which may be turned into an exception there.
void warn(const std::string& line);

void bind_run(pybind11::module_& module);

}  // namespace wordbridge::python
