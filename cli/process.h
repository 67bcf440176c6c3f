#pragma once

namespace wordbridge::cli {

/// Where the caller has closed standard input, output or error, opens something in its place that cannot be used, lest
/// a file of ours gets its number and messages are written into it.
void occupy_standard_streams();

/// From here on SIGINT, SIGTERM, SIGHUP and SIGPIPE remove the temporary files of unfinished outputs before they end
/// the program, by the signal itself, so that shells see what happened (exit codes 130, 143, 129 and 141).
void clean_up_on_signals();

}  // namespace wordbridge::cli
