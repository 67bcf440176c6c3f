#include <fmt/format.h>

#include <optional>
#include <set>

#include "base/json.h"
#include "base/wording.h"
#include "cli/commands/command.h"
#include "cli/mapped_vectors.h"
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
#include "wordbridge/prepared_space.h"

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

/// What a prepared space holds, for people.
std::string prepared_to_text(const PreparedSpace& prepared, const std::string& name) {
  const CommonSpace& space = prepared.space();
  const Json about = Json::parse(prepared.describe_json());
  const auto side = [&](Side which) {
    return fmt::format("{} {}, {} words", name_of(which), prepared.name(which), space.size(which));
  };
  std::string text = fmt::format(
      "{}: a prepared space of {} dimensions{}, {:.0f} MB\n  {}\n  {}\n  ranks by {}; lists of {} and {} nearest "
      "words\n",
      file_name(name), space.dimension(), prepared.is_half() ? " in float16" : "",
      about.at("bytes").get<double>() / 1e6, side(Side::source), side(Side::target), space.criterion(),
      about.at("source").at("listed").get<std::uint64_t>(), about.at("target").at("listed").get<std::uint64_t>());
  if (prepared.mapping()) text += "made with\n" + mapping_to_text(*prepared.mapping(), "its mapping");
  return text;
}

/// Shows what is in a file of vectors, in a mapping or in a prepared space.
class InspectCommand final : public Command {
 public:
  void declare(Arguments& arguments) override {
    file_.declare(arguments, "file", "Vectors in any known format, a mapping (.wbmap) or a prepared space (.wbspace)");
    arguments.heading("Output");
    arguments.flag("--json", json_, "Print JSON");
    arguments.text("--lexicon", lexicon_, "FILE", "Also say how many words of each column of this lexicon there are");
    arguments.flag("--check", check_, "Compare all of a prepared space with its checksums");
    options_.declare(arguments, "all");
  }

  ExitCode run(Session& session) override {
    require_one_standard_input({file_.path, lexicon_});
    if (file_.format.empty() && names_prepared_space(file_.path)) {
      inspect_prepared(session);
      return ExitCode::success;
    }
    if (check_)
      throw UsageError(
          "--check is for prepared spaces: other files are compared with their checksums as they are read");
    if (file_.format.empty() && can_be_read_twice(file_.path) && !names_many_files(file_.path) &&
        looks_like_mapping(open_bytes(file_.path)->peek(64)))
      inspect_mapping(session);
    else
      inspect_vectors_file(session);
    return ExitCode::success;
  }

 private:
  void inspect_prepared(Session& session) const {
    if (!lexicon_.empty()) throw UsageError("--lexicon goes with vectors, and this is a prepared space");
    const PreparedSpace prepared(file_.path);
    if (check_) prepared.check();
    session.print(json_ ? Json::parse(prepared.describe_json()).dump(2) + "\n"
                        : prepared_to_text(prepared, file_.path) + (check_ ? "all checksums match\n" : ""));
  }

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
  bool json_ = false, check_ = false;
};

}  // namespace

CommandEntry inspect_command() {
  return {"inspect", "Show what is in a file of vectors, a mapping or a prepared space",
          "  wordbridge inspect wiki.en.vec --lexicon en-es.txt\n"
          "  wordbridge inspect en-es.wbmap --json\n"
          "  wordbridge inspect en-es.wbspace --check",
          make_command<InspectCommand>};
}

}  // namespace wordbridge::cli
