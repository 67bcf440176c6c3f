#pragma once
#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "hub/hub_work.h"
#include "wordbridge/matrix.h"

namespace wordbridge {

/// The pairs between two languages, as far as rotations depend on them.
struct JointTerm {
  std::size_t one, other;  // numbers of the languages
  MatrixD products;        // sum of y x^T over the pairs, x of `one` and y of `other`: d_other x d_one
  double weight = 1;       // what it counts for
};

/// (Semi-)orthogonal maps W of all languages into one space that bring the pairs of all terms closest together,
///
///     maximize sum over terms of c tr( (W_other C) W_one^T ),
///
/// which for unit rows is least squares. The map of the pivot stays the identity. Each map in turn is the best one for
/// the others (U V^T of the SVD of what its terms add up to), so the sum never falls; it ends where nothing moves any
/// more. Every language needs a chain of terms to the pivot; the start follows it. UsageError where one has none.
///
/// `dimensions` are those of the languages; the space has the pivot's.
struct JointRotations {
  std::vector<MatrixD> maps;  // d x d_i, one a language; that of the pivot is the identity
  std::vector<double> sums;   // after the start, and after each round
};
JointRotations joint_rotations(std::span<const std::size_t> dimensions, std::size_t pivot,
                               std::span<const JointTerm> terms);

/// Learns the maps of all languages together: least squares over the pairs of all lexicons with orthogonal maps
/// (JointRotations), then rounds of RCSLS with a term for every pair of languages that has a lexicon,
///
///     f_i(W) = sum_j c_ij RCSLS(W; pairs between i and j, the words of j where its map of the last round takes them),
///
/// where a language's terms with the others weigh together what its term with the pivot weighs. In a round every
/// language starts from the maps of the round before, so that the order makes no difference.
///
/// Pairs of two languages that have no lexicon are joined through the pivot in small hubs. Of pairs that are not with
/// the pivot, those with a word that some lexicon asks for are left out: what maps are compared on stays unseen.
class JointLearner {
 public:
  /// `languages` are aligned to the pivot already; `star` are the checksums of their mappings.
  JointLearner(const HubWork& work, std::vector<std::string> languages, std::map<std::string, std::string> star);

  /// Of all that goes in.
  std::string key() const;
  /// Whether there is anything that the star does not know: a term without the pivot.
  bool has_terms() const;

  using Note = std::function<void(const std::string& line)>;
  /// Learns what is not finished yet, within so much memory, and leaves mappings and records in the folder.
  std::map<std::string, AlignedRecord> run(std::uint64_t memory, const Note& note) const;

 private:
  struct Term {
    std::string one, other;  // the pivot is always the other
    LexiconChoice lexicon;
    std::size_t pairs = 0;  // that are used
  };

  void find_terms();
  std::map<std::string, Matrix> rotations(std::uint64_t memory, std::vector<Term>& terms, const Note& note) const;
  Matrix train(const std::string& language, const std::vector<Term>& terms,
               const std::map<std::string, Matrix>& maps) const;
  Mapping mapping(const std::string& language, const Matrix& map, int round) const;
  std::map<std::string, Matrix> round(int number, const std::vector<Term>& terms,
                                      const std::map<std::string, Matrix>& maps, std::uint64_t memory) const;
  /// The map that a round before an interruption left; nullopt if there is none of this work.
  std::optional<Matrix> kept_round(const std::string& path) const;
  /// Unit rows of a language before its map.
  WordVectors normalized(const std::string& language) const;
  Lexicon pairs_of(const Term& term, const WordVectors& one, const WordVectors& other) const;
  std::uint64_t bytes_of(const Term& term) const;
  /// What a term counts for, beside 1 for one with the pivot.
  double weight(const Term& term, const std::vector<Term>& terms) const;
  const Normalizer& normalizer(const std::string& language) const;

  const HubWork& work_;
  std::vector<std::string> languages_;  // without the pivot
  std::map<std::string, std::string> star_;
  std::map<std::string, Mapping> star_mappings_;
  std::vector<Term> terms_;
};

}  // namespace wordbridge
