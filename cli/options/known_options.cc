#include "cli/options/known_options.h"

#include "cli/options/arguments.h"
#include "lexicon/word_pairs.h"

namespace wordbridge::cli {

void KnownOptions::declare(Arguments& arguments) {
  arguments.heading("What is known");
  arguments.list("--known", paths_, 1, Arguments::kMostFiles, "LEXICON...",
                 "Pairs that are known beside those that the mapping carries: they come first, marked as known");
  arguments.flag("--ignore-known", ignore_, "Guess what is known, too, as measurements must");
  arguments.exclude("--known", "--ignore-known");
}

void KnownOptions::read() {
  for (const std::string& path : paths_)
    for (WordPairs::Pair& pair : read_word_pairs(path).pairs)
      pairs_.push_back({std::move(pair.source), std::move(pair.target), pair.weight});
}

}  // namespace wordbridge::cli
