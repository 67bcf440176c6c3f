#include <fmt/format.h>

#include <algorithm>
#include <vector>

#include "base/checksum.h"
#include "base/wording.h"
#include "cli/commands/command.h"
#include "cli/options/arguments.h"
#include "cli/options/format_options.h"
#include "cli/options/vector_options.h"
#include "cli/paths.h"

namespace wordbridge::cli {

namespace {

/// Writes vectors in another format, a block at a time.
class ConvertCommand final : public Command {
 public:
  void declare(Arguments& arguments) override {
    input_.declare(arguments, "input", "The vectors to read, in any known format");
    arguments.file("output", output_,
                   "The file to write; compressed where it ends in .gz .zst .xz .bz2; - for standard output");
    arguments.heading("Output");
    format_.declare(arguments);
    options_.declare(arguments, "all");
  }

  ExitCode run(Session& session) override {
    const Stopwatch stopwatch;
    refuse_overwriting(output_, std::vector<std::string>{input_.path, input_.vocabulary, input_.ids});
    const VectorFormat format = format_.of(output_);
    OpenedVectors opened(session, input_, options_, 0);
    const bool numbered = row_names(opened.source().summary()) == RowNames::numbers;
    const auto output = create_vectors(output_, format, opened.source().dimension(), opened.source().promised_rows(),
                                       opened.source().summary().space, {.row_ids = numbered});
    std::vector<std::uint64_t> hashes;
    while (const auto block = opened.source().next()) {
      if (!numbered)  // else there are no duplicates
        for (const std::string& word : block->words) hashes.push_back(xxh3(word.data(), word.size()));
      output->write(block->words, block->rows);
    }
    output->finish();
    opened.finish();
    const std::uint64_t duplicates = repetitions(hashes);
    const std::string kept = duplicates == 0 ? "" : fmt::format(", {} kept", counted(duplicates, "duplicate"));
    session.note(fmt::format("{} written{} ({})", output_name(output_), kept, stopwatch.to_text()));
    return ExitCode::success;
  }

 private:
  /// How many words came before, by their hashes: 8 bytes a word, where the words themselves may not fit in memory.
  static std::uint64_t repetitions(std::vector<std::uint64_t>& hashes) {
    std::ranges::sort(hashes);
    // Not of std::ranges, which clang 14 cannot read.
    return hashes.size() - static_cast<std::size_t>(std::unique(hashes.begin(), hashes.end()) - hashes.begin());
  }

  VectorFile input_;
  std::string output_;
  FormatOption format_;
  VectorOptions options_;
};

}  // namespace

CommandEntry convert_command() {
  return {"convert", "Write a file of vectors in another format",
          "  wordbridge convert wiki.en.vec.gz wiki.en.wbvec\n"
          "  wordbridge convert cc.en.300.bin cc.en.100k.vec --max-words 100000\n"
          "  wordbridge convert 'documents-*.npy' documents.npy --to npy:f16\n"
          "  wordbridge convert documents.f16 documents.npy --format raw:f16:1024",
          make_command<ConvertCommand>};
}

}  // namespace wordbridge::cli
