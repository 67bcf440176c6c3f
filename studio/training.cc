#include "studio/training.h"

#include <algorithm>
#include <set>
#include <utility>

#include "align/alignment_plan.h"
#include "align/registry.h"
#include "base/checksum.h"
#include "evaluation/statistics.h"
#include "lexicon/lexicon_reader.h"
#include "wordbridge/criterion.h"
#include "wordbridge/error.h"

namespace wordbridge::studio {

namespace {

/// By the word alone, so that it does not matter what else there is.
bool drawn(const std::string& word) { return xxh3(word.data(), word.size()) % kHeldOutShare == 0; }

}  // namespace

TrainingPairs training_pairs(const WordPairs& lexicon, const std::optional<WordPairs>& validation,
                             const Verdicts& verdicts) {
  TrainingPairs result;
  result.train.path = lexicon.path;
  result.held_out.path = validation ? validation->path : lexicon.path;
  std::set<std::string> held_out;
  for (const WordPairs::Pair& pair : (validation ? *validation : lexicon).pairs)
    if (validation || drawn(pair.source)) held_out.insert(pair.source);
  std::set<std::pair<std::string, std::string>> known;
  const auto add = [&](WordPairs& pairs, const WordPairs::Pair& pair) {
    if (!known.emplace(pair.source, pair.target).second) return false;
    pairs.pairs.push_back(pair);
    ++pairs.lines;
    return true;
  };
  if (validation)
    for (const WordPairs::Pair& pair : validation->pairs) add(result.held_out, pair);
  for (const WordPairs::Pair& pair : lexicon.pairs) {
    if (verdicts.rejected(pair.source, pair.target))
      ++result.removed;
    else if (!held_out.contains(pair.source))
      add(result.train, pair);
    else if (!validation)
      add(result.held_out, pair);
  }
  for (const auto& [source, targets] : verdicts.accepted().pairs())
    for (const std::string& target : targets) {
      const bool judged = held_out.contains(source);
      const bool is_new = add(judged ? result.held_out : result.train, {source, target});
      result.accepted += is_new && !judged;
    }
  return result;
}

Mapping learn(const WordVectors& source, const WordVectors& target, const WordPairs& pairs, const Mapping* like) {
  AlignOptions options;
  if (like != nullptr) {
    const auto known = std::ranges::find(align_methods(), like->provenance.method, &AlignMethod::name);
    if (known != align_methods().end() && known->needs_lexicon) options.method = known->name;
  }
  const AlignmentPlan plan(options);
  const Lexicon lexicon = find_pairs(pairs, source.vocabulary(), target.vocabulary());
  const InputNames names{.max_words = like != nullptr ? like->provenance.max_words : 0, .lexicon = pairs.path};
  return plan.run(plan.prepare(source, target, lexicon, names));
}

WordTranslation judge(const CommonSpace& space, const WordPairs& pairs) {
  const GoldLexicon gold(pairs, space.vocabulary(Side::source), space.vocabulary(Side::target), CasePolicy::exact,
                         LexiconChecks::none);
  return evaluate_word_translation(*make_criterion(space.criterion(), space), space, gold);
}

Json comparison_json(const WordTranslation& first, const WordTranslation& second) {
  const PairedBootstrap sure = compare(first, second);
  Json words = Json::array();
  for (std::size_t i = 0; i < first.words.size(); ++i) {
    const auto &a = first.words[i], &b = second.words[i];
    const auto best = [](const WordTranslation::Word& word) {
      return word.predictions.empty() ? std::string() : word.predictions.front();
    };
    if (best(a) == best(b)) continue;
    words.push_back({{"word", a.word},
                     {"gold", a.gold},
                     {"first", best(a)},
                     {"second", best(b)},
                     {"first_right", a.rank == 1},
                     {"second_right", b.rank == 1}});
  }
  return {{"words", sure.words},
          {"first", sure.first},
          {"second", sure.second},
          {"low", sure.low},
          {"high", sure.high},
          {"p_value", sure.p_value},
          {"only_first", sure.only_first},
          {"only_second", sure.only_second},
          {"different", std::move(words)}};
}

}  // namespace wordbridge::studio
