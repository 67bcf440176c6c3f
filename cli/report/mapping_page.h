#pragma once
#include <span>
#include <string>
#include <vector>

#include "cli/report/html_page.h"
#include "cli/report/mapping_findings.h"
#include "cli/report/table.h"
#include "evaluation/reliability.h"
#include "experiments/measurement_records.h"
#include "wordbridge/mapping.h"

namespace wordbridge::cli {

// What pages say about one mapping.

/// Where it comes from: method, options, vectors, lexicon, seed, version.
Table provenance_table(const Provenance& provenance);

/// Charts of how it was learned, each a column of the page: the loss by step, the settings that were tried. Nothing
/// where the method has neither.
void add_training(HtmlPage& page, const AlignmentReport& report);

/// How often targets are chosen, by criterion: a chart and a table, a column of the page.
void add_hubness(HtmlPage& page, std::span<const HubnessRecord> records);

/// The surest translations by a criterion, right and wrong ones beside each other.
void add_confident(HtmlPage& page, const std::string& criterion, const std::vector<ConfidentTranslation>& right,
                   const std::vector<ConfidentTranslation>& wrong);

/// All of it as one HTML file.
std::string mapping_page(const MappingFindings& findings);

}  // namespace wordbridge::cli
