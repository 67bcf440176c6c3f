// Any bytes are a lexicon or an InputError; the counts add up, and pairs that are written come back as they were, also
// words with tabs and line breaks, which files hold escaped.
#include <cstdint>
#include <cstdlib>
#include <string>

#include "io/memory_stream_test_support.h"
#include "lexicon/word_pairs.h"
#include "wordbridge/error.h"

using namespace wordbridge;

namespace {

void require(bool holds) {
  if (!holds) std::abort();
}

WordPairs read(std::string text, const WordPairOptions& options) {
  MemoryStream stream(std::move(text));
  return read_word_pairs(stream, options);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string text(reinterpret_cast<const char*>(data), size);
  for (const bool drop_identical : {false, true}) {
    try {
      const WordPairs lenient = read(text, {.drop_identical = drop_identical, .lenient = true});
      require(lenient.lines == lenient.pairs.size() + lenient.duplicates + lenient.identical);
      std::string written = "# a comment, so that nothing passes for a byte order mark\n";
      for (const WordPairs::Pair& pair : lenient.pairs) {
        require(!pair.source.empty() && !pair.target.empty());
        require(!drop_identical || pair.source != pair.target);
        written += to_line(pair);
      }
      require(read(written, {}).pairs == lenient.pairs);
      try {
        require(read(text, {.drop_identical = drop_identical}).pairs == lenient.pairs);
        require(lenient.skipped_lines == 0);
      } catch (const InputError&) {
        require(lenient.skipped_lines > 0);
      }
    } catch (const InputError&) {
    }
  }
  return 0;
}
