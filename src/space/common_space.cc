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

/// The words with vectors that `bring` brings into a space of that dimension, when they are asked for.
Words words_in(std::size_t dimension, LazyRows::Bring bring, WordVectors vectors) {
  WordVectors::Parts parts = std::move(vectors).release();
  WordVectors::SubwordModel subwords;
  if (parts.subword_model)
    subwords = [raw = std::move(parts.subword_model), bring](std::string_view word) {
      auto vector = raw(word);
      if (vector) {
        const Matrix brought = bring(Matrix::copy_of({vector->data(), 1, vector->size()}));
        vector->assign(brought.elements().begin(), brought.elements().end());
      }
      return vector;
    };
  return {std::move(parts.vocabulary), std::move(subwords),
          std::make_shared<LazyRows>(std::move(parts.table), dimension, std::move(bring))};
}

/// One side of a mapping's space.
Words words_of(std::shared_ptr<const Mapping> mapping, WordVectors vectors, Side side) {
  const std::string& path = vectors.summary().path;
  mapping->require_dimension(vectors.dimension(), side, path.empty() ? "the vectors given" : path);
  const std::size_t dimension = mapping->common_dimension();
  return words_in(
      dimension,
      [mapping = std::move(mapping), side](Matrix block) { return mapping->apply(std::move(block), side, true); },
      std::move(vectors));
}

/// Vectors that are in the space already, of any lengths.
Words words_of(WordVectors vectors) {
  const std::size_t dimension = vectors.dimension();
  return words_in(
      dimension,
      [](Matrix block) {
        normalize_rows(block);
        return block;
      },
      std::move(vectors));
}

/// Vectors that are mapped already, and of length 1.
Words words_as_they_are(WordVectors mapped) {
  WordVectors::Parts parts = std::move(mapped).release();
  return {std::move(parts.vocabulary), std::move(parts.subword_model),
          std::make_shared<LazyRows>(UnitRows::take(std::move(parts.table)))};
}

Words words_of(UnitRows rows) { return {.rows = std::make_shared<LazyRows>(std::move(rows))}; }

Words nobody(std::size_t dimension) { return words_of(UnitRows::take(Matrix(0, dimension))); }

std::string criterion_of(const Mapping& mapping) {
  if (mapping.reranker) return "rerank";
  const std::string& criterion = mapping.provenance.criterion;
  return criterion.empty() ? kUsualCriterion : criterion;
}

std::shared_ptr<const CommonSpace::State> make_state(Words source, Words target, std::string criterion) {
  return std::make_shared<const CommonSpace::State>(std::move(source), std::move(target), std::move(criterion));
}

std::shared_ptr<const CommonSpace::State> make_state(Words source, Words target, const Mapping& mapping) {
  return std::make_shared<const CommonSpace::State>(std::move(source), std::move(target), criterion_of(mapping),
                                                    mapping.reranker, nullptr, mapping.lexicon);
}

}  // namespace

CommonSpace::State::State(Words source, Words target, std::string criterion,
                          std::shared_ptr<const RerankModel> reranker, std::shared_ptr<const Prepared> prepared,
                          std::shared_ptr<const StoredLexicon> lexicon)
    : source_{std::move(source)},
      target_{std::move(target)},
      criterion_(std::move(criterion)),
      reranker_(std::move(reranker)),
      prepared_(std::move(prepared)),
      lexicon_(std::move(lexicon)) {
  if (source_.rows->dimension() != target_.rows->dimension())
    throw UsageError(fmt::format("source and target vectors of dimensions {} and {} are not in one space",
                                 source_.rows->dimension(), target_.rows->dimension()));
}

const TableSearch& CommonSpace::State::search(Side side) const {
  return *shared<TableSearch>(fmt::format("search, {}", name_of(side)), [&] {
    TableSearch::LoadIndex load = prepared_ ? prepared_->index(side) : nullptr;
    return load ? std::make_shared<TableSearch>(rows(side), std::move(load))
                : std::make_shared<TableSearch>(rows(side));
  });
}

CslsStatistics& CommonSpace::State::csls(std::size_t k) const {
  return *shared<CslsStatistics>(fmt::format("csls statistics, k {}", k), [&] {
    if (const auto known = prepared_ ? prepared_->known(k) : std::nullopt)
      return std::make_shared<CslsStatistics>(rows(Side::source), rows(Side::target), search(Side::source),
                                              search(Side::target), k, *known);
    return std::make_shared<CslsStatistics>(rows(Side::source), rows(Side::target), search(Side::source),
                                            search(Side::target), k);
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
    : state_([&] {
        const auto own = std::make_shared<const Mapping>(mapping);
        return make_state(words_of(own, std::move(source), Side::source),
                          words_of(own, std::move(target), Side::target), mapping);
      }()) {}

CommonSpace CommonSpace::mapped(const Mapping& mapping, const WordVectors& source, const WordVectors& target) {
  return CommonSpace(make_state(words_as_they_are(mapping.mapped(source, Side::source, true)),
                                words_as_they_are(mapping.mapped(target, Side::target, true)), mapping));
}

CommonSpace::CommonSpace(WordVectors source, WordVectors target)
    : state_(make_state(words_of(std::move(source)), words_of(std::move(target)), kUsualCriterion)) {}

CommonSpace::CommonSpace(UnitRows source, UnitRows target)
    : state_(make_state(words_of(std::move(source)), words_of(std::move(target)), kUsualCriterion)) {}

CommonSpace CommonSpace::of_one(WordVectors vectors) {
  Words words = words_of(std::move(vectors));
  const std::size_t dimension = words.rows->dimension();
  return CommonSpace(make_state(std::move(words), nobody(dimension), kUsualCriterion));
}

CommonSpace CommonSpace::of_one(const Mapping& mapping, WordVectors vectors, Side side) {
  return CommonSpace(make_state(words_of(std::make_shared<const Mapping>(mapping), std::move(vectors), side),
                                nobody(mapping.common_dimension()), criterion_of(mapping)));
}

std::size_t CommonSpace::size(Side side) const { return state_->size(side); }
std::size_t CommonSpace::dimension() const { return state_->dimension(); }
const Vocabulary& CommonSpace::vocabulary(Side side) const { return state_->words(side).vocabulary; }
ConstMatrixView CommonSpace::table(Side side) const { return state_->rows(side).rows(); }
const std::string& CommonSpace::criterion() const { return state_->criterion(); }
const std::shared_ptr<const RerankModel>& CommonSpace::reranker() const { return state_->reranker(); }
const std::shared_ptr<const StoredLexicon>& CommonSpace::lexicon() const { return state_->lexicon(); }

std::optional<std::vector<float>> CommonSpace::subword_vector(std::string_view word, Side side) const {
  const auto& model = state_->words(side).subword_model;
  return model ? model(word) : std::nullopt;
}

}  // namespace wordbridge
