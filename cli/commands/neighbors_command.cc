#include <fmt/format.h>

#include <utility>

#include "cli/commands/command.h"
#include "cli/mapped_vectors.h"
#include "cli/options/arguments.h"
#include "cli/options/format_options.h"
#include "cli/options/vector_options.h"
#include "cli/paths.h"
#include "cli/translation_writer.h"
#include "cli/word_input.h"
#include "mapping/mapping_format.h"
#include "mapping/space_identity.h"
#include "retrieval/nearest_words.h"
#include "wordbridge/error.h"
#include "wordbridge/prepared_space.h"

namespace wordbridge::cli {

namespace {

/// The words with the nearest vectors, in the same language or in another.
class NeighborsCommand final : public Command {
 public:
  void declare(Arguments& arguments) override {
    file_.declare(arguments, "vectors", "Vectors of the language of the words, or a prepared space (.wbspace)");
    arguments.list("words", words_, 0, 1 << 28, "[words...]", "Words (default: standard input, one a line)");
    arguments.heading("Spaces");
    arguments.text("--target", target_.path, "FILE", "Look for neighbors among these vectors, of another language");
    arguments.text("--mapping", mapping_, "FILE",
                   "Map the vectors first; needed with --target, unless both are mapped");
    arguments.choice("--side", side_, {"source", "target"},
                     "Which side of the mapping, or of a prepared space, the words belong to (default: source)");
    arguments.flag("--across", across_, "In a prepared space, look for neighbors among the words of the other side");
    arguments.heading("Input");
    arguments.text("--input", input_, "FILE", "Words, one a line; - is standard input");
    arguments.choice(
        "--case", case_policy_, {"exact", "lower", "title"},
        "What to try for words not found as written: nothing, lower case, then title case (default: title)");
    format_.declare(arguments);
    arguments.number("-n,--count", count_, 1, 1 << 20, "Neighbors of each word (default: 10)");
    target_.declare_vocabulary(arguments, "--target", "--target-vocabulary");
    options_.declare(arguments, "the mapping's or 200000");
  }

  ExitCode run(Session& session) override {
    if (!words_.empty() && !input_.empty()) throw UsageError("words are given twice: as arguments and by --input");
    refuse_overwriting(format_.output(),
                       std::vector<std::string>{file_.path, file_.vocabulary, target_.path, target_.vocabulary,
                                                file_.ids, target_.ids, mapping_, input_});
    TextOutput output(session, format_.output());
    WordInput input(input_);
    require_one_standard_input({file_.path, target_.path, mapping_, words_.empty() && !input.is_file() ? "-" : ""});
    is_prepared_ = names_prepared_space(file_.path);
    if (across_ && !is_prepared_) throw UsageError("--across is for prepared spaces: name the other side by --target");
    const CommonSpace space = is_prepared_ ? open_prepared() : load(session);
    TranslationWriter writer(output, format_, "neighbor");
    if (!words_.empty()) answer(session, space, writer, words_);
    if (words_.empty())
      for (auto words = input.next(); !words.empty(); words = input.next()) {
        answer(session, space, writer, words);
        output.flush();
      }
    writer.finish();
    return asked_ > 0 && found_ == 0 ? ExitCode::failure : ExitCode::success;
  }

 private:
  bool across() const { return across_ || !target_.path.empty(); }

  CommonSpace open_prepared() const {
    if (!mapping_.empty() || !target_.path.empty())
      throw UsageError(
          "a prepared space holds both sides: leave --mapping and --target out; --across looks into the other");
    if (options_.max_words || options_.lenient)
      throw UsageError("a prepared space holds its words: leave --max-words out");
    return PreparedSpace(file_.path).space();
  }

  CommonSpace load(Session& session) const {
    const Side side = side_ == "target" ? Side::target : Side::source;
    const Side other = side == Side::source ? Side::target : Side::source;
    if (mapping_.empty()) {
      WordVectors vectors = load_vectors(session, file_, options_, kUsualWords);
      if (!across()) return CommonSpace::of_one(std::move(vectors));
      WordVectors target = load_vectors(session, target_, options_, kUsualWords);
      if (vectors.dimension() != target.dimension())
        throw UsageError(fmt::format("vectors of dimensions {} and {} do not share a space: --mapping FILE is needed",
                                     vectors.dimension(), target.dimension()));
      require_one_space(file_name(file_.path), vectors.summary().space, file_name(target_.path),
                        target.summary().space);
      return CommonSpace(std::move(vectors), std::move(target));
    }
    const Mapping mapping = read_mapping(mapping_);
    WordVectors vectors = mapped(session, mapping, file_, side);
    if (!across()) return CommonSpace::of_one(std::move(vectors));
    return CommonSpace(std::move(vectors), mapped(session, mapping, target_, other));
  }

  WordVectors mapped(Session& session, const Mapping& mapping, const VectorFile& file, Side side) const {
    if (const auto dimension = dimension_ahead(file, options_))
      mapping.require_dimension(*dimension, side, file_name(file.path));
    WordVectors vectors = load_vectors(session, file, options_, mapping.provenance.max_words);
    if (const auto warning = mapping.mismatch(vectors, side)) session.warn(*warning);
    return mapping.apply(std::move(vectors), side, true);
  }

  void answer(Session& session, const CommonSpace& space, TranslationWriter& writer,
              const std::vector<std::string>& words) {
    // Of files, the words' own side is the source, whichever side of the mapping it is.
    const Side asking = is_prepared_ && side_ == "target" ? Side::target : Side::source;
    const Side among = across() == (asking == Side::source) ? Side::target : Side::source;
    for (const Translations& one :
         nearest_words(space, words, among, count_, parse_case_policy(case_policy_), asking)) {
      ++asked_;
      if (one.origin != Translations::Origin::none)
        ++found_;
      else
        session.warn(one.word.empty() ? fmt::format("'{}' is not in the vocabulary", one.query)
                                      : fmt::format("'{}' has a zero vector", one.query));
      if (const std::string note = tidied_note(one); !note.empty()) session.note(note);
      writer.write(one);
    }
  }

  VectorFile file_, target_;
  VectorOptions options_;
  ListFormat format_;
  std::vector<std::string> words_;
  std::string mapping_, side_ = "source", input_, case_policy_ = "title";
  std::uint64_t count_ = 10;
  bool across_ = false, is_prepared_ = false;
  std::size_t asked_ = 0, found_ = 0;
};

}  // namespace

CommandEntry neighbors_command() {
  return {"neighbors", "The words with the nearest vectors, in one language or across",
          "  wordbridge neighbors en.vec bridge river\n"
          "  wordbridge neighbors en.vec bridge --mapping en-es.wbmap --target es.vec\n"
          "  wordbridge neighbors es.vec puente --mapping en-es.wbmap --side target --target en.vec --count 3 --json\n"
          "  wordbridge neighbors en-es.wbspace bridge --across\n"
          "Words are ranked by cosine; 'translate' ranks by what goes with the mapping, usually csls.",
          make_command<NeighborsCommand>};
}

}  // namespace wordbridge::cli
