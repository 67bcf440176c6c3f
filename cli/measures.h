#pragma once
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "base/atomic_file.h"
#include "cli/evaluated_spaces.h"
#include "cli/mapped_vectors.h"
#include "cli/options/format_options.h"
#include "cli/options/lexicon_options.h"
#include "cli/options/retrieval_options.h"
#include "cli/report/word_translation_report.h"
#include "cli/session.h"
#include "evaluation/analogy.h"
#include "evaluation/similarity.h"
#include "wordbridge/common_space.h"

namespace wordbridge::cli {

class Arguments;

/// Precision of word translation on a test lexicon, by one mapping or several.
class TranslationMeasure {
 public:
  LexiconOptions lexicon;  // the command declares it

  /// --no-identical, --bands, --compare and --samples.
  void declare(Arguments& arguments);
  /// The files of the other mappings.
  const std::vector<std::string>& others() const { return others_; }

  /// Reads the lexicon and the other mappings: their errors come before the vectors are read.
  void open(const MappedInputs& inputs);
  /// In the order of their files.
  const std::vector<Mapping>& other_mappings() const { return other_mappings_; }

  /// The lexicon in the vocabularies, which are the same for all mappings.
  GoldLexicon gold(Session& session, const Vocabulary& source, const Vocabulary& target) const;
  /// The mapping that the others are compared with; where it is re-ranked, also beside CSLS in the same space.
  MeasuredTranslation first(Session& session, const std::string& mapping, const CommonSpace& space,
                            const GoldLexicon& gold, const RetrievalOptions& retrieval) const;
  /// The same by several processes together: nearest neighbors and CSLS.
  MeasuredTranslation first(Session& session, const std::string& mapping, const ShardedSpace& space,
                            const GoldLexicon& gold, const RetrievalOptions& retrieval) const;
  /// With the difference to the first one.
  MeasuredTranslation another(Session& session, const std::string& mapping, const CommonSpace& space,
                              const GoldLexicon& gold, const RetrievalOptions& retrieval,
                              const WordTranslation& first) const;
  /// The first one, and a table of all where there are several.
  void print(Session& session, const std::vector<MeasuredTranslation>& results, const TableFormat& format) const;

 private:
  WordTranslation measure(Session& session, const CommonSpace& space, const GoldLexicon& gold,
                          const RetrievalOptions& retrieval) const;
  BootstrapOptions bootstrap(const Session& session) const;

  bool no_identical_ = false;
  std::string bounds_text_;
  EntryOptions entries_;
  std::vector<std::size_t> bounds_;
  std::vector<std::string> others_;
  std::vector<Mapping> other_mappings_;
  std::uint64_t samples_ = BootstrapOptions().samples;
};

class Arguments;

/// Analogies answered in one or more spaces.
struct AnalogyMeasure {
  std::vector<std::string> files = {};  // of questions
  std::string method = "3cosadd", case_policy = "lower";
  std::uint64_t limit = 0;  // words that exist; 0: all

  /// --method and --vocabulary-limit.
  void declare(Arguments& arguments);
  /// All questions.
  AnalogyQuestions read(Session& session, bool lenient) const;
  /// Measures and prints; writes the answer to each question to `details`, where that is open.
  void run(Session& session, const AnalogyQuestions& questions, const std::vector<NamedSpace>& spaces,
           const TableFormat& format, std::optional<AtomicFile>& details) const;
};

class Arguments;

/// Agreement of cosines with what people say, in one or more spaces.
struct SimilarityMeasure {
  std::vector<std::string> files = {};  // of pairs
  bool average_phrases = false;
  std::string case_policy = "lower";

  /// --average-phrases.
  void declare(Arguments& arguments);
  std::vector<SimilarityPairs> read(Session& session, bool lenient) const;
  /// Measures and prints; `second` is the side of the second words.
  void run(Session& session, const std::vector<SimilarityPairs>& sets, const std::vector<NamedSpace>& spaces,
           Side second, const TableFormat& format) const;
};

class Arguments;

/// How unevenly target words are chosen, by nearest neighbor and by a criterion that holds hubs back.
struct HubnessMeasure {
  std::string criterion = "csls";  // beside nn
  std::uint64_t neighbors = 10;    // targets that a source word chooses, and k of csls
  std::uint64_t hubs = 10, queries = 0;

  /// --hubs and --queries.
  void declare(Arguments& arguments);
  /// Measures and prints.
  void run(Session& session, const CommonSpace& space, const TableFormat& format) const;
};

}  // namespace wordbridge::cli
