#include "experiments/loaded_vectors.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <utility>

#include "mapping/mapping_format.h"
#include "wordbridge/error.h"
#include "wordbridge/formats.h"

namespace wordbridge {

namespace {

constexpr std::size_t kTablesKept = 3;

}  // namespace

std::shared_ptr<const WordVectors> LoadedVectors::vectors(const std::string& path, std::size_t max_words) {
  const std::string name = fmt::format("{} {}", max_words, path);
  if (const auto found = std::ranges::find(tables_, name, &Table::name); found != tables_.end()) {
    tables_.splice(tables_.begin(), tables_, found);
    return tables_.front().vectors;
  }
  if (tables_.size() >= kTablesKept) tables_.pop_back();
  const auto begin = std::chrono::steady_clock::now();
  auto read = std::make_shared<const WordVectors>(read_vectors(path, {.max_words = max_words}));
  observer_.read_vectors(read->summary(),
                         std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count());
  tables_.push_front({name, std::move(read)});
  return tables_.front().vectors;
}

CommonSpace LoadedVectors::space(const Parts& parts) {
  const std::string name = fmt::format("{} {} {} {}", parts.mapping_key, parts.max_words, parts.source, parts.target);
  if (space_ && space_->name == name) return space_->space;
  space_.reset();
  const auto source = vectors(parts.source, parts.max_words), target = vectors(parts.target, parts.max_words);
  if (parts.mapping_key.empty() && source->dimension() != target->dimension())
    throw UsageError(fmt::format("{} and {} do not share a space", parts.source, parts.target));
  space_ = Space{name, parts.mapping_key.empty() ? CommonSpace(*source, *target)
                                                 : CommonSpace(read_mapping(parts.mapping_path), *source, *target)};
  return space_->space;
}

CommonSpace LoadedVectors::space_of_one(const Parts& parts) {
  const auto source = vectors(parts.source, parts.max_words);
  return parts.mapping_key.empty() ? CommonSpace::of_one(*source)
                                   : CommonSpace::of_one(read_mapping(parts.mapping_path), *source, Side::source);
}

}  // namespace wordbridge
