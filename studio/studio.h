#pragma once
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "lexicon/word_pairs.h"
#include "studio/bench.h"
#include "studio/jobs.h"
#include "studio/layout.h"
#include "wordbridge/mapping.h"
#include "wordbridge/word_vectors.h"

namespace wordbridge::studio {

/// What a studio is opened on.
struct StudioData {
  std::string source_name, target_name;  // as people call the sides
  std::optional<Mapping> mapping;        // none: the vectors share a space already
  /// As they were read; none where the space was prepared, which then holds all there is.
  std::shared_ptr<const WordVectors> source, target;
  std::optional<CommonSpace> space;
  std::optional<WordPairs> lexicon;  // what is known
};

struct StudioSettings {
  int threads = 0;
  std::uint64_t seed = 1;
  bool read_only = true;
};

/// The known translations of words, by either side.
class KnownPairs {
 public:
  void add(const std::string& source, const std::string& target);
  void remove(const std::string& source, const std::string& target);
  /// Of a word of that side, in the order they came.
  std::vector<std::string> of(Side side, std::string_view word) const;
  bool has(const std::string& source, const std::string& target) const;
  std::size_t size() const { return size_; }

 private:
  using Words = std::map<std::string, std::vector<std::string>, std::less<>>;
  Words of_source_, of_target_;
  std::size_t size_ = 0;
};

/// What all who look share: the vocabularies, the mapping at hand, jobs, events, maps.
class Studio {
 public:
  Studio(StudioData data, const StudioSettings& settings);
  ~Studio();

  const StudioData& data() const { return data_; }
  const StudioSettings& settings() const { return settings_; }
  /// The mapping at hand; it stays alive while it is held, also where another one takes its place.
  std::shared_ptr<Bench> bench() const;
  EventBus& events() { return events_; }
  Jobs& jobs() { return jobs_; }
  const KnownPairs& lexicon() const { return lexicon_; }

  /// A map of the first words of each side, as bytes; "pca" is made at once, "umap" where a job has made it, else
  /// nullptr.
  std::shared_ptr<const std::string> map(const std::string& kind, std::size_t words);
  /// The job that makes a map; nothing where too much waits.
  std::optional<std::uint64_t> make_map(std::size_t words);
  /// Begins what makes answers quick.
  void warm_up();

 private:
  CommonSpace space_of(const Mapping* mapping) const;
  RowsBefore rows_before() const;
  std::string map_key(const Bench& bench, const std::string& kind, std::size_t words) const;

  StudioData data_;
  StudioSettings settings_;
  KnownPairs lexicon_;
  mutable std::mutex mutex_;
  std::shared_ptr<Bench> bench_;
  std::map<std::string, std::shared_ptr<const std::string>> maps_;
  Context map_context_;
  std::mutex making_map_;
  EventBus events_;
  Jobs jobs_;
};

}  // namespace wordbridge::studio
