#pragma once

namespace wordbridge::cli {

/// From here on SIGINT, SIGTERM, SIGHUP and SIGPIPE remove the temporary files of unfinished outputs before they end
/// the program, by the signal itself, so that shells see what happened (exit codes 130, 143, 129 and 141).
void clean_up_on_signals();

}  // namespace wordbridge::cli
