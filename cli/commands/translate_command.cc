#include <fmt/format.h>
#include <unistd.h>
#include <algorithm>
#include <cerrno>
#include <cmath>
#include <map>
#include "base/escaped_text.h"
#include "base/wording.h"
#include "cli/commands/command.h"
#include "cli/mapped_vectors.h"
#include "cli/options/arguments.h"
#include "cli/options/format_options.h"
#include "cli/options/known_options.h"
#include "cli/options/retrieval_options.h"
#include "cli/paths.h"
#include "cli/translation_writer.h"
#include "cli/word_input.h"
#include "io/lines.h"
#include "lexicon/word_lookup.h"
#include "retrieval/rerank/reranked.h"
#include "wordbridge/error.h"
#include "wordbridge/translate.h"

namespace wordbridge::cli {

namespace {

/// Translates words of the source language.
class TranslateCommand final : public Command {
 public:
  void declare(Arguments& arguments) override {
    inputs_.declare_with_words(arguments, words_, "Words to translate (default: standard input, one a line)");
    arguments.heading("Input");
    arguments.text("--input", input_, "FILE", "Words to translate, one a line; - is standard input");
    format_.declare(arguments);
    arguments.number("-n,--count", count_, 1, 1 << 20, "Translations of each word (default: 5)");
    arguments.flag("--explain", explain_,
                   "With a re-ranker: which features spoke for each candidate and against it, compared with the best "
                   "other one");
    known_.declare(arguments);
    retrieval_.declare(arguments);
    arguments.choice("--case", case_policy_, {"exact", "lower", "title"},
                     "What to try for words not found as written: nothing, lower case, then title "
                     "case (default: title)");
  }

  ExitCode run(Session& session) override {
    inputs_.take_words(words_);
    if (!words_.empty() && !input_.empty()) throw UsageError("words are given twice: as arguments and by --input");
    std::vector<std::string> files = inputs_.paths();
    files.push_back(input_);
    files.insert(files.end(), known_.paths().begin(), known_.paths().end());
    refuse_overwriting(format_.output(), files);
    TextOutput output(session, format_.output());
    WordInput input(input_);
    known_.read();
    const Mapping mapping = inputs_.open({words_.empty() && !input.is_file() ? "-" : ""});
    retrieval_.settle(mapping);
    if (explain_ && retrieval_.criterion() != "rerank") throw UsageError("--explain needs --criterion rerank");
    const CommonSpace space = inputs_.load(session, mapping);
    const Translator translator(space, {.criterion = retrieval_.criterion(),
                                        .criterion_options = retrieval_.options_for(session, space),
                                        .case_policy = parse_case_policy(case_policy_),
                                        .known = known_.pairs(),
                                        .ignore_known = known_.ignored()});
    TranslationWriter writer(output, format_, "translation");
    if (!words_.empty())
      translate(session, translator, writer, words_);
    else
      translate_input(session, translator, writer, input, output);
    writer.finish();
    if (output.is_file())
      session.note(fmt::format("{} written: {} of {} translated{}", format_.output(), translated_,
                               counted(asked_, "word"),
                               known_words_ > 0 ? fmt::format(", {} by pairs that are known", known_words_) : ""));
    return asked_ > 0 && translated_ == 0 ? ExitCode::failure : ExitCode::success;
  }

 private:
  void translate_input(Session& session, const Translator& translator, TranslationWriter& writer, WordInput& input,
                       TextOutput& output) {
    if (!input.is_file() && Session::input_is_terminal()) session.note("Type words, one a line; Ctrl-D ends.");
    for (auto words = input.next(); !words.empty(); words = input.next()) {
      translate(session, translator, writer, words);
      output.flush();
    }
  }

  void translate(Session& session, const Translator& translator, TranslationWriter& writer,
                 const std::vector<std::string>& words) {
    for (const Translations& translations : translator.translate(words, count_)) {
      ++asked_;
      known_words_ += !translations.candidates.empty() && translations.candidates.front().known ? 1 : 0;
      if (translations.origin == Translations::Origin::none)
        session.warn(translations.word.empty() ? fmt::format("'{}' is not in the source vocabulary", translations.query)
                                               : fmt::format("'{}' has a zero vector", translations.query));
      else
        ++translated_;
      if (const std::string note = tidied_note(translations); !note.empty()) session.note(note);
      writer.write(translations, explain_ ? explain(translator, translations) : Explanations());
    }
  }

  MappedInputs inputs_;
  KnownOptions known_;
  RetrievalOptions retrieval_;
  ListFormat format_;
  std::vector<std::string> words_;
  std::uint64_t count_ = 5;
  std::string case_policy_ = "title", input_;
  bool explain_ = false;
  std::size_t asked_ = 0, translated_ = 0, known_words_ = 0;
};

}  // namespace

CommandEntry translate_command() {
  return {
      "translate", "Translate words",
      "  wordbridge translate en-es.wbmap en.vec es.vec house bridge\n"
      "  wordbridge translate en-es.wbmap en.vec es.vec --criterion nn --count 10 --json < words.txt\n"
      "  wordbridge translate en.aligned.vec es.aligned.vec --input words.txt -o translations.csv\n"
      "  wordbridge translate en-es.wbspace house bridge\n"
      "  wordbridge translate --hub space es de noche\n"
      "  wordbridge translate en-es.wbmap en.vec es.vec bank --known terms.txt\n"
      "On a terminal the translations of a word stand below it; in a pipe each is a line 'word, rank, translation,\n"
      "score, known or guessed', separated by tabs. What the mapping's lexicon or --known says comes before what is\n"
      "guessed. Unknown words are named on standard error; the exit code is 1 where no word could be translated.",
      make_command<TranslateCommand>};
}

}  // namespace wordbridge::cli
