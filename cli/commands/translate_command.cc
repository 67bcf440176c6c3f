#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <nlohmann/json.hpp>

#include "base/error.h"
#include "base/escaped_text.h"
#include "cli/commands/command.h"
#include "cli/mapped_vectors.h"
#include "cli/options/arguments.h"
#include "cli/options/retrieval_options.h"
#include "io/line_limit.h"
#include "retrieval/translate.h"

namespace wordbridge::cli {

namespace {

/// The words on standard input, one a line, as they come: those that are there at once make one batch, so that a file
/// is translated in few calls, and someone who types (or a program that waits for each answer) is answered at once.
class WordInput {
 public:
  /// The next batch; empty at the end.
  std::vector<std::string> next() {
    std::vector<std::string> words;
    while (words.empty() && !ended_) {
      char piece[65536];
      const ssize_t got = ::read(STDIN_FILENO, piece, sizeof(piece));
      if (got < 0 && errno == EINTR) continue;
      if (got < 0) throw IoError("standard input", "cannot read", errno);
      ended_ = got == 0;
      if (pending_.size() > kMostLineBytes) throw line_too_long("standard input", lines_ + 1, "a list of words");
      pending_.append(piece, static_cast<std::size_t>(got));
      if (ended_) pending_ += '\n';
      take_lines(words);
    }
    return words;
  }

 private:
  void take_lines(std::vector<std::string>& words) {
    std::size_t begin = 0;
    for (std::size_t end = pending_.find('\n'); end != std::string::npos; end = pending_.find('\n', begin)) {
      const std::string word = trimmed(std::string_view(pending_).substr(begin, end - begin));
      if (!word.empty()) words.push_back(word);
      ++lines_;
      begin = end + 1;
    }
    pending_.erase(0, begin);
  }

  static std::string trimmed(std::string_view line) {
    constexpr std::string_view blanks = " \t\r";
    const std::size_t begin = line.find_first_not_of(blanks);
    if (begin == std::string_view::npos) return {};
    return std::string(line.substr(begin, line.find_last_not_of(blanks) - begin + 1));
  }

  std::string pending_;
  std::uint64_t lines_ = 0;  // taken so far
  bool ended_ = false;
};

/// Prints translations: for people, for programs that cut lines, or as JSON.
class TranslationPrinter {
 public:
  enum class Style { people, tab_separated, json };
  TranslationPrinter(Session& session, Style style) : session_(session), style_(style) {}

  void print(const Translations& translations) {
    switch (style_) {
      case Style::people:
        return print_for_people(translations);
      case Style::tab_separated:
        return print_lines(translations);
      case Style::json:
        return print_json(translations);
    }
  }
  /// Closes what is open.
  void finish() {
    if (style_ == Style::json) session_.print(first_ ? "[]\n" : "\n]\n");
  }

 private:
  void print_for_people(const Translations& translations) {
    if (translations.candidates.empty()) return;
    const bool respelled =
        translations.origin == Translations::Origin::vocabulary && translations.word != translations.query;
    const char* by_subwords = translations.origin == Translations::Origin::subwords ? " (by its subwords)" : "";
    std::string text = fmt::format("{}{}{}\n", translations.query,
                                   respelled ? fmt::format(" ({})", translations.word) : "", by_subwords);
    for (const auto& candidate : translations.candidates)
      text += fmt::format("  {:7.4f}  {}\n", candidate.score, candidate.word);
    session_.print(text);
  }

  void print_lines(const Translations& translations) {
    std::size_t rank = 0;
    for (const auto& candidate : translations.candidates)
      session_.print(fmt::format("{}\t{}\t{}\t{:.6f}\n", escape_field(translations.query), ++rank,
                                 escape_field(candidate.word), candidate.score));
  }

  /// One array whose elements are lines, so that it can be read as it grows.
  void print_json(const Translations& translations) {
    using Origin = Translations::Origin;
    nlohmann::ordered_json candidates = nlohmann::ordered_json::array();
    for (const auto& candidate : translations.candidates)
      candidates.push_back({{"word", candidate.word}, {"score", candidate.score}});
    const nlohmann::ordered_json object = {{"query", translations.query},
                                           {"word", translations.word},
                                           {"origin", translations.origin == Origin::vocabulary ? "vocabulary"
                                                      : translations.origin == Origin::subwords ? "subwords"
                                                                                                : "unknown"},
                                           {"translations", std::move(candidates)}};
    session_.print(first_ ? "[\n" : ",\n");
    session_.print(object.dump(-1, ' ', false, nlohmann::ordered_json::error_handler_t::replace));
    first_ = false;
  }

  Session& session_;
  Style style_;
  bool first_ = true;
};

/// Translates words of the source language.
class TranslateCommand final : public Command {
 public:
  void declare(Arguments& arguments) override {
    inputs_.declare(arguments, MappedInputs::MappingArgument::required);
    arguments.list("words", words_, 0, 1 << 28, "[words...]",
                   "Words to translate (default: standard input, one a line)");
    arguments.heading("Output");
    arguments.number("-n,--count", count_, 1, 1 << 20, "Translations of each word (default: 5)");
    arguments.flag("--json", json_, "Print JSON: an array with one object a line");
    retrieval_.declare(arguments);
    arguments.choice("--case", case_policy_, {"exact", "lower", "title"},
                     "What to try for words not found as written: nothing, lower case, then title "
                     "case (default: title)");
  }

  ExitCode run(Session& session) override {
    const Mapping mapping = inputs_.open({words_.empty() ? "-" : ""});
    retrieval_.settle(mapping);
    const CommonSpace space = inputs_.load(session, mapping);
    const Translator translator(space, {.criterion = retrieval_.criterion(),
                                        .criterion_options = retrieval_.options_for(session, space),
                                        .case_policy = parse_case_policy(case_policy_)});
    using Style = TranslationPrinter::Style;
    TranslationPrinter printer(session, json_                           ? Style::json
                                        : Session::output_is_terminal() ? Style::people
                                                                        : Style::tab_separated);
    if (!words_.empty())
      translate(session, translator, printer, words_);
    else
      translate_input(session, translator, printer);
    printer.finish();
    return asked_ > 0 && translated_ == 0 ? ExitCode::failure : ExitCode::success;
  }

 private:
  void translate_input(Session& session, const Translator& translator, TranslationPrinter& printer) {
    const bool typed = Session::input_is_terminal();
    if (typed) session.note("Type words, one a line; Ctrl-D ends.");
    WordInput input;
    for (auto words = input.next(); !words.empty(); words = input.next()) {
      translate(session, translator, printer, words);
      session.flush();
    }
  }

  void translate(Session& session, const Translator& translator, TranslationPrinter& printer,
                 const std::vector<std::string>& words) {
    for (const Translations& translations : translator.translate(words, count_)) {
      ++asked_;
      if (translations.origin == Translations::Origin::none)
        session.warn(translations.word.empty() ? fmt::format("'{}' is not in the source vocabulary", translations.query)
                                               : fmt::format("'{}' has a zero vector", translations.query));
      else
        ++translated_;
      printer.print(translations);
    }
  }

  MappedInputs inputs_;
  RetrievalOptions retrieval_;
  std::vector<std::string> words_;
  std::uint64_t count_ = 5;
  std::string case_policy_ = "title";
  bool json_ = false;
  std::size_t asked_ = 0, translated_ = 0;
};

}  // namespace

CommandEntry translate_command() {
  return {
      "translate", "Translate words",
      "  wordbridge translate en-es.wbmap en.vec es.vec house bridge\n"
      "  wordbridge translate en-es.wbmap en.vec es.vec --criterion nn --count 10 --json < words.txt\n"
      "On a terminal the translations of a word stand below it; in a pipe each is a line 'word, rank, translation,\n"
      "score', separated by tabs. Unknown words are named on standard error; the exit code is 1 where no word could\n"
      "be translated.",
      make_command<TranslateCommand>};
}

}  // namespace wordbridge::cli
