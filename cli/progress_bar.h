#pragma once
#include <cstdint>
#include <functional>
#include <string>
#include <string_view>

#include "wordbridge/context.h"

namespace wordbridge::cli {

/// One line of a progress bar, at most `width` columns: `reading en.vec  [#####-----]  45%  12.3M/s  0:07 left  note`.
/// Without a known total there is no bar, but what is done, the rate and the time passed.
std::string render_progress(std::string_view stage, std::uint64_t done, std::uint64_t total, std::string_view note,
                            double seconds, std::size_t width);

/// A count as people read it: "512", "12.3k", "4.56M".
std::string short_count(double count);

/// Draws the running stage on the last line of a terminal, ten times a second at most, and takes it off when it is
/// over. Work that is over sooner than it takes to read a line shows nothing.
class ProgressBar final : public Progress {
 public:
  using Write = std::function<void(std::string_view)>;
  using Width = std::function<std::size_t()>;
  using Clock = std::function<double()>;  // seconds since whenever

  ProgressBar(Write write, Width width, Clock clock = steady_seconds);
  ~ProgressBar() override;

  void update(std::string_view stage, std::uint64_t done, std::uint64_t total, std::string_view note) override;
  void finish(std::string_view stage) override;
  /// Takes the bar off the line, for others to write on.
  void clear();

  static double steady_seconds();

 private:
  Write write_;
  Width width_;
  Clock clock_;
  std::string stage_;
  double stage_start_ = 0, last_drawn_ = 0;
  bool drawn_ = false;
};

}  // namespace wordbridge::cli
