#pragma once
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/checksum.h"
#include "wordbridge/mapping.h"

namespace wordbridge {

/// Mapping::mismatch() for vectors that are never in memory as a whole: looks at as many distinct words as the side was
/// fitted on, because files are often longer than what training loads of them.
class OriginCheck {
 public:
  OriginCheck(const Mapping& mapping, Side side);

  /// Rows in file order, as read and not normalized yet.
  void add(const std::vector<std::string>& words, ConstMatrixView rows);
  /// To be asked at the end of the rows.
  std::optional<std::string> mismatch(std::string_view name);

 private:
  void end_block();

  const Mapping& mapping_;
  Side side_;
  std::size_t wanted_;
  Vocabulary seen_;
  Matrix block_;  // the rows that wait to be hashed, of the last words seen
  std::size_t waiting_ = 0;
  std::vector<Sha256::Digest> digests_;
};

}  // namespace wordbridge
