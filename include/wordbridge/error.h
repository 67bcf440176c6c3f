#pragma once
#include <cstdint>
#include <stdexcept>
#include <string>
#include <string_view>

namespace [[gnu::visibility("default")]] wordbridge {

/// Base of every error the library throws: what() is one line, fit to be shown to a user.
class Error : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// Bad input data: `path:line: reason`, or `path: reason` where no line applies (line 0).
class InputError : public Error {
 public:
  InputError(std::string path, std::uint64_t line, std::string reason);

  const std::string& path() const { return path_; }
  std::uint64_t line() const { return line_; }
  const std::string& reason() const { return reason_; }

 private:
  std::string path_;
  std::uint64_t line_;
  std::string reason_;
};

/// A wrong call: an option out of range, two that exclude each other, a mapping applied to vectors it does not fit.
class UsageError : public Error {
 public:
  using Error::Error;
};

/// The system refused: `path: what: reason`, such as `en.vec: cannot open: No such file or directory`.
class IoError : public Error {
 public:
  IoError(std::string path, std::string_view what, int error_number);
  const std::string& path() const { return path_; }
  int error_number() const { return error_number_; }  // errno

 private:
  std::string path_;
  int error_number_;
};

/// Somebody asked the work to end (Context::cancel()).
class Cancelled : public Error {
 public:
  Cancelled() : Error("cancelled") {}
};

/// The name of a system error, as in `strerror`, thread-safe.
std::string system_reason(int error_number);

}  // namespace wordbridge
