#include "base/error_test_support.h"

#include "wordbridge/error.h"

namespace wordbridge {

std::string input_error_of(const std::function<void()>& read) {
  try {
    read();
  } catch (const Error& error) {
    return error.what();
  }
  return {};
}

}  // namespace wordbridge
