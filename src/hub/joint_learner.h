#pragma once
#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "hub/hub_work.h"
#include "hub/joint_rotations.h"

namespace wordbridge {

/// Learns the maps of all languages together: least squares over the pairs of all lexicons with orthogonal maps
/// (joint_rotations.h), then rounds of RCSLS with a term for every pair of languages that has a lexicon,
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
  /// The map that a round before an interruption left; nothing where there is none of this work.
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
