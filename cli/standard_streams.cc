#include "cli/standard_streams.h"

#include <fcntl.h>
#include <unistd.h>

#include <initializer_list>

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

}  // namespace wordbridge::cli
