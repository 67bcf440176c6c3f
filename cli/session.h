#pragma once
#include <chrono>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

#include "cli/progress_bar.h"
#include "wordbridge/context.h"

namespace wordbridge::cli {

/// Options that every command has.
struct GlobalOptions {
  bool quiet = false;         // no progress, no notes; warnings and errors stay
  std::uint64_t threads = 0;  // 0: one for each core
  std::uint64_t seed = 1;     // of everything that draws random numbers
  bool is_mute = false;       // says and prints nothing: another process of the job speaks for it
};

/// What a command talks through: results go to standard output, everything else to standard error.
class Session {
 public:
  explicit Session(const GlobalOptions& options);
  ~Session();

  const GlobalOptions& options() const { return options_; }
  /// A line that tells how the work goes; --quiet drops it.
  void note(std::string_view line);
  /// A note that tells what was left out though it was in a file: --quiet makes a warning of it.
  void note_skipped(std::string_view line);
  /// `wordbridge: warning: ...`, always.
  void warn(std::string_view line);
  /// What the options ask for; work is watched by a bar where standard error is a terminal and --quiet is not given.
  Context& context() { return context_; }

  /// Writes a result. Throws Error where it cannot be written. On a terminal, which would obey them, control characters
  /// of words are shown escaped; files and pipes get them as they are.
  void print(std::string_view text);
  void flush();
  /// One line on standard error, whatever the text holds: control characters, which file names and words may bring with
  /// them, are escaped.
  static void print_message(std::string_view text);
  /// Whether a person reads the results.
  static bool output_is_terminal();
  static bool input_is_terminal();

 private:
  void message(std::string_view text);

  /// What the library is watched by: the bar, and warnings that come as it works.
  class Watcher final : public Progress {
   public:
    explicit Watcher(Session& session) : session_(session) {}
    void update(std::string_view stage, std::uint64_t done, std::uint64_t total, std::string_view note) override;
    void finish(std::string_view stage) override;
    void warn(std::string_view line) override { session_.warn(line); }

   private:
    Session& session_;
  };

  GlobalOptions options_;
  std::unique_ptr<ProgressBar> bar_;
  Watcher watcher_{*this};
  Context context_;
};

/// A time as people read it: "0.42 s", "12.3 s", "3:05 min".
std::string duration_text(double seconds);

/// The time since it was made.
class Stopwatch {
 public:
  double seconds() const { return std::chrono::duration<double>(std::chrono::steady_clock::now() - start_).count(); }
  std::string to_text() const { return duration_text(seconds()); }

 private:
  std::chrono::steady_clock::time_point start_ = std::chrono::steady_clock::now();
};

}  // namespace wordbridge::cli
