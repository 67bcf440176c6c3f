#pragma once
#include <cstdint>
#include <string>

namespace wordbridge::cli {

class Arguments;

/// What the methods of `align` that take long share.
struct TrainingOptions {
  static constexpr const char* kHeading = "Training (rcsls and the methods without a lexicon)";
  void declare(Arguments& arguments);

  std::string validation;  // file
  std::string log;         // file
  std::string checkpoint;  // folder
  bool resume = false;
};

/// What the methods share that learn without a lexicon.
struct RestartChoice {
  static constexpr const char* kHeading = "Methods without a lexicon";
  void declare(Arguments& arguments);

  std::uint64_t restarts = 3;
  double min_evidence = 0.3;
};

}  // namespace wordbridge::cli
