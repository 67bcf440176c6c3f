#include <fmt/format.h>

#include <optional>
#include <set>

#include "base/json.h"
#include "base/wording.h"
#include "cli/commands/command.h"
#include "cli/options/arguments.h"
#include "cli/options/vector_options.h"
#include "cli/paths.h"
#include "cli/report/inspection_report.h"
#include "cli/report/mapping_report.h"
#include "io/byte_stream.h"
#include "lexicon/word_pairs.h"
#include "mapping/mapping_format.h"
#include "vectors/formats/item_table.h"
#include "vectors/inspection.h"
#include "wordbridge/error.h"

namespace wordbridge::cli {

namespace {

/// How many words of one column of a lexicon a vocabulary has.
struct ColumnCoverage {
  std::size_t words = 0, found = 0;

  std::string to_text() const { return fmt::format("{} of {}", found, counted(words, "word")); }
};

ColumnCoverage cover(const WordPairs& pairs, std::string WordPairs::Pair::*column, const Vocabulary& vocabulary) {
  std::set<std::string_view> words;
  for (const auto& pair : pairs.pairs) words.insert(pair.*column);
  ColumnCoverage coverage{.words = words.size()};
  for (const std::string_view word : words) coverage.found += vocabulary.contains(word) ? 1 : 0;
  return coverage;
}

/// Shows what is in a file of vectors, or in a mapping.
class InspectCommand final : public Command {
 public:
  void declare(Arguments& arguments) override {
    file_.declare(arguments, "file", "Vectors in any known format, or a mapping (.wbmap)");
    arguments.heading("Output");
    arguments.flag("--json", json_, "Print JSON");
    arguments.text("--lexicon", lexicon_, "FILE", "Also say how many words of each column of this lexicon there are");
    options_.declare(arguments, "all");
  }

  ExitCode run(Session& session) override {
    require_one_standard_input({file_.path, lexicon_});
    if (file_.format.empty() && can_be_read_twice(file_.path) && !names_many_files(file_.path) &&
        looks_like_mapping(open_bytes(file_.path)->peek(64)))
      inspect_mapping(session);
    else
      inspect_vectors_file(session);
    return ExitCode::success;
  }

 private:
  void inspect_mapping(Session& session) const {
    if (!lexicon_.empty()) throw UsageError("--lexicon goes with vectors, and this is a mapping");
    const Mapping mapping = read_mapping(file_.path);
    session.print(json_ ? mapping_to_json(mapping) : mapping_to_text(mapping, file_.path));
  }

  void inspect_vectors_file(Session& session) const {
    std::optional<WordPairs> pairs;
    if (!lexicon_.empty()) pairs = read_word_pairs(lexicon_, {.lenient = options_.lenient});
    const WordVectors vectors = load_vectors(session, file_, options_, 0);
    const Inspection inspection = inspect_vectors(vectors, {.seed = session.options().seed});
    ColumnCoverage first, second;
    if (pairs) {
      first = cover(*pairs, &WordPairs::Pair::source, vectors.vocabulary());
      second = cover(*pairs, &WordPairs::Pair::target, vectors.vocabulary());
    }
    if (json_) {
      auto json = Json::parse(to_json(inspection));
      if (pairs)
        json["lexicon"] = {{"name", lexicon_},
                           {"first_column", {{"words", first.words}, {"found", first.found}}},
                           {"second_column", {{"words", second.words}, {"found", second.found}}}};
      session.print(json.dump(2) + "\n");
    } else {
      session.print(to_text(inspection));
      if (pairs)
        session.print(fmt::format("lexicon {}: {} of the first column, {} of the second\n", lexicon_, first.to_text(),
                                  second.to_text()));
    }
  }

  VectorFile file_;
  VectorOptions options_;
  std::string lexicon_;
  bool json_ = false;
};

}  // namespace

CommandEntry inspect_command() {
  return {"inspect", "Show what is in a file of vectors, or in a mapping",
          "  wordbridge inspect wiki.en.vec --lexicon en-es.txt\n"
          "  wordbridge inspect en-es.wbmap --json",
          make_command<InspectCommand>};
}

}  // namespace wordbridge::cli
