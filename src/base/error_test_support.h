#pragma once
#include <functional>
#include <string>

namespace wordbridge {

/// What reading gave: an error's text, or nothing. Anything but our errors escapes.
std::string input_error_of(const std::function<void()>& read);

}  // namespace wordbridge
