#pragma once
#include <cstdint>
#include <string>
#include <vector>

#include "cli/mapped_vectors.h"
#include "cli/options/lexicon_options.h"
#include "cli/options/retrieval_options.h"
#include "cli/options/table_format.h"
#include "cli/report/word_translation_report.h"
#include "cli/session.h"

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

}  // namespace wordbridge::cli
