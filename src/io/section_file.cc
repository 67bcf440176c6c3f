#include "io/section_file.h"

#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <cassert>
#include <cstring>

#include "base/checksum.h"
#include "base/wording.h"
#include "io/binary_reader.h"
#include "parallel/thread_pool.h"
#include "wordbridge/context.h"
#include "wordbridge/error.h"

namespace wordbridge {

/// The first 128 bytes.
struct SectionFileHeader {
  std::array<char, 8> magic = {};
  std::uint32_t version = 0;
  std::uint32_t header_bytes = 128;
  std::uint32_t block_bytes = SectionFile::kBlockBytes;
  std::uint32_t sections = 0;
  std::uint64_t directory_offset = 0;
  std::uint64_t directory_bytes = 0;
  std::uint64_t file_bytes = 0;
  std::uint64_t directory_checksum = 0;  // XXH3 of the directory
  std::array<char, 64> reserved = {};
  std::uint64_t header_checksum = 0;  // XXH3 of the 120 bytes before
};
static_assert(sizeof(SectionFileHeader) == 128);

namespace {

constexpr std::uint64_t kAlignment = 64;

/// One for each section; behind all of them come the checksums of all blocks.
struct DirectoryEntry {
  std::array<char, 40> name = {};  // filled up with zeros, one at least
  std::uint64_t offset = 0;
  std::uint64_t bytes = 0;
  std::uint64_t first_block = 0;  // its place among the checksums
};
static_assert(sizeof(DirectoryEntry) == 64);

std::uint64_t checksum_of(const SectionFileHeader& header) {
  return xxh3(&header, sizeof(header) - sizeof(header.header_checksum));
}

constexpr std::uint64_t aligned(std::uint64_t offset) { return (offset + kAlignment - 1) / kAlignment * kAlignment; }
constexpr std::uint64_t blocks_of(std::uint64_t bytes) {
  return bytes / SectionFile::kBlockBytes + (bytes % SectionFile::kBlockBytes != 0);
}

SectionFileHeader read_header(BinaryReader& reader, const SectionFormat& format) {
  SectionFileHeader header;
  if (reader.peek(format.magic.size()) != std::string_view(format.magic.data(), format.magic.size()))
    reader.fail(fmt::format("does not begin like a {} file", format.name));
  reader.read(&header, sizeof(header), "the header");
  if (header.version == 0 || header.version > format.version)
    reader.fail(fmt::format("is a {} file of version {}; this program reads version {}", format.name, header.version,
                            format.version));
  if (header.header_checksum != checksum_of(header)) reader.fail("the header is damaged: its checksum does not match");
  // A correct checksum does not make the numbers sensible.
  const std::uint64_t most = std::uint64_t{1} << 56;
  if (header.header_bytes != sizeof(header) || header.block_bytes != SectionFile::kBlockBytes ||
      header.directory_offset < sizeof(header) || header.directory_offset % 64 != 0 || header.file_bytes > most ||
      header.directory_offset > header.file_bytes ||
      header.directory_bytes != header.file_bytes - header.directory_offset)
    reader.fail("the header makes no sense");
  if (const auto remaining = reader.remaining()) {
    const std::uint64_t wanted = header.file_bytes - sizeof(header);
    if (*remaining < wanted)
      reader.fail(fmt::format("ends early: {} of its {} bytes are missing", wanted - *remaining, header.file_bytes));
    if (*remaining > wanted)
      reader.fail(counted(*remaining - wanted, "byte follows", "bytes follow") + " the end of the data");
  }
  return header;
}

}  // namespace

struct SectionFile::State {
  std::string path;
  SectionFileHeader header;
  MemoryBlock block;  // the whole file, or all behind the header where it cannot be mapped
  bool is_mapped = false;
  const char* bytes = nullptr;  // byte i of the file, behind the header, is bytes[i]
  std::vector<Entry> entries;
  std::vector<std::size_t> first_blocks;
  const char* checksums = nullptr;
  std::unique_ptr<std::atomic<std::uint8_t>[]> compared;

  std::uint64_t checksum(std::size_t number) const {
    std::uint64_t value = 0;
    std::memcpy(&value, checksums + number * sizeof(value), sizeof(value));
    return value;
  }
  void read_directory();
  [[noreturn]] void fail(const std::string& reason) const { throw InputError(path, 0, reason); }
};

void SectionFile::State::read_directory() {
  const char* directory = bytes + header.directory_offset;
  if (xxh3(directory, header.directory_bytes) != header.directory_checksum)
    fail("the directory is damaged: its checksum does not match");
  constexpr const char* kNonsense = "the directory makes no sense";
  if (header.sections > header.directory_bytes / sizeof(DirectoryEntry)) fail(kNonsense);
  const std::uint64_t checksum_bytes = header.directory_bytes - header.sections * sizeof(DirectoryEntry);
  checksums = directory + header.sections * sizeof(DirectoryEntry);
  std::uint64_t end = sizeof(SectionFileHeader), blocks = 0;
  for (std::size_t i = 0; i < header.sections; ++i) {
    DirectoryEntry entry;
    std::memcpy(&entry, directory + i * sizeof(entry), sizeof(entry));
    if (entry.name.front() == '\0' || entry.name.back() != '\0') fail(kNonsense);
    const std::string name(entry.name.data());
    if (entry.offset != aligned(end) || entry.offset > header.directory_offset ||
        entry.bytes > header.directory_offset - entry.offset || entry.first_block != blocks ||
        std::ranges::count(entries, name, &Entry::name) != 0)
      fail(kNonsense);
    end = entry.offset + entry.bytes;
    first_blocks.push_back(blocks);
    blocks += blocks_of(entry.bytes);
    entries.push_back({name, entry.offset, entry.bytes});
  }
  if (blocks * sizeof(std::uint64_t) != checksum_bytes) fail(kNonsense);
  compared = std::make_unique<std::atomic<std::uint8_t>[]>(blocks);
}

SectionFile::SectionFile(ByteStream& stream, const SectionFormat& format) {
  BinaryReader reader(stream);
  const auto state = std::make_shared<State>();
  state->path = stream.path();
  state->header = read_header(reader, format);
  if (state->header.sections == 0) reader.fail("has no sections");
  if (const auto file = reader.plain_file())
    if (auto mapped = file->map(0, state->header.file_bytes)) {
      state->block = std::move(*mapped);
      state->bytes = state->block.data;
      state->is_mapped = true;
    }
  if (!state->is_mapped) {
    state->block = reader.read_block(state->header.file_bytes - sizeof(SectionFileHeader));
    if (!reader.at_end()) reader.fail("more bytes follow the end of the data");
    state->bytes = state->block.data - sizeof(SectionFileHeader);
  }
  state->read_directory();
  state_ = state;
}

bool SectionFile::has(std::string_view name) const {
  return std::ranges::count(state_->entries, name, &Entry::name) != 0;
}

SectionFile::Section SectionFile::section(std::string_view name) const {
  const auto found = std::ranges::find(state_->entries, name, &Entry::name);
  if (found == state_->entries.end()) fail(fmt::format("has no section '{}'", name));
  Section section;
  section.state_ = state_;
  section.number_ = static_cast<std::size_t>(found - state_->entries.begin());
  section.data_ = state_->bytes + found->offset;
  section.bytes_ = found->bytes;
  return section;
}

SectionFile::Section SectionFile::sized(std::string_view name, std::size_t count, std::size_t value_bytes) const {
  const Section found = section(name);
  if (found.bytes() % value_bytes != 0 || found.bytes() / value_bytes != count)
    fail(fmt::format("section '{}' has {} bytes, not {} times {}", name, found.bytes(), count, value_bytes));
  return found;
}

std::string_view SectionFile::text(std::string_view name) const {
  const Section found = section(name);
  found.require_all();
  return {found.unchecked(), found.bytes()};
}

void SectionFile::Section::require_blocks(std::size_t begin, std::size_t end) const {
  const std::size_t first_block = state_->first_blocks[number_];
  for (std::size_t block = begin; block < end; ++block) {
    std::atomic<std::uint8_t>& compared = state_->compared[first_block + block];
    if (compared.load(std::memory_order_relaxed) != 0) continue;
    const std::size_t first = block * kBlockBytes, bytes = std::min(kBlockBytes, bytes_ - first);
    if (xxh3(data_ + first, bytes) != state_->checksum(first_block + block))
      state_->fail(fmt::format("section '{}' is damaged: the checksum of its bytes {} to {} does not match",
                               state_->entries[number_].name, first, first + bytes - 1));
    compared.store(1, std::memory_order_relaxed);
  }
}

void SectionFile::Section::require(std::size_t offset, std::size_t count) const {
  assert(offset <= bytes_ && count <= bytes_ - offset);
  if (count > 0) require_blocks(offset / kBlockBytes, (offset + count - 1) / kBlockBytes + 1);
}

void SectionFile::Section::require_all() const {
  ThreadPool::current().for_chunks(blocks_of(bytes_), 16,
                                   [&](std::size_t begin, std::size_t end, int) { require_blocks(begin, end); });
}

void SectionFile::require_all() const {
  Stage stage("checking");
  std::uint64_t end = sizeof(SectionFileHeader);
  const auto require_zeros = [&](std::uint64_t next) {
    if (std::string_view(state_->bytes + end, next - end).find_first_not_of('\0') != std::string_view::npos)
      fail("the file is damaged: bytes between its sections are not zero");
  };
  for (const Entry& entry : state_->entries) {
    stage.update(end, file_bytes(), entry.name);
    require_zeros(entry.offset);
    section(entry.name).require_all();
    end = entry.offset + entry.bytes;
  }
  require_zeros(state_->header.directory_offset);
}

const std::vector<SectionFile::Entry>& SectionFile::entries() const { return state_->entries; }
std::uint64_t SectionFile::file_bytes() const { return state_->header.file_bytes; }
const std::string& SectionFile::path() const { return state_->path; }
bool SectionFile::is_mapped() const { return state_->is_mapped; }
void SectionFile::fail(const std::string& reason) const { state_->fail(reason); }

SectionWriter::SectionWriter(AtomicFile& file, const SectionFormat& format) : file_(file), format_(format) {
  const SectionFileHeader header;  // to be replaced
  file_.write(&header, sizeof(header));
}

void SectionWriter::begin(std::string_view name) {
  end_section();
  assert(!name.empty() && name.size() < DirectoryEntry().name.size());
  assert(std::ranges::count(sections_, name, &Section::name) == 0);
  const std::string padding(aligned(file_.size()) - file_.size(), '\0');
  file_.write(padding);
  sections_.push_back({std::string(name), file_.size()});
}

void SectionWriter::write(const void* data, std::size_t bytes) {
  Section& section = sections_.back();
  file_.write(data, bytes);
  section.bytes += bytes;
  const char* next = static_cast<const char*>(data);
  while (bytes > 0) {
    const std::size_t taken = std::min(bytes, SectionFile::kBlockBytes - block_.size());
    if (taken == SectionFile::kBlockBytes) {
      section.checksums.push_back(xxh3(next, taken));
    } else {
      block_.append(next, taken);
      if (block_.size() == SectionFile::kBlockBytes) {
        section.checksums.push_back(xxh3(block_.data(), block_.size()));
        block_.clear();
      }
    }
    next += taken;
    bytes -= taken;
  }
}

void SectionWriter::end_section() {
  if (block_.empty()) return;
  sections_.back().checksums.push_back(xxh3(block_.data(), block_.size()));
  block_.clear();
}

void SectionWriter::finish() {
  end_section();
  std::string directory;
  std::uint64_t blocks = 0;
  for (const Section& section : sections_) {
    DirectoryEntry entry{{}, section.offset, section.bytes, blocks};
    std::ranges::copy(section.name, entry.name.begin());
    directory.append(reinterpret_cast<const char*>(&entry), sizeof(entry));
    blocks += section.checksums.size();
  }
  for (const Section& section : sections_)
    directory.append(reinterpret_cast<const char*>(section.checksums.data()),
                     section.checksums.size() * sizeof(std::uint64_t));
  const std::string padding(aligned(file_.size()) - file_.size(), '\0');
  file_.write(padding);
  SectionFileHeader header;
  header.magic = format_.magic;
  header.version = format_.version;
  header.sections = static_cast<std::uint32_t>(sections_.size());
  header.directory_offset = file_.size();
  header.directory_bytes = directory.size();
  header.directory_checksum = xxh3(directory.data(), directory.size());
  file_.write(directory);
  header.file_bytes = file_.size();
  header.header_checksum = checksum_of(header);
  file_.overwrite(0, &header, sizeof(header));
}

}  // namespace wordbridge
