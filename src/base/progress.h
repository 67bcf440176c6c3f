#pragma once
#include <cstdint>
#include <string_view>

namespace wordbridge {

/// Watches long work. The library never prints: whoever wants a bar, a log or a cancel button derives from this.
/// All calls of one piece of work come from the thread that started it.
class Progress {
 public:
  virtual ~Progress() = default;

  /// `done` of `total` units (`total` 0: unknown) of the named stage are finished. `note` is a short remark for people.
  virtual void update(std::string_view stage, std::uint64_t done, std::uint64_t total, std::string_view note) = 0;
  /// The stage is over; its bar may go.
  virtual void finish(std::string_view stage) = 0;
  /// One line for people, at once: something that the work can do without went wrong.
  virtual void warn(std::string_view /*line*/) {}

  /// The observer that does nothing.
  static Progress& none();
};

}  // namespace wordbridge
