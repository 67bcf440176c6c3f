#pragma once
#include <optional>
#include <string>
#include <string_view>

#include "base/atomic_file.h"

namespace wordbridge::cli {

class Session;

/// Text that goes to a file, which appears whole or not at all, or to standard output.
class TextOutput {
 public:
  /// Opens the file at once; an empty path and `-` are standard output. A process that is mute writes nothing.
  TextOutput(Session& session, const std::string& path);

  bool is_file() const { return file_.has_value(); }
  void write(std::string_view text);
  /// For whoever waits at the other end of a pipe.
  void flush();
  void finish();

 private:
  Session& session_;
  std::optional<AtomicFile> file_;
};

}  // namespace wordbridge::cli
