#pragma once
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "io/byte_stream.h"
#include "io/lines.h"

namespace wordbridge::cli {

/// Words, one a line, of a file or of standard input. Those of standard input come as they arrive: what is there at
/// once makes one batch, so that a file is translated in few calls, and someone who types (or a program that waits for
/// each answer) is answered at once.
class WordInput {
 public:
  /// An empty path and `-` are standard input. Opens a file at once.
  explicit WordInput(const std::string& path);
  ~WordInput();

  bool is_file() const { return stream_ != nullptr; }
  /// The next batch; empty at the end.
  std::vector<std::string> next();

 private:
  std::vector<std::string> next_of_file();
  void take_lines(std::vector<std::string>& words);

  std::unique_ptr<ByteStream> stream_;
  std::unique_ptr<LineReader> reader_;
  std::string pending_;
  std::uint64_t lines_ = 0;  // taken so far
  bool ended_ = false;
};

}  // namespace wordbridge::cli
