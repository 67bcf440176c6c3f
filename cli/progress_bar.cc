#include "cli/progress_bar.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <utility>

namespace wordbridge::cli {

namespace {

constexpr double kFirstDrawing = 0.4;  // seconds from the start of a stage
constexpr double kBetweenDrawings = 0.1;
constexpr std::size_t kBarColumns = 24;

std::string clock_text(double seconds) {
  const auto whole = static_cast<std::uint64_t>(std::clamp(seconds, 0.0, 359999.0) + 0.5);
  if (whole < 3600) return fmt::format("{}:{:02}", whole / 60, whole % 60);
  return fmt::format("{}:{:02}:{:02}", whole / 3600, whole / 60 % 60, whole % 60);
}

/// The first `columns` characters, where each that UTF-8 encodes counts as one; control characters become blanks.
std::string cut_to(std::string_view text, std::size_t columns) {
  std::string result;
  for (const char c : text) {
    const bool starts_character = (static_cast<unsigned char>(c) & 0xC0) != 0x80;
    if (starts_character && columns-- == 0) break;
    result += static_cast<unsigned char>(c) < 32 ? ' ' : c;
  }
  return result;
}

}  // namespace

std::string short_count(double count) {
  static constexpr std::array<std::string_view, 5> suffixes = {"", "k", "M", "G", "T"};
  std::size_t power = 0;
  while (count >= 999.5 && power + 1 < suffixes.size()) {
    count /= 1000;
    ++power;
  }
  const int decimals = power == 0 || count >= 99.95 ? 0 : count >= 9.995 ? 1 : 2;
  return fmt::format("{:.{}f}{}", count, decimals, suffixes[power]);
}

std::string render_progress(std::string_view stage, std::uint64_t done, std::uint64_t total, std::string_view note,
                            double seconds, std::size_t width) {
  const double rate = seconds > 0 ? static_cast<double>(done) / seconds : 0;
  std::string line(stage);
  if (total > 0) {
    const double share = std::min(1.0, static_cast<double>(done) / static_cast<double>(total));
    const auto filled = static_cast<std::size_t>(share * kBarColumns);
    line +=
        fmt::format("  [{}{}] {:3.0f}%", std::string(filled, '#'), std::string(kBarColumns - filled, '-'), share * 100);
  } else {
    line += fmt::format("  {}", short_count(static_cast<double>(done)));
  }
  // A rate that would be shown as 0 says less than the time that is left.
  if (rate >= 9.95)
    line += fmt::format("  {}/s", short_count(rate));
  else if (rate >= 0.05)
    line += fmt::format("  {:.1f}/s", rate);
  if (total > 0 && rate > 0)
    line += fmt::format("  {} left", clock_text(static_cast<double>(total - std::min(done, total)) / rate));
  else
    line += fmt::format("  {}", clock_text(seconds));
  if (!note.empty()) line += fmt::format("  {}", note);
  return cut_to(line, width);
}

ProgressBar::ProgressBar(Write write, Width width, Clock clock)
    : write_(std::move(write)), width_(std::move(width)), clock_(std::move(clock)) {}

ProgressBar::~ProgressBar() { clear(); }

void ProgressBar::update(std::string_view stage, std::uint64_t done, std::uint64_t total, std::string_view note) {
  const double now = clock_();
  if (stage != stage_) {
    clear();
    stage_ = stage;
    stage_start_ = now;
  }
  if (now - stage_start_ < kFirstDrawing || (drawn_ && now - last_drawn_ < kBetweenDrawings)) return;
  // One column stays free: a terminal whose last one is written to may wrap.
  const std::size_t width = std::max<std::size_t>(width_(), 2) - 1;
  write_("\r" + render_progress(stage, done, total, note, now - stage_start_, width) + "\x1b[K");
  drawn_ = true;
  last_drawn_ = now;
}

void ProgressBar::finish(std::string_view) {
  clear();
  stage_.clear();
}

void ProgressBar::clear() {
  if (drawn_) write_("\r\x1b[K");
  drawn_ = false;
}

double ProgressBar::steady_seconds() {
  return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

}  // namespace wordbridge::cli
