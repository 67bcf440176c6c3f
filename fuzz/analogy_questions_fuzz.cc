// Any bytes are a set of analogies or an InputError; questions that are written come back as they were.
#include <cstdint>
#include <cstdlib>
#include <string>

#include "evaluation/analogy.h"
#include "io/memory_stream_test_support.h"
#include "wordbridge/error.h"

using namespace wordbridge;

namespace {

void require(bool holds) {
  if (!holds) std::abort();
}

AnalogyQuestions read(std::string text, bool lenient) {
  MemoryStream stream(std::move(text));
  return read_analogy_questions(stream, lenient);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string text(reinterpret_cast<const char*>(data), size);
  try {
    const AnalogyQuestions lenient = read(text, true);
    require(lenient.size() > 0);
    std::string written = "1\t2\t3\t4\n";  // a heading, so that no question passes for one
    for (const AnalogyQuestions::Section& section : lenient.sections)
      for (const AnalogyQuestions::Question& question : section.questions) {
        for (const std::string& word : question)
          require(!word.empty() && word.find_first_of("\t\n") == std::string::npos);
        if (question[0].front() == ':') return 0;  // would begin a section
        written += question[0] + '\t' + question[1] + '\t' + question[2] + '\t' + question[3] + '\n';
      }
    require(read(written, false).size() == lenient.size());
    try {
      require(read(text, false).size() == lenient.size());
      require(lenient.skipped_lines == 0);
    } catch (const InputError&) {
      require(lenient.skipped_lines > 0);
    }
  } catch (const InputError&) {
  }
  return 0;
}
