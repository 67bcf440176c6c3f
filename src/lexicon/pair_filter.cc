#include "lexicon/pair_filter.h"

#include "base/option_text.h"
#include "lexicon/spelling.h"
#include "wordbridge/error.h"

namespace wordbridge {

namespace {

constexpr double kCognates = 0.6;  // least spelling_similarity()

}  // namespace

PairKind parse_pair_kind(std::string_view name) {
  if (name == "all") return PairKind::all;
  if (name == "new") return PairKind::fresh;
  if (name == "identical") return PairKind::identical;
  if (name == "cognates") return PairKind::cognates;
  throw UsageError("pairs " + none_of(name, {"all", "new", "identical", "cognates"}));
}

PairFilter::PairFilter(PairKind kind, const WordPairs& known) : kind_(kind) {
  for (const WordPairs::Pair& pair : known.pairs) {
    sources_.insert(pair.source);
    pairs_.insert({pair.source, pair.target});
  }
}

bool PairFilter::knows(std::string_view source, std::string_view target) const {
  return !pairs_.empty() && pairs_.contains({std::string(source), std::string(target)});
}

bool PairFilter::wants(std::string_view source, std::string_view target) const {
  if (knows(source, target)) return false;
  switch (kind_) {
    case PairKind::all:
      break;
    case PairKind::fresh:
      return !sources_.contains(source);
    case PairKind::identical:
      return source == target;
    case PairKind::cognates:
      return source != target && spelling_similarity(source, target) >= kCognates;
  }
  return true;
}

}  // namespace wordbridge
