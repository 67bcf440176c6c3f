#pragma once
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "align/choice/map_choice.h"
#include "align/linear/least_squares.h"
#include "align/linear/smith.h"
#include "align/linear/vecmap.h"
#include "align/rcsls/rcsls_options.h"
#include "align/refinement.h"
#include "align/restarts.h"
#include "align/self_learning.h"
#include "align/unsupervised/adversarial.h"
#include "align/unsupervised/icp.h"
#include "align/unsupervised/stochastic_self_learning.h"
#include "align/unsupervised/wasserstein_procrustes.h"
#include "base/option_list.h"

namespace wordbridge {

/// All that can be set for an alignment, whatever the method.
struct AlignSettings {
  RcslsOptions rcsls = {};
  LeastSquaresOptions least_squares = {};
  SmithOptions smith = {};
  VecmapOptions vecmap = {};
  AdversarialOptions adversarial = {};
  IcpOptions icp = {};
  WassersteinProcrustesOptions wasserstein = {};
  StochasticSelfLearningOptions unsupervised = {};
  // Shared by several methods.
  std::string validation = {};  // file of a lexicon
  TrainingSessionOptions session = {};
  RestartOptions restarts = {};
  std::optional<int> refine = std::nullopt;  // rounds; absent: as usual for the method
  std::string refine_with = "procrustes";    // the method of their fits
  RefinementOptions refinement = {};
  ComparedKinds compared = ComparedKinds::needed;  // of auto
  bool rerank = false;                             // learn a re-ranker, too
  bool no_rerank = false;                          // do not, whatever is usual for the method
  std::string rerank_features = "all";
  bool no_lexicon = false;  // the mapping carries no pairs of the lexicon
  bool self_learn = false;
  SelfLearningOptions self_learning = {};
};

/// A list of options by name, behind which all types are the same.
using AlignOptionList = OptionList<AlignSettings>;

/// A method of alignment. Methods may differ in their defaults only: a preset has the aligner of another one.
struct AlignMethod {
  std::string name;
  std::string summary;           // a few words
  std::string normalization;     // where none is asked for
  std::string criterion;         // the retrieval that goes with it
  bool needs_lexicon = true;     // methods that do not, take none
  bool trains = false;           // takes the options of long trainings
  bool chooses = false;          // between kinds of map (choice/map_choice.h); `make` gives the first of them
  bool self_learns = false;      // without a lexicon: its own rounds take the place of refinement
  bool reranks = false;          // learns a re-ranker where nothing else is said
  AlignOptionList options = {};  // its own
  /// UsageError for options that make no sense together.
  std::unique_ptr<const Aligner> (*make)(const AlignSettings& settings) = nullptr;
  /// The aligner of self-learning's rounds before the last; nullptr: the method's own.
  std::unique_ptr<const Aligner> (*make_rounds)(const AlignSettings& settings) = nullptr;
  /// Reads the files that its options name; the mapping that training starts from, where one is given. nullptr: no
  /// option names one.
  std::optional<Mapping> (*load)(AlignSettings& settings) = nullptr;
};

/// All methods, the default first; a new one is an entry in registry.cc.
const std::vector<AlignMethod>& align_methods();
/// UsageError for a name that is none.
const AlignMethod& align_method(std::string_view name);

/// Options that several methods take.
struct SharedAlignOptions {
  std::string title;  // of the section in help
  AlignOptionList options;
};
const SharedAlignOptions& shared_training_options();       // of methods that train
const SharedAlignOptions& shared_restart_options();        // of methods without a lexicon
const SharedAlignOptions& shared_self_learning_options();  // of methods with a lexicon
const SharedAlignOptions& shared_refinement_options();     // of all
const SharedAlignOptions& shared_rerank_options();         // of methods with a lexicon
const SharedAlignOptions& shared_lexicon_options();        // of methods with a lexicon
/// All of these, in the order of help.
std::vector<const SharedAlignOptions*> shared_align_options();

/// All options that a method takes: its own and the shared ones.
AlignOptionList options_of(const AlignMethod& method);
/// The options of all methods, each once.
AlignOptionList all_align_options();
/// The names of the methods that have an option of that name among their own, in order.
std::vector<std::string> methods_with(std::string_view option);

/// Sets options by their names. UsageError for an unknown name or a value out of range.
void set_options(AlignSettings& settings, const std::map<std::string, OptionValue>& options);
/// The aligner of a method with its self-learning, as the settings say.
std::unique_ptr<const Aligner> make_aligner(const AlignMethod& method, const AlignSettings& settings);

/// The rounds of refinement of methods without a lexicon, where none are asked for.
constexpr int kRoundsWithoutLexicon = 5;

}  // namespace wordbridge
