#pragma once
#include <map>
#include <string>
#include <vector>

#include "wordbridge/lexicon.h"
#include "wordbridge/mapping.h"
#include "wordbridge/option_info.h"
#include "wordbridge/word_vectors.h"

namespace [[gnu::visibility("default")]] wordbridge {

/// How to align. Options go by their names, which methods() lists and `wordbridge align --help` shows:
///   {.method = "rcsls", .options = {{"learning-rate", 10}, {"constraint", "spectral"}}}
struct AlignOptions {
  std::string method = "auto";
  std::map<std::string, OptionValue> options = {};
  std::string normalization = {};  // "unit,center"; empty: the method's
};

/// Learns a mapping: from two tables of vectors as they were read, and a lexicon (an empty one for methods that learn
/// without). Move the vectors in where they are not needed afterwards. The seed is that of the current context.
Mapping align(WordVectors source, WordVectors target, const Lexicon& lexicon, const AlignOptions& options = {});

/// A method of alignment, as front ends (command line, Python) offer it.
struct MethodInfo {
  std::string name;
  std::string summary;        // a few words
  std::string normalization;  // where none is asked for
  std::string criterion;      // the retrieval that goes with it
  bool needs_lexicon = true;  // methods that do not, take none
  std::vector<OptionInfo> options;
};

/// All methods, the default first.
std::vector<MethodInfo> methods();

}  // namespace wordbridge
