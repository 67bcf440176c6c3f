#include "hub/pair_reranker.h"

#include <optional>
#include <set>
#include <utility>

#include "align/alignment_plan.h"
#include "base/atomic_file.h"
#include "hub/hub_lexicons.h"
#include "hub/hub_mapping.h"
#include "lexicon/lexicon_reader.h"
#include "mapping/mapping_format.h"
#include "mapping/rerank_model.h"
#include "retrieval/known_translations.h"
#include "retrieval/rerank/train_reranker.h"
#include "retrieval/rerank/transferred_reranker.h"
#include "space/common_space_state.h"
#include "wordbridge/context.h"
#include "wordbridge/error.h"

namespace wordbridge {

namespace {

/// The pairs of a choice that both vocabularies have, without words that a test asks; none where they cannot be read.
Lexicon pairs_of(const HubWork& work, const LexiconChoice& choice, const std::string& source, const std::string& target,
                 const CommonSpace& space) {
  if (choice.empty()) return {};
  try {
    WordPairs pairs = read_pairs(choice, work.lenient);
    if (const LexiconChoice test = test_lexicon(work.list, source, target); !test.empty()) {
      std::set<std::string> asked;
      for (WordPairs::Pair& pair : read_pairs(test, work.lenient).pairs) asked.insert(std::move(pair.source));
      std::erase_if(pairs.pairs, [&](const WordPairs::Pair& pair) { return asked.contains(pair.source); });
      if (pairs.pairs.empty()) return {};
    }
    return find_pairs(pairs, space.vocabulary(Side::source), space.vocabulary(Side::target), CasePolicy::exact,
                      LexiconChecks::none);
  } catch (const Cancelled&) {
    throw;
  } catch (const Error&) {
    return {};
  }
}

Lexicon swapped_pairs(const Lexicon& pairs) {
  std::vector<Lexicon::Pair> result;
  for (const Lexicon::Pair& pair : pairs.pairs()) result.push_back({pair.target, pair.source, pair.weight});
  return Lexicon(std::move(result));
}

/// Learns maps of a language to the pivot from some of the pairs, as the hub has learned it from all.
class MapsWithout {
 public:
  MapsWithout(const HubWork& work, const std::string& source, const std::string& target)
      : from_pivot_(source == work.list.pivot),
        plan_(options_of(work, from_pivot_ ? target : source)),
        source_(cut(work, source)),
        target_(cut(work, target)) {}

  bool needs_lexicon() const { return plan_.method().needs_lexicon; }
  CommonSpace learn(const Lexicon& pairs) const {
    if (!from_pivot_) return CommonSpace(plan_.run(plan_.prepare(source_, target_, pairs)), source_, target_);
    const Mapping back = plan_.run(plan_.prepare(target_, source_, swapped_pairs(pairs)));
    return CommonSpace(from_pivot(back), source_, target_);
  }

 private:
  static AlignOptions options_of(const HubWork& work, const std::string& language) {
    AlignOptions options = work.list.options_of(*work.list.find(language));
    for (const char* own : {"rerank", "rerank-features", "no-lexicon", "init"}) options.options.erase(own);
    options.options.insert_or_assign("no-rerank", OptionValue(true));
    return options;
  }
  static WordVectors cut(const HubWork& work, const std::string& language) {
    WordVectors table = work.tables.load(language);
    if (work.matrix_words > 0 && table.size() > work.matrix_words) table.truncate(work.matrix_words);
    return table;
  }

  bool from_pivot_;
  AlignmentPlan plan_;
  WordVectors source_, target_;
};

/// From the lexicon of the two languages.
TrainedReranker train(const HubWork& work, const std::string& source, const std::string& target,
                      const CommonSpace& space, const Lexicon& lexicon, const std::string& features) {
  std::optional<MapsWithout> maps;
  if (source == work.list.pivot || target == work.list.pivot) maps.emplace(work, source, target);
  const LearnSpace learn = [&](const Lexicon& pairs) {
    return maps && maps->needs_lexicon() ? maps->learn(pairs) : space;
  };
  return train_reranker({space.vocabulary(Side::source), space.vocabulary(Side::target), lexicon, learn},
                        {.features = features, .folds = {.seed = Context::current().seed()}});
}

}  // namespace

PairReranker learn_reranker(const HubWork& work, const std::string& source, const std::string& target,
                            const CommonSpace& space) {
  PairReranker result;
  const Lexicon lexicon = pairs_of(work, train_lexicon(work.list, source, target), source, target, space);
  const Vocabulary &sources = space.vocabulary(Side::source), &targets = space.vocabulary(Side::target);
  if (!lexicon.empty()) {
    result.lexicon = std::make_shared<const StoredLexicon>(words_of(lexicon, sources, targets));
    const bool alike = objection_to_spelling(lexicon, sources, targets).has_value();
    const TrainedReranker trained = train(work, source, target, space, lexicon, alike ? "semantic" : "all");
    result.model = trained.model;
    result.weights = trained.model ? "own" : "";
    if (alike || !wants_transferred(trained, lexicon.source_words().size())) return result;
  }
  // Pairs that are joined through the pivot are good enough to know words by, not to learn from.
  const Lexicon known = !lexicon.empty()
                            ? lexicon
                            : pairs_of(work, train_lexicon_or_joined(work.list, source, target), source, target, space);
  if (auto model = transfer_reranker(space, known)) {
    result.model = std::move(model);
    result.weights = "transferred";
  }
  return result;
}

PairReranker reranker_of_star(const HubWork& work, const std::string& source, const std::string& target) {
  const std::string name = HubFolder::pair_mapping_name(source, target, HubMaps::star);
  const auto bytes = read_kept_file(work.folder.resolve(name), kMostMappingBytes);
  if (!bytes) return {};
  const Mapping mapping = parse_mapping(*bytes, name);
  const auto weights = mapping.provenance.options.find("reranker");
  return {mapping.reranker, weights == mapping.provenance.options.end() ? "own" : weights->second, mapping.lexicon};
}

}  // namespace wordbridge
