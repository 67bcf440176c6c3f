#pragma once
#include <string>
#include <vector>

#include "cli/report/table.h"
#include "evaluation/item_retrieval.h"
#include "wordbridge/mapping.h"

namespace wordbridge {

/// What `evaluate retrieval` found, for its table, its JSON and its page.
struct RetrievalFindings {
  /// A query that loses much.
  struct Lost {
    std::string query, own, first;    // ids: its own item (empty: it has none), and what came first instead
    std::size_t own_rank = 0;         // 0: not among those that were looked at
    std::vector<double> values = {};  // of the measures
  };
  std::string adapter = {}, source = {}, target = {};  // files
  Provenance provenance = {};                          // of the adapter
  std::vector<RetrievalMeasure> measures = {};
  std::vector<RetrievalResult> results = {};  // the adapter by nearest neighbor comes first
  std::vector<RetrievalEvaluation::Crowd> crowds = {};
  std::vector<Lost> lost = {};
  std::size_t queries = 0, items = 0;
  bool learned_from_these = false;  // the queries are, or may be, what the adapter was learned from
};

/// The systems of RetrievalResult.
inline constexpr const char* kAdapted = "adapter";
inline constexpr const char* kAsTheyAre = "no adapter";
inline constexpr const char* kEmbeddedAgain = "embedded again";
inline constexpr const char* kOldModel = "old model";

Table to_table(const RetrievalFindings& findings);
Table crowds_table(const RetrievalFindings& findings);
Table lost_table(const RetrievalFindings& findings);
/// One line: whether to go on with this adapter or to embed everything again, and by which figures. Below 80% of what
/// embedding again gives, the advice is to embed again; from 95% on, to keep the index.
std::string verdict(const RetrievalFindings& findings);
std::string to_json(const RetrievalFindings& findings);
/// All of it on one page, with the learning curve of the adapter where it has one.
std::string retrieval_page(const RetrievalFindings& findings);

}  // namespace wordbridge
