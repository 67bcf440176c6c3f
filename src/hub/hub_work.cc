#include "hub/hub_work.h"

#include <fmt/format.h>

#include <filesystem>
#include <utility>

#include "base/atomic_file.h"
#include "base/checksum.h"
#include "base/result_cache.h"
#include "mapping/mapping_format.h"
#include "wordbridge/context.h"
#include "wordbridge/error.h"

namespace wordbridge {

namespace {

std::string sha256_of(const std::string& bytes) {
  Sha256 hash;
  hash.update(bytes);
  return to_hex(hash.finish());
}

}  // namespace

void refuse_own_inputs(const LanguageList& list, const std::string& folder) {
  const auto whole = [](const std::string& path) { return std::filesystem::absolute(path).lexically_normal(); };
  const auto refuse = [&](const std::string& path) {
    const std::filesystem::path inside = whole(path).lexically_relative(whole(folder + "/"));
    const std::string first = inside.empty() ? ".." : inside.begin()->string();
    if (first == "languages" || first == "joint" || first == "vectors" || first == "work" || first == "slurm")
      throw UsageError(fmt::format("{} lies where the hub {} writes: take another folder", path, folder));
  };
  for (const LanguageEntry& language : list.languages) refuse(language.vectors);
  for (const auto& [pair, lexicons] : list.lexicons)
    for (const std::string& path : {lexicons.train, lexicons.validation, lexicons.test})
      if (!path.empty()) refuse(path);
}

std::string HubWork::key_of(Parts parts) {
  parts["seed"] = std::to_string(Context::current().seed());
  return ResultCache::key_of(parts);
}

const std::string& HubWork::digest(const std::string& path) const {
  const auto found = digests.find(path);
  if (found == digests.end()) throw Error(path + ": cannot be read");
  return found->second;
}

void HubWork::add(Parts& parts, const std::string& name, const LexiconChoice& lexicon) const {
  std::string& text = parts[name];
  for (const auto* files : {&lexicon.files, &lexicon.onward}) {
    for (const LexiconFile& file : *files)
      text += fmt::format("{} {} {} {};", digest(file.path), file.swapped, static_cast<int>(file.part), file.by_target);
    text += '|';
  }
  text += lenient ? "lenient" : "";
}

std::optional<AlignedRecord> HubWork::finished(const std::string& language, HubMaps maps,
                                               const std::string& key) const {
  const auto text = read_kept_file(folder.language_record(language, maps));
  std::optional<AlignedRecord> record = text ? parse_aligned_record(*text) : std::nullopt;
  if (!record || record->key != key) return std::nullopt;
  const auto bytes = read_kept_file(folder.resolve(HubFolder::mapping_name(language, maps)), kMostMappingBytes);
  if (!bytes || sha256_of(*bytes) != record->mapping) return std::nullopt;
  return record;
}

AlignedRecord HubWork::finish(const std::string& language, HubMaps maps, const std::string& key,
                              const Mapping& mapping) const {
  const std::string bytes = mapping_bytes(mapping);
  write_kept_file(folder.resolve(HubFolder::mapping_name(language, maps)), bytes);
  AlignedRecord record{key, sha256_of(bytes), mapping.provenance.method, mapping.provenance.lexicon,
                       mapping.provenance.report.warnings};
  write_kept_file(folder.language_record(language, maps), to_record(record));
  return record;
}

void HubWork::remember_failure(const std::string& language, const std::string& key, const std::string& reason) const {
  write_kept_file(folder.failure_record(language), to_record(FailureRecord{key, reason}));
}

std::optional<std::string> HubWork::failure(const std::string& language, const std::string& key) const {
  const auto text = read_kept_file(folder.failure_record(language));
  const std::optional<FailureRecord> record = text ? parse_failure_record(*text) : std::nullopt;
  return record && record->key == key ? std::optional(record->reason) : std::nullopt;
}

Mapping HubWork::mapping(const std::string& language, HubMaps maps) const {
  return read_mapping(folder.resolve(HubFolder::mapping_name(language, maps)));
}

}  // namespace wordbridge
