#include "wordbridge/error.h"

#include <system_error>
#include <utility>

namespace wordbridge {

namespace {
/// A NUL, which texts may bring with them, would end what() before its time.
std::string without_nul(std::string text) {
  for (std::size_t at = text.find('\0'); at != std::string::npos; at = text.find('\0', at))
    text.replace(at, 1, "\\x00");
  return text;
}

std::string located(const std::string& path, std::uint64_t line, const std::string& reason) {
  return without_nul(line == 0 ? path + ": " + reason : path + ":" + std::to_string(line) + ": " + reason);
}
}  // namespace

InputError::InputError(std::string path, std::uint64_t line, std::string reason)
    : Error(located(path, line, reason)), path_(std::move(path)), line_(line), reason_(std::move(reason)) {}

IoError::IoError(std::string path, std::string_view what, int error_number)
    : Error(path + ": " + std::string(what) + ": " + system_reason(error_number)),
      path_(std::move(path)),
      error_number_(error_number) {}

std::string system_reason(int error_number) { return std::generic_category().message(error_number); }

}  // namespace wordbridge
