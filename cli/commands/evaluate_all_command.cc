#include <fmt/format.h>

#include <filesystem>
#include <optional>
#include <utility>

#include "base/atomic_file.h"
#include "cli/commands/command.h"
#include "cli/mapped_vectors.h"
#include "cli/measures.h"
#include "cli/options/arguments.h"
#include "cli/options/format_options.h"
#include "cli/paths.h"
#include "cli/session.h"
#include "wordbridge/error.h"

namespace wordbridge::cli {

namespace {

/// Every measure for which there is a test set, over vectors that are read once.
class EvaluateAllCommand final : public Command {
 public:
  void declare(Arguments& arguments) override {
    inputs_.declare(arguments, MappedInputs::MappingArgument::optional);
    arguments.heading("Test sets");
    arguments.text("--lexicon", lexicon_, "FILE", "Word translation: pairs 'source target'");
    arguments.list("--questions", analogy_.files, 1, Arguments::kMostFiles, "FILE...",
                   "Analogies in the source language, before and after mapping");
    arguments.list("--similarities", similarity_.files, 1, Arguments::kMostFiles, "FILE...",
                   "Word similarity in the source language, before and after mapping");
    arguments.list("--cross-similarities", cross_.files, 1, Arguments::kMostFiles, "FILE...",
                   "Word similarity between the two languages");
    arguments.choice("--case", case_policy_, {"exact", "lower", "title"},
                     "What to try for words not found as written (default: exact for --lexicon, lower for the others)");
    translation_.declare(arguments);
    translation_.lexicon.declare_details(arguments);
    retrieval_.declare(arguments, "nn and csls");
    hubness_.declare(arguments);
    analogy_.declare(arguments);
    similarity_.declare(arguments);
    format_.declare(arguments);
    arguments.text("--details", details_, "FOLDER",
                   "Write what became of each word and each question there, a tab-separated file a measure");
  }

  ExitCode run(Session& session) override {
    settle();
    open_details();
    const Mapping mapping = inputs_.open(further_inputs());
    translation_.open(inputs_);
    retrieval_.check(mapping);
    for (const Mapping& other : translation_.other_mappings()) retrieval_.check(other);
    const bool lenient = inputs_.options().lenient;
    const AnalogyQuestions questions = analogy_.read(session, lenient);
    const std::vector<SimilarityPairs> sets = similarity_.read(session, lenient), pairs = cross_.read(session, lenient);

    MappedInputs::Vectors vectors;
    if (!inputs_.is_prepared()) vectors = inputs_.read(session, mapping);
    const CommonSpace space = inputs_.is_prepared() ? inputs_.load(session, mapping) : inputs_.space(mapping, vectors);
    if (!lexicon_.empty()) measure_translations(session, space, vectors);
    vectors.target = WordVectors();
    begin_part(session, "hubness", "hubness");
    hubness_.run(session, space, format_);
    // The source side of the common space is what the mapping makes of one language.
    std::vector<NamedSpace> spaces;
    if (inputs_.has_mapping() && !inputs_.is_prepared())
      spaces.push_back({"original", CommonSpace::of_one(std::move(vectors.source))});
    spaces.push_back({inputs_.has_mapping() ? "aligned" : "original", space});
    if (!analogy_.files.empty()) {
      begin_part(session, "analogies", "analogy");
      analogy_.run(session, questions, spaces, format_, analogy_details_);
    }
    if (!sets.empty()) {
      begin_part(session, "similarity", "similarity");
      similarity_.run(session, sets, spaces, Side::source, format_);
    }
    if (!pairs.empty()) {
      begin_part(session, "similarity between languages", "cross_similarity");
      cross_.run(session, pairs, {spaces.back()}, Side::target, format_);
    }
    if (format_.json()) session.print("}\n");
    return ExitCode::success;
  }

 private:
  /// Options that several measures take.
  void settle() {
    if (lexicon_.empty() && !translation_.others().empty())
      throw UsageError("--compare compares translations: --lexicon FILE is needed");
    retrieval_.settle(std::string("csls"));
    if (retrieval_.criterion() != "nn") retrievals_.push_back(RetrievalOptions::of("nn"));
    retrievals_.push_back(retrieval_);
    // Hubs are of the vectors: a re-ranker chooses among the candidates of csls.
    hubness_.criterion = retrieval_.criterion() == "rerank" ? "csls" : retrieval_.criterion();
    hubness_.neighbors = retrieval_.neighbors();
    translation_.lexicon.use(lexicon_, case_policy_);
    cross_.average_phrases = similarity_.average_phrases;
    if (case_policy_.empty()) return;
    analogy_.case_policy = similarity_.case_policy = cross_.case_policy = case_policy_;
  }

  std::vector<std::string> further_inputs() const {
    std::vector<std::string> files = translation_.others();
    files.push_back(lexicon_);
    for (const auto* more : {&analogy_.files, &similarity_.files, &cross_.files})
      files.insert(files.end(), more->begin(), more->end());
    return files;
  }

  /// A folder that cannot be written to shows before the long work.
  void open_details() {
    if (details_.empty()) return;
    std::error_code error;
    std::filesystem::create_directories(details_, error);
    if (error) throw IoError(details_, "cannot make the folder", error.value());
    std::vector<std::string> inputs = inputs_.paths(), further = further_inputs();
    inputs.insert(inputs.end(), further.begin(), further.end());
    const auto open = [&](std::optional<AtomicFile>& file, const std::string& key) {
      const std::string path = details_ + "/" + key + ".tsv";
      refuse_overwriting(path, inputs);
      file.emplace(path);
    };
    translation_details_ = std::vector<std::optional<AtomicFile>>(retrievals_.size());
    if (!lexicon_.empty())
      for (std::size_t i = 0; i < retrievals_.size(); ++i)
        open(translation_details_[i], "translation_" + retrievals_[i].criterion());
    if (!analogy_.files.empty()) open(analogy_details_, "analogy");
  }

  /// By every criterion, and by every mapping that is compared.
  void measure_translations(Session& session, const CommonSpace& space, const MappedInputs::Vectors& vectors) {
    const GoldLexicon gold = translation_.gold(session, space.vocabulary(Side::source), space.vocabulary(Side::target));
    const std::string path = inputs_.has_mapping() ? inputs_.paths().front() : std::string();
    std::vector<std::vector<MeasuredTranslation>> results(retrievals_.size());
    for (std::size_t i = 0; i < results.size(); ++i)
      results[i].push_back(translation_.first(session, path, space, gold, retrievals_[i]));
    for (std::size_t other = 0; other < translation_.others().size(); ++other) {
      const Mapping& another = translation_.other_mappings()[other];
      inputs_.check(session, another, vectors);
      const CommonSpace other_space = inputs_.space(another, vectors);
      for (std::size_t i = 0; i < results.size(); ++i)
        results[i].push_back(translation_.another(session, translation_.others()[other], other_space, gold,
                                                  retrievals_[i], results[i].front().result));
    }
    for (std::size_t i = 0; i < results.size(); ++i) {
      const std::string& criterion = retrievals_[i].criterion();
      begin_part(session, "translation, by " + criterion, "translation_" + criterion);
      translation_.print(session, results[i], format_);
      if (i >= translation_details_.size() || !translation_details_[i]) continue;
      translation_details_[i]->write(to_tsv(results[i].front().result));
      translation_details_[i]->commit();
    }
  }

  /// The title of a table, or the key of an object.
  void begin_part(Session& session, const std::string& title, const std::string& key) {
    session.print(format_.json() ? fmt::format("{}\"{}\": ", is_first_ ? "{" : ", ", key)
                                 : (is_first_ ? "" : "\n") + format_.title(title));
    is_first_ = false;
  }

  MappedInputs inputs_;
  std::string lexicon_, case_policy_, details_;
  TranslationMeasure translation_;
  RetrievalOptions retrieval_;
  std::vector<RetrievalOptions> retrievals_;  // nn, and the one asked for
  HubnessMeasure hubness_;
  AnalogyMeasure analogy_;
  SimilarityMeasure similarity_, cross_;
  TableFormat format_;
  std::vector<std::optional<AtomicFile>> translation_details_;
  std::optional<AtomicFile> analogy_details_;
  bool is_first_ = true;
};

}  // namespace

CommandEntry evaluate_all_command() {
  return {
      "evaluate all", "Every measure for which there is a test set",
      "  wordbridge evaluate all en-es.wbmap en.vec es.vec --lexicon test.txt --questions questions-words.txt\n"
      "  wordbridge evaluate all en-es.wbmap en.vec es.vec --lexicon test.txt --similarities ws353.tsv --json\n"
      "  wordbridge evaluate all a.wbmap en.vec es.vec --lexicon test.txt --compare b.wbmap c.wbmap --details words",
      make_command<EvaluateAllCommand>};
}

}  // namespace wordbridge::cli
