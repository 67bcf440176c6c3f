#pragma once
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "cli/mapped_vectors.h"
#include "cli/options/known_options.h"
#include "dictionary/dictionary.h"
#include "lexicon/word_pairs.h"
#include "wordbridge/entry.h"

namespace wordbridge::cli {

/// Whole entries of a vocabulary, in files that other programs open: what `induce --entries` is asked for, and makes.
class EntryOutput {
 public:
  /// Which words get entries, by frequency (first <= id < last), and how sure their translations must be.
  struct Wanted {
    std::size_t first = 0, last = 0;
    std::optional<double> precision = std::nullopt;
  };

  void declare(Arguments& arguments);
  bool asked() const { return entries_; }
  const KnownOptions& known() const { return known_; }
  /// UsageError for options that go with --entries alone.
  void check() const;
  /// Opens the files, before the long work; `files` are inputs, which are not to be overwritten. Languages that are not
  /// named are those that the names of the vectors' files tell.
  void open(const std::string& output, const std::string& source, const std::string& target,
            const std::vector<std::string>& files);
  /// Makes the entries, in both directions where that is asked for.
  void write(Session& session, const MappedInputs& inputs, const CommonSpace& space, const Wanted& wanted,
             const PairFilter& filter);

 private:
  Dictionary dictionary_of(Session& session, const CommonSpace& space, Side from, const Wanted& wanted,
                           const PairFilter& filter) const;

  bool entries_ = false, both_ = false, forms_ = false;
  std::string format_name_, languages_;
  std::optional<double> recall_;
  KnownOptions known_;
  std::string output_, source_, target_;  // languages
  const DictionaryFormat* format_ = nullptr;
  std::unique_ptr<DictionaryFiles> files_;
};

}  // namespace wordbridge::cli
