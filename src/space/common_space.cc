#include "wordbridge/common_space.h"

#include <fmt/format.h>

#include <utility>

#include "space/common_space_state.h"
#include "wordbridge/error.h"
#include "wordbridge/normalizer.h"

namespace wordbridge {

namespace {

constexpr const char* kUsualCriterion = "csls";

using Words = CommonSpace::State::Words;

Words words_of(WordVectors mapped) {
  WordVectors::Parts parts = std::move(mapped).release();
  return {std::move(parts.vocabulary), std::move(parts.subword_model), UnitRows::take(std::move(parts.table))};
}

Words normalized(WordVectors vectors) {
  WordVectors::Parts parts = std::move(vectors).release();
  WordVectors::SubwordModel unit_model;
  if (parts.subword_model)
    unit_model = [raw = std::move(parts.subword_model)](std::string_view word) {
      auto vector = raw(word);
      if (vector) normalize_rows({vector->data(), 1, vector->size()});
      return vector;
    };
  return {std::move(parts.vocabulary), std::move(unit_model), UnitRows::normalized(std::move(parts.table))};
}

Words nobody(std::size_t dimension) { return {.rows = UnitRows::take(Matrix(0, dimension))}; }

std::string criterion_of(const Mapping& mapping) {
  if (mapping.reranker) return "rerank";
  const std::string& criterion = mapping.provenance.criterion;
  return criterion.empty() ? kUsualCriterion : criterion;
}

std::shared_ptr<const CommonSpace::State> make_state(Words source, Words target, std::string criterion,
                                                     std::shared_ptr<const RerankModel> reranker = nullptr) {
  return std::make_shared<const CommonSpace::State>(std::move(source), std::move(target), std::move(criterion),
                                                    std::move(reranker));
}

}  // namespace

CommonSpace::State::State(Words source, Words target, std::string criterion,
                          std::shared_ptr<const RerankModel> reranker)
    : source_{std::move(source)},
      target_{std::move(target)},
      criterion_(std::move(criterion)),
      reranker_(std::move(reranker)) {
  if (rows(Side::source).dimension() != rows(Side::target).dimension())
    throw UsageError(fmt::format("source and target vectors of dimensions {} and {} are not in one space",
                                 rows(Side::source).dimension(), rows(Side::target).dimension()));
}

CslsStatistics& CommonSpace::State::csls(std::size_t k) const {
  return *shared<CslsStatistics>(fmt::format("csls statistics, k {}", k), [&] {
    return std::make_shared<CslsStatistics>(rows(Side::source), rows(Side::target), source_.search, target_.search, k);
  });
}

std::shared_ptr<void> CommonSpace::State::find_or_make(const std::string& name,
                                                       const std::function<std::shared_ptr<void>()>& make) const {
  const std::shared_ptr<Shared> found = [&] {
    const std::lock_guard lock(mutex_);
    std::shared_ptr<Shared>& slot = shared_[name];
    if (slot == nullptr) slot = std::make_shared<Shared>();
    return slot;
  }();
  const std::lock_guard lock(found->making);
  if (found->thing == nullptr) found->thing = make();
  return found->thing;
}

CommonSpace::CommonSpace(const Mapping& mapping, WordVectors source, WordVectors target)
    : state_(make_state(words_of(mapping.apply(std::move(source), Side::source, true)),
                        words_of(mapping.apply(std::move(target), Side::target, true)), criterion_of(mapping),
                        mapping.reranker)) {}

CommonSpace CommonSpace::mapped(const Mapping& mapping, const WordVectors& source, const WordVectors& target) {
  return CommonSpace(make_state(words_of(mapping.mapped(source, Side::source, true)),
                                words_of(mapping.mapped(target, Side::target, true)), criterion_of(mapping),
                                mapping.reranker));
}

CommonSpace::CommonSpace(WordVectors source, WordVectors target)
    : state_(make_state(normalized(std::move(source)), normalized(std::move(target)), kUsualCriterion)) {}

CommonSpace::CommonSpace(UnitRows source, UnitRows target)
    : state_(make_state({.rows = std::move(source)}, {.rows = std::move(target)}, kUsualCriterion)) {}

CommonSpace CommonSpace::of_one(WordVectors vectors) {
  Words words = normalized(std::move(vectors));
  const std::size_t dimension = words.rows.dimension();
  return CommonSpace(make_state(std::move(words), nobody(dimension), kUsualCriterion));
}

CommonSpace CommonSpace::of_one(const Mapping& mapping, WordVectors vectors, Side side) {
  return CommonSpace(make_state(words_of(mapping.apply(std::move(vectors), side, true)),
                                nobody(mapping.common_dimension()), criterion_of(mapping)));
}

const Vocabulary& CommonSpace::vocabulary(Side side) const { return state_->words(side).vocabulary; }
ConstMatrixView CommonSpace::table(Side side) const { return state_->rows(side).rows(); }
const std::string& CommonSpace::criterion() const { return state_->criterion(); }
const std::shared_ptr<const RerankModel>& CommonSpace::reranker() const { return state_->reranker(); }

std::optional<std::vector<float>> CommonSpace::subword_vector(std::string_view word, Side side) const {
  const auto& model = state_->words(side).subword_model;
  return model ? model(word) : std::nullopt;
}

}  // namespace wordbridge
