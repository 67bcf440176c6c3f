#pragma once
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "wordbridge/alignment_report.h"
#include "wordbridge/matrix.h"
#include "wordbridge/normalizer.h"
#include "wordbridge/word_vectors.h"

namespace wordbridge {
struct RerankModel;    // hidden
struct StoredLexicon;  // hidden
}

namespace [[gnu::visibility("default")]] wordbridge {

enum class Side { source, target };

/// "source" or "target".
std::string_view name_of(Side side);

/// The vectors a mapping was fitted on.
struct VectorsOrigin {
  std::string name;      // file name as given
  std::string checksum;  // content_checksum() of the vectors as loaded
  std::uint64_t words = 0;
  std::uint64_t dimension = 0;
  std::uint64_t head = 0;  // head_digest() of the vectors (mapping/space_identity.h); 0: unknown
};

/// Where a mapping comes from: enough to make it again.
struct Provenance {
  std::string version;  // of wordbridge
  std::string method;   // "procrustes", "rcsls", ...
  std::map<std::string, std::string> options;
  std::uint64_t seed = 0;
  std::uint64_t max_words = 0;  // as given to align; 0: all. translate and evaluate load as many
  std::string criterion;        // the retrieval criterion that goes with the method ("csls")
  VectorsOrigin source, target;
  std::string lexicon;  // its name and coverage, one line
  std::map<std::string, double> metrics;
  AlignmentReport report;  // how it went

  const VectorsOrigin& origin(Side side) const { return side == Side::source ? source : target; }
};

/// A fitted alignment. A source vector x goes to W s(x) + b, a target vector y to V t(y), where s and t are the fitted
/// normalizers; most methods leave the target side alone (V absent = identity), and have no intercept b.
class Mapping {
 public:
  Mapping() = default;
  /// W is c x d_s; `target_map`, where given, is c x d_t. UsageError where the parts do not fit together.
  Mapping(Matrix source_map, Normalizer source_normalizer, Normalizer target_normalizer,
          std::optional<Matrix> target_map = std::nullopt);

  const Matrix& source_map() const { return source_map_; }
  const std::optional<Matrix>& target_map() const { return target_map_; }
  /// b, one number a dimension of the common space; empty where there is none.
  const std::vector<float>& source_intercept() const { return source_intercept_; }
  /// UsageError where it has another dimension than the common space.
  void set_source_intercept(std::vector<float> intercept);
  const Normalizer& normalizer(Side side) const {
    return side == Side::source ? source_normalizer_ : target_normalizer_;
  }
  /// Dimension of the vectors that the side takes, and of the common space.
  std::size_t input_dimension(Side side) const;
  std::size_t common_dimension() const { return source_map_.rows(); }

  /// UsageError, naming both, where that side takes vectors of another dimension than `name` has.
  void require_dimension(std::size_t dimension, Side side, std::string_view name) const;

  Provenance provenance;
  /// What ranks translations anew, where one was learned with the mapping; else nullptr.
  std::shared_ptr<const RerankModel> reranker;
  /// The pairs it was learned from, which translations then know; nullptr where there were none, or they were to stay
  /// at home (option "no-lexicon").
  std::shared_ptr<const StoredLexicon> lexicon;

  /// Normalizes and maps rows of that side into the common space; with `unit`, brings them to length 1 there (zero rows
  /// stay). UsageError where the dimension is another. Takes the rows by value: move them in to save a copy.
  Matrix apply(Matrix rows, Side side, bool unit) const;
  /// A whole table, normalized, mapped and brought to unit length: what retrieval compares.
  WordVectors apply(WordVectors vectors, Side side, bool unit) const;
  /// The same for rows and tables that stay as they are, without a copy of them: bit for bit what apply() gives.
  Matrix mapped(ConstMatrixView rows, Side side, bool unit) const;
  WordVectors mapped(const WordVectors& vectors, Side side, bool unit) const;

  /// A one-line warning where the vectors, as read and not normalized yet, are not those the mapping was fitted on (by
  /// checksum); nullopt if they are, or where the mapping does not know its vectors.
  std::optional<std::string> mismatch(const WordVectors& vectors, Side side) const;
  /// The same for vectors of which only this is known; `name` is for the message.
  std::optional<std::string> mismatch(std::string_view name, std::uint64_t words, const std::string& checksum,
                                      Side side) const;

 private:
  Matrix source_map_;
  std::optional<Matrix> target_map_;
  std::vector<float> source_intercept_;
  Normalizer source_normalizer_, target_normalizer_;
};

/// Reads a mapping file (.wbmap, defined in docs/file-formats.md); `-` is standard input. InputError for a file that is
/// not one, is damaged, or is of a newer version.
Mapping read_mapping(const std::string& path);
/// Writes one; values come back bit for bit. In texts of the provenance, bytes that are not UTF-8 become U+FFFD.
void write_mapping(const Mapping& mapping, const std::string& path);

}  // namespace wordbridge
