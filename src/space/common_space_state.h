#pragma once
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>

#include "space/csls_statistics.h"
#include "space/lazy_rows.h"
#include "space/table_search.h"
#include "space/unit_rows.h"
#include "wordbridge/common_space.h"

namespace wordbridge {

inline Side other(Side side) { return side == Side::source ? Side::target : Side::source; }

/// What copies of a CommonSpace share.
class CommonSpace::State {
 public:
  /// The words of a side and their vectors.
  struct Words {
    Vocabulary vocabulary = {};
    WordVectors::SubwordModel subword_model = {};  // vectors of length 1; empty: there is none
    std::shared_ptr<const LazyRows> rows;
  };
  /// What was made of the words before (retrieval/prepared): both are loaded when they are first wanted.
  class Prepared {
   public:
    virtual ~Prepared() = default;
    /// Nothing where the lists that there are do not tell the means over k neighbors.
    virtual std::optional<CslsStatistics::Known> known(std::size_t k) const = 0;
    /// An index over a side, for State's rows of it; empty where this machine cannot use it.
    virtual TableSearch::LoadIndex index(Side side) const = 0;
  };
  /// UsageError where the dimensions differ.
  State(Words source, Words target, std::string criterion, std::shared_ptr<const RerankModel> reranker = nullptr,
        std::shared_ptr<const Prepared> prepared = nullptr, std::shared_ptr<const StoredLexicon> lexicon = nullptr);

  const Words& words(Side side) const { return side == Side::source ? source_ : target_; }
  std::size_t size(Side side) const { return words(side).rows->size(); }
  std::size_t dimension() const { return source_.rows->dimension(); }
  const UnitRows& rows(Side side) const { return words(side).rows->all(); }
  /// The rows of some words alone.
  Matrix rows_of(Side side, std::span<const WordId> some) const { return words(side).rows->some(some); }
  const TableSearch& search(Side side) const;
  const std::string& criterion() const { return criterion_; }
  const std::shared_ptr<const RerankModel>& reranker() const { return reranker_; }
  const std::shared_ptr<const StoredLexicon>& lexicon() const { return lexicon_; }
  /// With k neighbors.
  CslsStatistics& csls(std::size_t k) const;

  /// Something that is made once and then shared: the same name, the same thing. Who finds it being made waits; where
  /// making it fails, the next one tries again.
  template <class T>
  std::shared_ptr<T> shared(const std::string& name, const std::function<std::shared_ptr<T>()>& make) const {
    return std::static_pointer_cast<T>(find_or_make(name, [&] { return std::static_pointer_cast<void>(make()); }));
  }

 private:
  struct Shared {
    std::mutex making;
    std::shared_ptr<void> thing;
  };

  std::shared_ptr<void> find_or_make(const std::string& name, const std::function<std::shared_ptr<void>()>& make) const;

  Words source_, target_;
  std::string criterion_;
  std::shared_ptr<const RerankModel> reranker_;
  std::shared_ptr<const Prepared> prepared_;
  std::shared_ptr<const StoredLexicon> lexicon_;
  mutable std::mutex mutex_;
  mutable std::map<std::string, std::shared_ptr<Shared>> shared_;
};

}  // namespace wordbridge
