#pragma once
#include <condition_variable>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <thread>
#include <vector>

#include "lexicon/word_pairs.h"
#include "studio/bench.h"
#include "studio/jobs.h"
#include "studio/layout.h"
#include "studio/project.h"
#include "studio/review.h"
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
  std::optional<WordPairs> lexicon;                     // what is known
  std::optional<WordPairs> validation;                  // what mappings are judged on, and never learned from
  std::vector<std::pair<std::string, Mapping>> others;  // further mappings of the same vectors, by name
  std::string project;                                  // its file; empty: nothing can be changed
};

struct StudioSettings {
  int threads = 0;
  std::uint64_t seed = 1;
  std::string author = "somebody";  // of decisions for which no other is named
};

/// What all who look share: the vocabularies, the mapping at hand, decisions, jobs, events, maps.
class Studio {
 public:
  Studio(StudioData data, const StudioSettings& settings);
  ~Studio();
  Studio(const Studio&) = delete;
  Studio& operator=(const Studio&) = delete;

  const StudioData& data() const { return data_; }
  const StudioSettings& settings() const { return settings_; }
  bool read_only() const { return project_ == nullptr; }
  /// nullptr where nothing can be changed.
  Project* project() { return project_.get(); }
  /// The mapping at hand; it stays alive while it is held, also where another one takes its place.
  std::shared_ptr<Bench> bench() const;
  std::shared_ptr<const ReviewQueue> queue() const;
  EventBus& events() { return events_; }
  Jobs& jobs() { return jobs_; }
  const KnownPairs& lexicon() const { return lexicon_; }
  /// Whether new mappings can be learned: the vectors are here as they were read.
  bool can_train() const { return project_ != nullptr && data_.source != nullptr && data_.mapping.has_value(); }

  /// What stands, while nobody changes it.
  template <class Look>
  auto look_at_verdicts(const Look& look) const {
    const std::lock_guard lock(verdicts_mutex_);
    return look(verdicts_);
  }
  /// Durable when it returns; told to all who listen.
  Decision decide(Decision decision);
  std::size_t decide_all(std::vector<Decision> decisions);
  std::optional<Decision> undo(std::int64_t id);

  /// A map of the first words of each side, as bytes; "pca" is made at once, "umap" where a job has made it, else
  /// nullptr.
  std::shared_ptr<const std::string> map(const std::string& kind, std::size_t words);
  /// The job that makes a map; nothing where too much waits.
  std::optional<std::uint64_t> make_map(std::size_t words);
  /// Begins what makes answers quick, and the suggestions.
  void warm_up();

  std::vector<MappingRecord> mappings();
  /// Nothing where there is none of this number.
  std::optional<Mapping> mapping(std::int64_t id);
  /// The job that learns a mapping from the lexicon and what was decided; nothing where too much waits.
  std::optional<std::uint64_t> train();
  /// Takes a mapping of the history into use. False where there is none of this number.
  bool use_mapping(std::int64_t id);
  /// Two mappings on the words that are held out: where they differ, and how sure it is that one is better.
  Json compare(std::int64_t first, std::int64_t second);

 private:
  CommonSpace space_of(const Mapping& mapping) const;
  RowsBefore rows_before() const;
  static std::string map_name(const std::string& kind, std::size_t words);
  void open_project();
  void set_bench(CommonSpace space, std::int64_t mapping);
  void watch_project();
  Json train_now();
  std::int64_t base_mapping(const WordPairs& train);
  void tell_decision(const Decision& decision);

  StudioData data_;
  StudioSettings settings_;
  KnownPairs lexicon_;
  std::unique_ptr<Project> project_;
  mutable std::mutex mutex_;
  std::shared_ptr<Bench> bench_;
  std::shared_ptr<ReviewQueue> queue_;
  std::map<std::pair<std::uint64_t, std::string>, std::shared_ptr<const std::string>> maps_;  // by mapping and name
  mutable std::mutex verdicts_mutex_;
  Verdicts verdicts_;
  Context map_context_;
  std::mutex making_map_, comparing_;
  EventBus events_;
  Jobs jobs_;
  std::mutex ending_mutex_;
  std::condition_variable ending_changed_;
  bool ending_ = false;
  std::thread watcher_;
};

}  // namespace wordbridge::studio
