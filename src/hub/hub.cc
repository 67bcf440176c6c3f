#include "wordbridge/hub.h"

#include <fmt/format.h>

#include <utility>

#include "base/wording.h"
#include "hub/hub_manifest.h"
#include "hub/hub_mapping.h"
#include "io/byte_stream.h"
#include "wordbridge/error.h"
#include "wordbridge/formats.h"

namespace wordbridge {

Hub::Hub(std::string folder) : folder_(std::move(folder)) {
  constexpr std::size_t kMostBytes = std::size_t{256} << 20;
  const std::string path = HubFolder(folder_).manifest();
  manifest_ = std::make_shared<const HubManifest>(parse_manifest(read_whole(path, kMostBytes, "a manifest"), path));
  if (manifest_->find(manifest_->pivot) == nullptr) throw InputError(path, 0, "does not have its pivot");
}

const std::string& Hub::pivot() const { return manifest_->pivot; }

std::vector<std::string> Hub::languages() const {
  std::vector<std::string> names;
  for (const HubManifest::Language& language : manifest_->languages) names.push_back(language.name);
  return names;
}

const std::map<std::string, std::string>& Hub::failed() const { return manifest_->failed; }

std::optional<double> Hub::precision(const std::string& source, const std::string& target) const {
  require(source);
  require(target);
  const DirectionRecord* record = manifest_->score(source, target);
  return record == nullptr ? std::nullopt : std::optional(record->precision[0]);
}

std::optional<double> Hub::reranked_precision(const std::string& source, const std::string& target) const {
  require(source);
  require(target);
  const DirectionRecord* record = manifest_->score(source, target);
  return record == nullptr || !record->is_reranked() ? std::nullopt : std::optional(record->reranked[0]);
}

void Hub::require(const std::string& language) const {
  if (manifest_->find(language) != nullptr) return;
  if (const auto failed = manifest_->failed.find(language); failed != manifest_->failed.end())
    throw UsageError(fmt::format("'{}' could not be aligned: {}", language, failed->second));
  const std::string near = closest(language, languages());
  throw UsageError(fmt::format("the hub {} has no language '{}'{}", folder_, language,
                               near.empty() ? "" : fmt::format("; it has '{}'", near)));
}

std::string Hub::vectors_path(const std::string& language) const {
  require(language);
  return HubFolder(folder_).resolve(manifest_->find(language)->table);
}

WordVectors Hub::vectors(const std::string& language) const {
  return read_vectors(vectors_path(language), {.max_words = static_cast<std::size_t>(manifest_->max_words)});
}

Mapping Hub::read(const std::string& language) const {
  return read_mapping(HubFolder(folder_).resolve(manifest_->find(language)->mapping));
}

Mapping Hub::mapping(const std::string& source, const std::string& target) const {
  require(source);
  require(target);
  if (source == target) throw UsageError(fmt::format("'{}' is asked to be translated into itself", source));
  if (const DirectionRecord* record = manifest_->score(source, target); record != nullptr && record->is_reranked())
    return read_mapping(HubFolder(folder_).resolve(record->mapping));
  if (target == pivot()) return read(source);
  const Mapping second = read(target);
  return source == pivot() ? from_pivot(second) : between(read(source), second);
}

Mapping Hub::mapping(const std::string& language, double* distortion) const {
  require(language);
  if (language != pivot()) return into_pivot_space(read(language), distortion);
  if (distortion != nullptr) *distortion = 0;
  for (const HubManifest::Language& other : manifest_->languages)
    if (!other.mapping.empty()) return pivot_itself(read(other.name));
  throw UsageError(fmt::format("the hub {} has no language beside its pivot '{}'", folder_, language));
}

CommonSpace Hub::space(const std::string& source, const std::string& target) const {
  const Mapping map = mapping(source, target);
  return CommonSpace(map, vectors(source), vectors(target));
}

}  // namespace wordbridge
