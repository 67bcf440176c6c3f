#pragma once
#include <memory>

#include "io/section_file.h"
#include "mapping/rerank_model.h"
#include "retrieval/rerank/spelling_resources.h"

namespace wordbridge {

/// The name by which a space shares its spelling resources.
inline constexpr const char* kSharedSpelling = "spelling resources";

/// Writes what a re-ranker knows of the spellings of two vocabularies (sections "spelling", "spelling.*").
void write_spelling(SectionWriter& writer, const SpellingResources& spelling, const RerankModel& model);
/// Shows it where it lies; nullptr where there is none, or it was made by other rules than those of this program.
/// InputError for damage.
std::shared_ptr<SpellingResources> read_spelling(const SectionFile& file, const RerankModel* model,
                                                 std::size_t source_words, std::size_t target_words);

}  // namespace wordbridge
