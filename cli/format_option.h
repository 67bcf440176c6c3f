#pragma once
#include <string>

#include "wordbridge/vectors/formats.h"

namespace wordbridge::cli {

class Arguments;

/// The format of a file of vectors to be written.
class FormatOption {
 public:
  void declare(Arguments& arguments);
  /// The one asked for, else by the extension; UsageError where that says nothing.
  VectorFormat of(const std::string& path) const;

 private:
  std::string name_;
};

}  // namespace wordbridge::cli
