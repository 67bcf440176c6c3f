#pragma once

namespace wordbridge::cli {

/// Where the caller has closed standard input, output or error, opens something in its place that cannot be used, lest
/// a file of ours gets its number and messages are written into it.
void occupy_standard_streams();

}  // namespace wordbridge::cli
