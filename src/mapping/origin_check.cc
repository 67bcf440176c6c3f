#include "mapping/origin_check.h"

#include <algorithm>

#include "vectors/table_sums.h"

namespace wordbridge {

OriginCheck::OriginCheck(const Mapping& mapping, Side side)
    : mapping_(mapping),
      side_(side),
      wanted_(mapping.provenance.origin(side).checksum.empty() ? 0 : mapping.provenance.origin(side).words),
      block_(std::min(wanted_, kContentBlockRows), mapping.input_dimension(side)) {}

void OriginCheck::add(const std::vector<std::string>& words, ConstMatrixView rows) {
  for (std::size_t i = 0; i < words.size() && seen_.size() < wanted_; ++i) {
    if (!seen_.add(words[i])) continue;  // the first row of a word counts, as wherever vectors are loaded
    std::ranges::copy(rows.row(i), block_.row(waiting_++).begin());
    if (waiting_ == kContentBlockRows) end_block();
  }
}

void OriginCheck::end_block() {
  std::vector<std::string_view> words(waiting_);
  for (std::size_t i = 0; i < waiting_; ++i) words[i] = seen_[seen_.size() - waiting_ + i];
  digests_.push_back(content_block_digest(words, block_.view().slice(0, waiting_)));
  waiting_ = 0;
}

std::optional<std::string> OriginCheck::mismatch(std::string_view name) {
  if (wanted_ == 0) return std::nullopt;
  if (waiting_ > 0) end_block();
  return mapping_.mismatch(name, seen_.size(),
                           content_checksum_of_blocks(seen_.size(), mapping_.input_dimension(side_), digests_), side_);
}

}  // namespace wordbridge
