#include "vectors/formats/word_list.h"

#include <fmt/format.h>

#include <cstring>
#include <filesystem>
#include <string_view>
#include <utility>

#include "io/binary_reader.h"
#include "vectors/formats/text_rows.h"
#include "wordbridge/error.h"

namespace wordbridge {

std::uint64_t WordsDigest::value() {
  const Sha256::Digest digest = hash_.finish();
  std::uint64_t value = 0;
  std::memcpy(&value, digest.data(), sizeof(value));
  return value;
}

WordList::WordList(std::string path) : path_(std::move(path)) {
  std::error_code error;
  const bool keep = path_ == "-" || !std::filesystem::is_regular_file(path_, error);
  open();
  WordsDigest digest;
  while (auto word = read()) {
    ++size_;
    if (!word->empty()) filled_size_ = size_;
    digest.add(*word);
    if (keep) kept_.push_back(std::move(*word));
  }
  digest_ = digest.value();
  if (!keep) open();
}

void WordList::open() {
  lines_.reset();
  stream_ = open_bytes(path_);
  byte_order_mark_ = stream_->peek(kByteOrderMark.size()) == kByteOrderMark;
  lines_ = std::make_unique<LineReader>(*stream_, "a list of words");
}

std::optional<std::string> WordList::read() {
  auto line = lines_->next();
  if (!line) return std::nullopt;
  if (line->ends_with('\r')) {
    carriage_returns_ = true;
    line->remove_suffix(1);
  }
  if (line->size() > kMaxWordBytes)
    throw InputError(path_, lines_->number(), fmt::format("a line of more than {} bytes", kMaxWordBytes));
  return std::string(*line);
}

std::string WordList::next() {
  if (given_ < kept_.size()) return std::move(kept_[given_++]);
  auto word = read();
  if (!word) throw InputError(path_, 0, "became shorter while it was read");
  ++given_;
  return std::move(*word);
}

}  // namespace wordbridge
