#include "hub/hub_tables.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <optional>
#include <utility>

#include "base/atomic_file.h"
#include "base/checksum.h"
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

}  // namespace wordbridge
