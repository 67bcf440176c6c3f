#include "cli/session.h"

#include <fmt/format.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstdlib>

#include "base/escaped_text.h"
#include "wordbridge/error.h"

namespace wordbridge::cli {

namespace {

std::size_t terminal_width() {
  winsize size{};
  if (::ioctl(STDERR_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col > 0) return size.ws_col;
  return 80;
}

bool bar_is_welcome() {
  const char* terminal = std::getenv("TERM");
  return ::isatty(STDERR_FILENO) == 1 && terminal != nullptr && std::string_view(terminal) != "dumb";
}

void to_stderr(std::string_view text) {
  std::fwrite(text.data(), 1, text.size(), stderr);
  std::fflush(stderr);
}

}  // namespace

Session::Session(const GlobalOptions& options)
    : options_(options),
      bar_(!options.quiet && !options.is_mute && bar_is_welcome()
               ? std::make_unique<ProgressBar>(to_stderr, terminal_width)
               : nullptr),
      context_({.threads = static_cast<int>(options.threads), .seed = options.seed, .progress = &watcher_}) {}

Session::~Session() = default;

void Session::note(std::string_view line) {
  if (!options_.quiet) message(line);
}

void Session::note_skipped(std::string_view line) {
  if (options_.quiet)
    warn(line);
  else
    note(line);
}

void Session::warn(std::string_view line) { message(fmt::format("wordbridge: warning: {}", line)); }

void Session::Watcher::update(std::string_view stage, std::uint64_t done, std::uint64_t total, std::string_view note) {
  if (session_.bar_) session_.bar_->update(stage, done, total, note);
}

void Session::Watcher::finish(std::string_view stage) {
  if (session_.bar_) session_.bar_->finish(stage);
}

void Session::message(std::string_view text) {
  if (options_.is_mute) return;
  if (bar_) bar_->clear();
  print_message(text);
}

void Session::print_message(std::string_view text) { to_stderr(escape_controls(text, Layout::escaped) + "\n"); }

void Session::print(std::string_view text) {
  if (options_.is_mute) return;
  if (bar_) bar_->clear();
  std::string shown;
  if (output_is_terminal()) {
    shown = escape_controls(text, Layout::kept);
    text = shown;
  }
  if (std::fwrite(text.data(), 1, text.size(), stdout) != text.size())
    throw IoError("standard output", "cannot write", errno);
}

void Session::flush() {
  if (std::fflush(stdout) != 0) throw IoError("standard output", "cannot write", errno);
}

bool Session::output_is_terminal() { return ::isatty(STDOUT_FILENO) == 1; }
bool Session::input_is_terminal() { return ::isatty(STDIN_FILENO) == 1; }

std::string duration_text(double seconds) {
  if (seconds < 10) return fmt::format("{:.2f} s", seconds);
  if (seconds < 99.95) return fmt::format("{:.1f} s", seconds);
  const auto whole = static_cast<std::uint64_t>(seconds + 0.5);
  return fmt::format("{}:{:02} min", whole / 60, whole % 60);
}

}  // namespace wordbridge::cli
