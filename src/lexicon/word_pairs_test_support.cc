#include "lexicon/word_pairs_test_support.h"

#include <utility>

#include "io/memory_stream_test_support.h"

namespace wordbridge {

WordPairs pairs_of(std::string text) {
  MemoryStream stream(std::move(text), true, "lexicon.txt");
  return read_word_pairs(stream, {.lenient = true});
}

}  // namespace wordbridge
