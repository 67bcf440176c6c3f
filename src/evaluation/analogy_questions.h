#pragma once
#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "io/byte_stream.h"

namespace wordbridge {

/// Questions "a is to b as c is to what?", and the answer, by section.
///
/// Google's format: `: section` lines, and four words separated by blanks a line. Tab-separated files: four columns
/// (more are ignored), a heading line right before the first question, `# section` lines, where a section's name is one
/// word; other lines that begin with `#` are comments. A byte order mark, carriage returns and blank lines are
/// harmless.
struct AnalogyQuestions {
  /// a : b = c : d, where d is asked for.
  using Question = std::array<std::string, 4>;
  struct Section {
    std::string name;                 // empty: questions before any section
    std::vector<Question> questions;  // in file order

    /// By the custom of Google's set, whose sections about grammar have names like "gram3-comparative".
    bool syntactic() const { return name.starts_with("gram"); }
  };

  std::vector<Section> sections;    // those that have questions
  std::uint64_t skipped_lines = 0;  // lines that are no question, skipped by a lenient reader
  std::string first_skipped;        // the error that the first of them would have been

  std::size_t size() const;
  /// Adds the sections of another file.
  void append(AnalogyQuestions other);
};

/// Throws InputError for a line that is no question (unless `lenient`), and for a file without any.
AnalogyQuestions read_analogy_questions(const std::string& path, bool lenient = false);
AnalogyQuestions read_analogy_questions(ByteStream& stream, bool lenient = false);

}  // namespace wordbridge
