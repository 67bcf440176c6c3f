#include "hub/hub_work.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <cstdint>
#include <cstring>
#include <filesystem>
#include <optional>
#include <utility>

#include "base/atomic_file.h"
#include "base/checksum.h"
#include "base/result_cache.h"
#include "mapping/mapping_format.h"
#include "wordbridge/context.h"
#include "wordbridge/error.h"
#include "wordbridge/formats.h"
#include "wordbridge/version.h"

namespace wordbridge {

namespace fs = std::filesystem;

std::string HubTables::key(const std::string& language) const {
  Sha256 hash;
  hash.update(fmt::format("table {} {} {} {}", version(), digests_.at(list_.find(language)->vectors), list_.max_words,
                          lenient_));
  return to_hex(hash.finish());
}

std::optional<TableRecord> HubTables::find(const std::string& language) const {
  if (!digests_.contains(list_.find(language)->vectors)) return std::nullopt;
  const auto text = read_kept_file(folder_.table_record(language));
  std::optional<TableRecord> record = text ? parse_table_record(*text) : std::nullopt;
  if (!record || record->key != key(language)) return std::nullopt;
  std::error_code error;
  const auto size = fs::file_size(folder_.resolve(record->path), error);
  if (error || size != record->bytes) return std::nullopt;
  return record;
}

WordVectors HubTables::load(const std::string& language) const {
  if (const auto record = find(language)) {
    try {
      return read_vectors(folder_.resolve(record->path), {.max_words = list_.max_words, .lenient = lenient_});
    } catch (const InputError&) {
      // Damaged since: it is made again from the file of the list, whose own damage shows there.
    }
  }
  return read_and_keep(language);
}

void HubTables::keep(const std::string& language) const {
  if (!find(language)) static_cast<void>(read_and_keep(language));
}

WordVectors HubTables::read_and_keep(const std::string& language) const {
  const std::string& path = list_.find(language)->vectors;
  WordVectors vectors = read_vectors(path, {.max_words = list_.max_words, .lenient = lenient_});
  if (vectors.size() == 0) throw InputError(path, 0, "holds no words");
  TableRecord record{key(language), {}, 0, vectors.size(), vectors.dimension(), {}};
  const ReadSummary& summary = vectors.summary();
  if (summary.format == "wordbridge" && summary.compression.empty()) {
    record.path = fs::absolute(path).lexically_normal().string();
    record.checksum = vectors.content_checksum();
  } else {
    record.path = HubFolder::table_name(language);
    write_vectors(folder_.resolve(record.path), VectorFormat::native, vectors);
    // Mapped from there, the memory can be taken back by the system, and the checksum is known.
    vectors = read_vectors(folder_.resolve(record.path));
    record.checksum = vectors.content_checksum();
  }
  record.bytes = fs::file_size(folder_.resolve(record.path));
  write_kept_file(folder_.table_record(language), to_record(record));
  return vectors;
}

std::uint64_t HubTables::bytes(const std::string& language) const {
  if (const auto record = find(language)) return record->words * record->dimension * sizeof(float);
  const std::string& path = list_.find(language)->vectors;
  try {
    const auto source = open_vectors(path, {.max_words = list_.max_words, .lenient = lenient_});
    std::error_code error;
    const std::uint64_t size = fs::file_size(path, error);
    const std::uint64_t guessed = error ? 0 : size / source->dimension();  // a number takes more than a byte
    std::uint64_t rows = source->promised_rows().value_or(guessed);
    if (list_.max_words > 0) rows = std::min<std::uint64_t>(rows, list_.max_words);
    return rows * source->dimension() * sizeof(float);
  } catch (const Error&) {
    return 0;  // whoever reads it will say what is wrong
  }
}

namespace {

void append_text(std::string& bytes, const std::string& text) {
  const std::uint64_t size = text.size();
  bytes.append(reinterpret_cast<const char*>(&size), sizeof(size));
  bytes += text;
}

std::string take_text(const std::string& bytes, std::size_t& at) {
  std::uint64_t size = 0;
  std::memcpy(&size, bytes.data() + at, sizeof(size));
  at += sizeof(size) + size;
  return bytes.substr(at - size, size);
}

}  // namespace

HubTeam::HubTeam(const HubFolder& folder, Communicator& communicator) : communicator_(communicator) {
  if (communicator.size() == 1) return;
  // A name of its own: the claims of a run that was killed are no longer worth anything.
  const auto now = std::chrono::system_clock::now().time_since_epoch().count();
  folder_ = communicator.broadcast(fmt::format("{}/claims.{}.{}", folder.work(), ::getpid(), now), 0);
  std::error_code error;
  std::filesystem::create_directories(folder_, error);
  if (error) throw IoError(folder_, "cannot make the folder", error.value());
}

HubTeam::~HubTeam() {
  std::error_code ignored;
  if (is_first() && !folder_.empty()) std::filesystem::remove_all(folder_, ignored);
}

bool HubTeam::claim(const std::string& work) const {
  if (folder_.empty()) return true;
  const std::string path = folder_ + "/" + work;
  const int descriptor = ::open(path.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
  if (descriptor < 0 && errno != EEXIST) throw IoError(path, "cannot write", errno);
  if (descriptor >= 0) ::close(descriptor);
  return descriptor >= 0;
}

std::map<std::string, std::string> HubTeam::share(const std::map<std::string, std::string>& own) const {
  std::string bytes;
  for (const auto& [name, value] : own) {
    append_text(bytes, name);
    append_text(bytes, value);
  }
  std::map<std::string, std::string> all;
  for (const std::string& some : communicator_.all_gather(bytes))
    for (std::size_t at = 0; at < some.size();) {
      std::string name = take_text(some, at);
      all.emplace(std::move(name), take_text(some, at));
    }
  return all;
}

std::string sha256_of(const std::string& bytes) {
  Sha256 hash;
  hash.update(bytes);
  return to_hex(hash.finish());
}

void refuse_own_inputs(const LanguageList& list, const std::string& folder) {
  const auto whole = [](const std::string& path) { return std::filesystem::absolute(path).lexically_normal(); };
  const auto refuse = [&](const std::string& path) {
    const std::filesystem::path inside = whole(path).lexically_relative(whole(folder + "/"));
    const std::string first = inside.empty() ? ".." : inside.begin()->string();
    if (first == "languages" || first == "joint" || first == "vectors" || first == "pairs" || first == "work" ||
        first == "slurm")
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
