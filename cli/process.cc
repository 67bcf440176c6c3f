#include "cli/process.h"

#include <fcntl.h>
#include <signal.h>
#include <unistd.h>

#include <initializer_list>

#include "base/atomic_file.h"

namespace wordbridge::cli {

void occupy_standard_streams() {
  // Descriptors are given out from the lowest, so that each open() takes the number that is free. Reading from the one
  // in the place of standard input fails, as does writing results to the one in the place of standard output; what
  // would have gone to standard error is lost, as the caller wished.
  for (const int descriptor : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO}) {
    if (::fcntl(descriptor, F_GETFD) >= 0) continue;
    [[maybe_unused]] const int opened = ::open("/dev/null", descriptor == STDOUT_FILENO ? O_RDONLY : O_WRONLY);
  }
}

namespace {

// Only what is async-signal-safe.
void end_by_signal(int number) {
  AtomicFile::remove_all_temporaries();
  if (::isatty(STDERR_FILENO) == 1) {
    constexpr char clear_line[] = "\r\x1b[K";
    [[maybe_unused]] const ssize_t written = ::write(STDERR_FILENO, clear_line, sizeof(clear_line) - 1);
  }
  // SA_RESETHAND has restored the default action, and SA_NODEFER lets the signal through. The first process of a
  // container survives it, hence the exit.
  ::raise(number);
  ::_exit(128 + number);
}

}  // namespace

void clean_up_on_signals() {
  struct sigaction action {};
  action.sa_handler = end_by_signal;
  action.sa_flags = static_cast<int>(SA_RESETHAND | SA_NODEFER);
  for (const int number : {SIGINT, SIGTERM, SIGHUP, SIGPIPE}) {
    struct sigaction before {};
    // Under nohup, or in the background of an old shell, the caller wants these ignored.
    const bool ignored = ::sigaction(number, nullptr, &before) == 0 && before.sa_handler == SIG_IGN;
    if (!ignored || number == SIGPIPE) ::sigaction(number, &action, nullptr);
  }
}

}  // namespace wordbridge::cli
