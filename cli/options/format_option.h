#pragma once
#include <string>

#include "wordbridge/formats.h"

namespace wordbridge::cli {

class Arguments;

/// The format of a file of vectors to be written.
class FormatOption {
 public:
  enum class Models { none, fasttext };
  /// With Models::fasttext, the model that was read can be asked for too.
  void declare(Arguments& arguments, Models models = Models::none);
  /// The one asked for, else by the extension; UsageError where that says nothing.
  VectorFormat of(const std::string& path) const;
  /// Whether a fastText model is to be written: where that is asked for, or nothing is and the path ends as models do.
  bool wants_model(const std::string& path) const;
  bool is_given() const { return !name_.empty(); }

 private:
  std::string name_;
};

}  // namespace wordbridge::cli
