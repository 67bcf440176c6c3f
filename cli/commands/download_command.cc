#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "base/wording.h"
#include "cli/commands/command.h"
#include "cli/download/downloads.h"
#include "cli/options/arguments.h"
#include "experiments/needed_files.h"
#include "wordbridge/error.h"

namespace wordbridge::cli {

namespace {

/// Published vectors, lexicons, and all that experiments need.
class DownloadCommand final : public Command {
 public:
  void declare(Arguments& arguments) override {
    arguments.list(
        "what", what_, 1, Arguments::kMostFiles, "what...",
        "'vectors' and languages (fr de), 'lexicon' and pairs of languages (en-fr), or files of experiments");
    arguments.text("--from", from_, "SET",
                   "Of vectors: wiki (fastText, Wikipedia; the default) or crawl (Common Crawl)");
    arguments.text("--to", folder_, "FOLDER", "Where the files go (default: this folder)");
    arguments.flag("--dry-run", dry_run_, "Only say what would be downloaded, from where");
    arguments.flag("--verify", verify_, "Also compare files that are there with what was downloaded");
    downloads_.declare(arguments);
  }

  ExitCode run(Session& session) override {
    const std::vector<std::string> names = wanted();
    const Downloads::Result result = downloads_.fetch(session, folder_, names, dry_run_);
    if (verify_ && !dry_run_)
      session.note(counted(downloads_.verify(session, folder_, result.present), "file") + " verified");
    std::string text;
    for (const std::string& name : result.fetched)
      text += fmt::format("{}\t{}\t{}\n", dry_run_ ? "would fetch" : "fetched", name,
                          downloads_.published().find(name).url);
    for (const std::string& name : result.present) text += fmt::format("there\t{}\t\n", name);
    for (const auto& file : result.unavailable)
      text += fmt::format("by hand\t{}\t{}\n", file.name, file.from.empty() ? "nobody knows from where" : file.from);
    session.print(text);
    session.note(fmt::format("{} {}, {} there already{}", counted(result.fetched.size(), "file"),
                             dry_run_ ? "to fetch" : "fetched", result.present.size(),
                             result.unavailable.empty() ? ""
                                                        : fmt::format(", {} not to be downloaded: get them by hand",
                                                                      result.unavailable.size())));
    return result.fetched.empty() && result.present.empty() ? ExitCode::failure : ExitCode::success;
  }

 private:
  std::vector<std::string> wanted() {
    const PublishedFiles& table = downloads_.published();
    const bool vectors = what_.front() == "vectors";
    if (!vectors && !from_.empty()) throw UsageError("--from goes with 'vectors'");
    if (!vectors && what_.front() != "lexicon") return needed_files(find_experiments(what_));
    if (what_.size() == 1)
      throw UsageError(vectors ? "behind 'vectors', languages are wanted: fr de"
                               : "behind 'lexicon', pairs are wanted: en-fr");
    std::vector<std::string> names;
    for (std::size_t i = 1; i < what_.size(); ++i)
      if (vectors)
        names.push_back(table.vectors(what_[i], from_.empty() ? "wiki" : from_));
      else
        std::ranges::copy(table.lexicons(what_[i]), std::back_inserter(names));
    return names;
  }

  std::vector<std::string> what_;
  std::string from_, folder_ = ".";
  bool dry_run_ = false, verify_ = false;
  Downloads downloads_;
};

}  // namespace

CommandEntry download_command() {
  return {
      "download", "Published vectors and lexicons, and all that experiments need",
      "  wordbridge download vectors en fr --to DATA\n"
      "  wordbridge download vectors fr --from crawl --to DATA\n"
      "  wordbridge download lexicon en-fr --to DATA\n"
      "  wordbridge download experiments/muse.json --to DATA --dry-run\n"
      "What was interrupted goes on where it stopped. Lengths and checksums are compared; DATA/downloads.json keeps\n"
      "those that nobody published. Proxies are those of https_proxy and the like. Only https is used unless you say\n"
      "otherwise.",
      make_command<DownloadCommand>};
}

}  // namespace wordbridge::cli
