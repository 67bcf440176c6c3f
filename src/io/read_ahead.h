#pragma once
#include <cstddef>
#include <functional>
#include <memory>

namespace wordbridge {

/// Pulls bytes on a thread of its own, a few blocks ahead of whoever reads them: decompression and parsing overlap.
class ReadAhead {
 public:
  /// Up to so many bytes; 0 at the end; may throw.
  using Pull = std::function<std::size_t(char* buffer, std::size_t bytes)>;

  explicit ReadAhead(Pull pull);
  /// Waits for the pull under way.
  ~ReadAhead();
  ReadAhead(const ReadAhead&) = delete;
  ReadAhead& operator=(const ReadAhead&) = delete;

  /// Up to `bytes` bytes, 0 at the end. What the pull threw is thrown here, in its place among the bytes.
  std::size_t read(char* buffer, std::size_t bytes);
  /// No further pull begins.
  void stop();

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace wordbridge
