#include "evaluation/analogy_questions.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>

#include "evaluation/fields.h"
#include "io/lines.h"
#include "wordbridge/error.h"

namespace wordbridge {

namespace {

/// Puts lines where they belong.
class QuestionsBuilder {
 public:
  /// The reason why the line is no question, where it is none and nothing else either.
  std::string add(std::string_view line) {
    if (line.find('\0') != std::string_view::npos) return "a NUL byte: not a text file in UTF-8";
    const std::string_view text = trim(line);
    if (text.empty()) return {};
    if (text.front() == ':') {
      begin_section(trim(text.substr(1)));
      return {};
    }
    const bool tabbed = text.find('\t') != std::string_view::npos;
    if (text.front() == '#' && !tabbed) {
      if (const auto words = split_at_blanks(text.substr(1)); words.size() == 1) begin_section(words.front());
      return {};
    }
    const std::vector<std::string_view> words = tabbed ? split_at(text, '\t') : split_at_blanks(text);
    const bool enough = tabbed ? words.size() >= 4 : words.size() == 4;
    if (!enough || std::find(words.begin(), words.begin() + 4, "") != words.begin() + 4)
      return fmt::format("four words are wanted, {} are there", words.size() - std::ranges::count(words, ""));
    if (tabbed && !seen_tabbed_ && is_heading(words)) {
      seen_tabbed_ = true;
      return {};
    }
    seen_tabbed_ = seen_tabbed_ || tabbed;
    if (sections_.empty()) begin_section("");
    AnalogyQuestions::Question question;
    std::copy_n(words.begin(), 4, question.begin());
    sections_.back().questions.push_back(std::move(question));
    return {};
  }

  std::vector<AnalogyQuestions::Section> take() {
    std::erase_if(sections_, [](const auto& section) { return section.questions.empty(); });
    return std::move(sections_);
  }

 private:
  void begin_section(std::string_view name) { sections_.push_back({std::string(name), {}}); }

  /// "a1 a2 b1 b2", "word1 word2 word3 target": names of columns, where numbers tell some of them apart.
  static bool is_heading(const std::vector<std::string_view>& words) {
    return std::ranges::count_if(words.begin(), words.begin() + 4,
                                 [](std::string_view word) { return word.back() >= '1' && word.back() <= '4'; }) >= 3;
  }

  std::vector<AnalogyQuestions::Section> sections_;
  bool seen_tabbed_ = false;
};

}  // namespace

std::size_t AnalogyQuestions::size() const {
  std::size_t count = 0;
  for (const Section& section : sections) count += section.questions.size();
  return count;
}

void AnalogyQuestions::append(AnalogyQuestions other) {
  std::ranges::move(other.sections, std::back_inserter(sections));
  if (skipped_lines == 0) first_skipped = std::move(other.first_skipped);
  skipped_lines += other.skipped_lines;
}

AnalogyQuestions read_analogy_questions(ByteStream& stream, bool lenient) {
  AnalogyQuestions result;
  QuestionsBuilder builder;
  LineReader lines(stream, "a set of analogies");
  while (const auto line = lines.next()) {
    const std::string reason = builder.add(*line);
    if (reason.empty()) continue;
    InputError error(stream.path(), lines.number(), reason);
    if (!lenient) throw error;
    if (result.skipped_lines++ == 0) result.first_skipped = error.what();
  }
  result.sections = builder.take();
  if (result.sections.empty()) throw InputError(stream.path(), 0, "no analogy in it");
  return result;
}

AnalogyQuestions read_analogy_questions(const std::string& path, bool lenient) {
  const auto stream = open_bytes(path);
  return read_analogy_questions(*stream, lenient);
}

}  // namespace wordbridge
