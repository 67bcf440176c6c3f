#include "retrieval/nearest_words.h"

#include <algorithm>
#include <optional>

#include "space/common_space_state.h"

namespace wordbridge {

std::vector<Translations> nearest_words(const CommonSpace& space, std::span<const std::string> words, Side among,
                                        std::size_t count, CasePolicy case_policy, Side asking) {
  std::vector<Translations> answers(words.size());
  Matrix queries = Matrix::uninitialized(words.size(), space.dimension());
  struct Asked {
    std::size_t word;
    std::optional<WordId> itself;  // not to be named as its own neighbor
  };
  std::vector<Asked> asked;
  const Vocabulary& vocabulary = space.vocabulary(asking);
  for (std::size_t i = 0; i < words.size(); ++i) {
    Translations& answer = answers[i];
    answer.query = words[i];
    const auto found = find_typed_word(vocabulary, words[i], case_policy);
    const auto subwords = found ? std::nullopt : space.subword_vector(tidied_word(words[i]), asking);
    if (found) answer.word = vocabulary[found->id];
    const std::span<const float> vector = found      ? space.state().rows(asking)[found->id]
                                          : subwords ? std::span<const float>(*subwords)
                                                     : std::span<const float>();
    if (vector.empty() || is_zero(vector)) continue;
    answer.origin = found ? Translations::Origin::vocabulary : Translations::Origin::subwords;
    std::copy(vector.begin(), vector.end(), queries.row(asked.size()).data());
    asked.push_back({i, found && among == asking ? std::optional(found->id) : std::nullopt});
  }
  queries.truncate_rows(asked.size());
  if (asked.empty()) return answers;
  const std::size_t wanted = std::min(count + 1, space.size(among));
  const Neighbors neighbors = space.state().search(among).search(queries, wanted);
  for (std::size_t query = 0; query < asked.size(); ++query) {
    auto& candidates = answers[asked[query].word].candidates;
    for (std::size_t rank = 0; rank < neighbors.found && candidates.size() < count; ++rank) {
      const WordId id = neighbors.ids_of(query)[rank];
      if (asked[query].itself == id) continue;
      candidates.push_back({std::string(space.vocabulary(among)[id]), id, neighbors.scores_of(query)[rank]});
    }
  }
  return answers;
}

}  // namespace wordbridge
