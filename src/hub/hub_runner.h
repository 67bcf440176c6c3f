#pragma once
#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "hub/hub_jobs.h"
#include "hub/hub_manifest.h"
#include "hub/hub_work.h"
#include "parallel/job_queue.h"

namespace wordbridge {

/// Is told how the work for a hub goes, on the thread that started it.
class HubObserver {
 public:
  virtual ~HubObserver() = default;
  /// Something is done; a line for people.
  virtual void note(const std::string& /*line*/) {}
  /// A language failed: the others go on.
  virtual void failed(const std::string& /*language*/, const std::string& /*reason*/) {}
};

struct HubOptions {
  std::string folder;            // of the hub
  std::uint64_t memory = 0;      // bytes that jobs may take together; 0: little, or at most what is free
  std::size_t matrix_words = 0;  // of each language, in measurements; 0: all
  bool matrix = true;            // measure all pairs of languages; else only those with the pivot
  bool rerank = true;            // learn to rank translations anew, for each pair that is measured
  bool lenient = false;          // skip damaged rows and lines
  bool align = true;             // else languages that are not aligned yet count as failed
};

/// What other processes must do before a hub can be joined.
struct HubTasks {
  bool pivot = false;                  // keep the table of the pivot, which the others would each make
  std::vector<std::string> languages;  // to be aligned, by name
};

/// Aligns all languages of a list to its pivot, measures all pairs, and leaves everything in a folder. What is finished
/// there already, by the checksums of all that goes in, is not done again. A language that fails stops no other one.
class HubRunner {
 public:
  /// UsageError for invalid settings, before anything is read.
  HubRunner(LanguageList list, HubOptions options, HubObserver& observer);
  /// The same by several processes, which make the same files together; each may use its own memory and threads.
  HubRunner(LanguageList list, HubOptions options, HubObserver& observer, Communicator& communicator);
  HubRunner(const HubRunner&) = delete;
  HubRunner& operator=(const HubRunner&) = delete;

  /// Error where the pivot cannot be read. The manifest is written last, by the first process.
  HubManifest run();
  /// Aligns these languages and keeps their tables; the pivot is only kept. Gives those that failed, and why. Of
  /// several processes that do so, each for itself, none disturbs another; afterwards run() finds what they did.
  std::map<std::string, std::string> align_only(const std::vector<std::string>& languages);
  /// What is not done yet, as far as that shows without reading vectors: those that are done, but not known to be, are
  /// among them. Languages that cannot be aligned are left out, and told. Error where the pivot cannot be read.
  HubTasks open_tasks();

 private:
  void start();
  void find_digests();
  void find_lexicon_digests();
  void align_languages();
  /// Those that are not finished.
  std::vector<const LanguageAligner*> open_languages();
  void align(const std::vector<const LanguageAligner*>& open);
  /// False where there is nothing to learn that the star does not know.
  bool learn_jointly();
  /// Two languages, and what comes out of measuring them.
  struct MeasuredPair {
    LanguagePair languages;
    PairMeasurer measurer;
    std::optional<PairRecord> record = std::nullopt;
  };
  /// `checksums` of the mappings, by language; they must outlive the result.
  std::vector<MeasuredPair> pairs_to_measure(HubMaps maps, const std::map<std::string, std::string>& checksums,
                                             HubManifest::Scores& scores) const;
  HubManifest::Scores measure_pairs(HubMaps maps);
  HubManifest manifest();
  void add_languages(HubManifest& manifest);
  void fail(const std::string& language, const std::string& reason);
  /// Bytes that may be taken in all.
  std::uint64_t memory() const;
  /// Bytes that these jobs may take together.
  std::uint64_t memory_for(const std::vector<Job>& jobs) const;

  LanguageList list_;
  HubOptions options_;
  HubObserver& observer_;
  LocalCommunicator local_;
  Communicator& communicator_;
  HubFolder folder_;
  std::optional<HubTeam> team_;
  std::map<std::string, std::string> digests_;  // by path
  HubTables tables_;
  HubWork work_;
  std::vector<LanguageAligner> aligners_;                            // of all languages but the pivot, by name
  std::map<HubMaps, std::map<std::string, AlignedRecord>> aligned_;  // by language
  std::map<std::string, std::string> failed_;
};

}  // namespace wordbridge
