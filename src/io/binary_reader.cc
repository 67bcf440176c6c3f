#include "io/binary_reader.h"

#include <fmt/format.h>

#include <algorithm>

#include "wordbridge/error.h"

namespace wordbridge {

std::size_t BinaryReader::read_some(void* buffer, std::size_t bytes) {
  const std::size_t got = stream_.read(static_cast<char*>(buffer), bytes);
  offset_ += got;
  if (got < bytes) stream_.peek(1);  // a compressed stream that ends early says so only now
  return got;
}

MemoryBlock BinaryReader::read_block(std::uint64_t bytes) {
  MemoryBlock block = wordbridge::read_block(stream_, bytes);
  offset_ += bytes;
  return block;
}

void BinaryReader::read(void* buffer, std::size_t bytes, std::string_view what) {
  if (read_some(buffer, bytes) < bytes) fail(fmt::format("ends early, in {}", what));
}

std::optional<std::string> BinaryReader::read_word(char end) {
  // Nearly all words are short: a small look first, so that the stream need not gather much.
  for (const std::size_t look : {std::size_t{256}, kMaxWordBytes + 1}) {
    const std::string_view bytes = stream_.peek(look);
    const std::size_t length = bytes.find(end);
    if (length == std::string_view::npos) continue;
    std::string word(length + 1, '\0');
    read_some(word.data(), word.size());
    word.pop_back();
    return word;
  }
  return std::nullopt;
}

std::optional<std::uint64_t> BinaryReader::remaining() const {
  const auto size = stream_.file_size();
  if (!size || !stream_.compression().empty()) return std::nullopt;
  return *size - std::min(*size, offset_);
}

void BinaryReader::require(std::uint64_t bytes, std::string_view what) const {
  const auto left = remaining();
  if (left && bytes > *left)
    fail(fmt::format("{} takes {} bytes, but only {} are left in the file", what, bytes, *left));
}

void BinaryReader::fail(const std::string& reason) const { throw InputError(stream_.path(), 0, reason); }

}  // namespace wordbridge
