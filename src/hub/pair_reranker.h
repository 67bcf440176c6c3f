#pragma once
#include <memory>
#include <string>

#include "hub/hub_work.h"
#include "wordbridge/common_space.h"

namespace wordbridge {

/// What ranks the translations from one language of a hub into another anew.
struct PairReranker {
  std::shared_ptr<const RerankModel> model = nullptr;      // nullptr: there is none
  std::string weights = {};                                // "own", or "transferred" from other languages
  std::shared_ptr<const StoredLexicon> lexicon = nullptr;  // the pairs of a lexicon between the two; nullptr: none
};

/// Learns it. Words of the lexicon between the two are held out of maps: the map of a language to the pivot is learned
/// anew from the others; between other languages no map of a star has seen the lexicon. Without one, with a small one,
/// or where it teaches nothing, the weights are those that come with the program, and what they must know of the two
/// languages comes from the space. Words that a test will ask are left out of all of it. `space` is that of the star,
/// with `source` as its source side.
PairReranker learn_reranker(const HubWork& work, const std::string& source, const std::string& target,
                            const CommonSpace& space);

/// What the star has learned, from its file; none where there is none.
PairReranker reranker_of_star(const HubWork& work, const std::string& source, const std::string& target);

}  // namespace wordbridge
