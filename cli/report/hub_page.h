#pragma once
#include <map>
#include <string>

#include "cli/report/table.h"
#include "hub/hub_manifest.h"
#include "wordbridge/mapping.h"

namespace wordbridge::cli {

/// A row for each language: how it was aligned, P@1 to and from the pivot and on average with all others.
Table hub_table(const HubManifest& manifest);

/// Lines that go with the table: the mean over all pairs, which maps are recommended and why, what failed.
std::string hub_notes(const HubManifest& manifest);

/// All of it as one HTML file; `provenances` are those of the mappings, by language.
std::string hub_page(const HubManifest& manifest, const std::map<std::string, Provenance>& provenances);

}  // namespace wordbridge::cli
