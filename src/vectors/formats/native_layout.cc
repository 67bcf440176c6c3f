#include "vectors/formats/native_layout.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cassert>
#include <cstring>
#include <limits>

#include "io/binary_reader.h"
#include "wordbridge/error.h"

namespace wordbridge {

namespace {

constexpr std::uint64_t kMaxRows = std::numeric_limits<std::uint32_t>::max();

std::uint64_t checksum_of(const NativeHeader& header) {
  return xxh3(&header, sizeof(header) - sizeof(header.header_checksum));
}

bool all_zero_bytes(std::string_view bytes) { return bytes.find_first_not_of('\0') == std::string_view::npos; }

/// The sizes and offsets that follow from rows, dimension and words_bytes.
void lay_out(NativeHeader& header) {
  header.words_offset = native_aligned(header.table_end());
  header.index_offset = native_aligned(header.words_offset + header.words_bytes);
  header.file_bytes = header.index_offset + header.blocks() * header.entry_bytes;
}

}  // namespace

std::size_t NativeHeader::rows_of(std::size_t block) const {
  return static_cast<std::size_t>(std::min<std::uint64_t>(block_rows, rows - std::uint64_t{block_rows} * block));
}

NativeHeader make_native_header(std::uint64_t rows, std::uint64_t dimension, std::uint64_t words_bytes,
                                std::span<const NativeEntry> index, std::uint64_t space) {
  NativeHeader header;
  header.rows = rows;
  header.dimension = dimension;
  header.words_bytes = words_bytes;
  header.space = space;
  lay_out(header);
  header.index_checksum = xxh3(index.data(), index.size_bytes());
  header.header_checksum = checksum_of(header);
  return header;
}

NativeHeader parse_native_header(const std::string& path, std::span<const char, 128> bytes) {
  NativeHeader header;
  std::memcpy(&header, bytes.data(), sizeof(header));
  if (header.magic != kNativeMagic) throw InputError(path, 0, "does not begin like a .wbvec file");
  if (header.version != kNativeVersion)
    throw InputError(
        path, 0,
        fmt::format("is a .wbvec file of version {}; this program reads version {}", header.version, kNativeVersion));
  if (header.header_checksum != checksum_of(header))
    throw InputError(path, 0, "the header is damaged: its checksum does not match");
  // A correct checksum does not make the numbers sensible.
  NativeHeader expected = header;
  expected.table_offset = NativeHeader().table_offset;
  expected.block_rows = NativeHeader().block_rows;
  expected.entry_bytes = NativeHeader().entry_bytes;
  expected.reserved = {};
  const bool sizes_fit = header.rows <= kMaxRows && header.dimension > 0 && header.dimension <= kMaxDimension &&
                         header.words_bytes <= std::numeric_limits<std::uint64_t>::max() / 4;
  if (sizes_fit) lay_out(expected);
  if (!sizes_fit || std::memcmp(&expected, &header, sizeof(header)) != 0)
    throw InputError(path, 0,
                     fmt::format("the header makes no sense ({} rows of dimension {}, {} bytes of words)", header.rows,
                                 header.dimension, header.words_bytes));
  return header;
}

NativeTail::NativeTail(const std::string& path, const NativeHeader& header, std::string_view tail) : header_(header) {
  assert(tail.size() == header.file_bytes - header.table_end());
  const std::size_t words = header.words_offset - header.table_end();
  const std::size_t index = header.index_offset - header.table_end();
  words_ = tail.substr(words, header.words_bytes);
  if (!all_zero_bytes(tail.substr(0, words)) ||
      !all_zero_bytes(tail.substr(words + header.words_bytes, index - words - header.words_bytes)))
    throw InputError(path, 0, "the file is damaged: bytes between its parts are not zero");
  if (xxh3(tail.data() + index, tail.size() - index) != header.index_checksum)
    throw InputError(path, 0, "the index is damaged: its checksum does not match");
  index_.resize(header.blocks());
  if (!index_.empty()) std::memcpy(index_.data(), tail.data() + index, tail.size() - index);
  std::uint64_t begin = 0;
  for (const NativeEntry& entry : index_) {
    if (entry.words_begin != begin || entry.words_bytes > header.words_bytes - begin)
      throw InputError(path, 0, "the index makes no sense");
    begin += entry.words_bytes;
  }
  if (begin != header.words_bytes) throw InputError(path, 0, "the index makes no sense");
}

std::optional<std::vector<std::string_view>> NativeTail::words(std::size_t block) const {
  const NativeEntry& entry = index_[block];
  std::string_view bytes = words_.substr(entry.words_begin, entry.words_bytes);
  if (xxh3(bytes.data(), bytes.size()) != entry.words_checksum) return std::nullopt;
  std::vector<std::string_view> words;
  words.reserve(header_.rows_of(block));
  while (words.size() < header_.rows_of(block)) {
    std::uint32_t length = 0;
    if (bytes.size() < sizeof(length)) return std::nullopt;
    std::memcpy(&length, bytes.data(), sizeof(length));
    bytes.remove_prefix(sizeof(length));
    if (bytes.size() < length) return std::nullopt;
    words.push_back(bytes.substr(0, length));
    bytes.remove_prefix(length);
  }
  return bytes.empty() ? std::optional(std::move(words)) : std::nullopt;
}

void append_native_word(std::string& words, std::string_view word) {
  const auto length = static_cast<std::uint32_t>(word.size());
  words.append(reinterpret_cast<const char*>(&length), sizeof(length));
  words.append(word);
}

}  // namespace wordbridge
