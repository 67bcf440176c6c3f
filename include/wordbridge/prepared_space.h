#pragma once
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

#include "wordbridge/common_space.h"
#include "wordbridge/mapping.h"
#include "wordbridge/word_vectors.h"

namespace wordbridge {
class ByteStream;  // hidden
}

namespace [[gnu::visibility("default")]] wordbridge {

struct PrepareOptions {
  bool half = false;  // vectors as float16: half the size; all that is prepared is exact for what the file holds
  std::size_t neighbors = 10;  // k of CSLS; lists hold some more, which serve any smaller k, too
};

/// Writes a space with all that translation needs of it (.wbspace, docs/file-formats.md): both aligned tables,
/// vocabularies, search indexes, the nearest words of every word and the CSLS means, the mapping, and what its
/// re-ranker knows of the spellings. Takes about as long as the CSLS statistics. Vectors of words outside the
/// vocabularies, made of their subwords, are left behind.
void prepare_space(const Mapping& mapping, WordVectors source, WordVectors target, const std::string& path,
                   const PrepareOptions& options = {});
/// The same for vectors that share a space already.
void prepare_space(WordVectors source, WordVectors target, const std::string& path, const PrepareOptions& options = {});

/// A space out of such a file, which is mapped into memory: it is there at once, and all processes that use it share
/// its pages. What was damaged is found when it is first touched (InputError). The file must not be cut short while it
/// is in use; replacing it is fine. Copies share everything.
class PreparedSpace {
 public:
  /// InputError for a file that is none, is damaged, or is of a newer version; IoError for one that cannot be read.
  explicit PreparedSpace(const std::string& path);

  /// The same words, vectors and answers, bit for bit, as of the mapping and the files that it was made of (with
  /// `half`: of the vectors rounded to float16, at length 1).
  const CommonSpace& space() const;
  /// The mapping that it was made with; nullptr where the vectors shared a space already.
  const std::shared_ptr<const Mapping>& mapping() const;
  /// Where the vectors came from, as far as it is known: the file's name.
  const std::string& name(Side side) const;
  /// Whether its vectors were rounded to float16.
  bool is_half() const;
  /// Compares everything with its checksums, at once.
  void check() const;
  /// What it holds, as a JSON object.
  std::string describe_json() const;

  /// For the library itself.
  class State;
  explicit PreparedSpace(ByteStream& stream);

 private:
  std::shared_ptr<const State> state_;
};

/// True where a file begins as a prepared space does.
bool looks_like_prepared_space(std::string_view first_bytes);

}  // namespace wordbridge
