#include <fcntl.h>
#include <fmt/format.h>
#include <poll.h>
#include <signal.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstdlib>
#include <memory>
#include <optional>
#include <random>
#include <utility>

#include "base/checksum.h"
#include "base/wording.h"
#include "cli/commands/command.h"
#include "cli/mapped_vectors.h"
#include "cli/options/arguments.h"
#include "cli/paths.h"
#include "lexicon/word_pairs.h"
#include "studio/api.h"
#include "studio/server.h"
#include "studio/studio.h"
#include "wordbridge/error.h"

namespace wordbridge::cli {

namespace {

constexpr std::uint16_t kUsualPort = 8765;

int end_pipe[2] = {-1, -1};

void ask_to_end(int) {
  const int kept = errno;
  [[maybe_unused]] const ssize_t written = ::write(end_pipe[1], "", 1);
  errno = kept;
}

/// From now on Ctrl-C and the like are kept for wait_for_the_end(); a second one ends the program at once.
void catch_the_end() {
  if (::pipe2(end_pipe, O_CLOEXEC | O_NONBLOCK) != 0) throw IoError("a pipe", "cannot open", errno);
  struct sigaction action {};
  action.sa_handler = ask_to_end;
  action.sa_flags = static_cast<int>(SA_RESETHAND);
  for (const int number : {SIGINT, SIGTERM, SIGHUP}) ::sigaction(number, &action, nullptr);
}

void wait_for_the_end() {
  pollfd waited{end_pipe[0], POLLIN, 0};
  while (::poll(&waited, 1, -1) < 0 && errno == EINTR) {
  }
}

/// "wiki.es" of "data/wiki.es.vec.gz".
std::string language_name(const std::string& path) {
  std::string name = file_name(path);
  for (bool cut = true; cut;) {
    cut = false;
    for (const char* end : {".gz", ".xz", ".zst", ".bz2", ".vec", ".txt", ".bin", ".wbvec", ".npy", ".aligned"})
      if (name.size() > std::string_view(end).size() && name.ends_with(end)) {
        name.erase(name.size() - std::string_view(end).size());
        cut = true;
      }
  }
  return name;
}

std::string random_token() {
  std::random_device device;
  std::array<std::uint8_t, 16> bytes{};
  for (std::uint8_t& byte : bytes) byte = static_cast<std::uint8_t>(device());
  return to_hex(bytes);
}

std::string user_name() {
  const char* name = std::getenv("USER");
  return name == nullptr || !studio::is_utf8(name) || *name == '\0' ? "somebody" : name;
}

/// Opens a page over two languages, or serves the same answers to other programs.
class StudioCommand : public Command {
 public:
  explicit StudioCommand(bool read_only) : read_only_(read_only) {}

  void declare(Arguments& arguments) override {
    inputs_.declare(arguments, MappedInputs::MappingArgument::optional);
    arguments.heading("Words");
    arguments.text("--lexicon", lexicon_, "FILE",
                   "Known translations: they are shown first, and learned from when a mapping is trained again");
    arguments.text(
        "--validation", validation_, "FILE",
        "Translations on which mappings are compared, and from which they never learn (default: those of one "
        "word in eight of the lexicon)");
    arguments.list("--compare", others_, 1, Arguments::kMostFiles, "MAPPING",
                   "Further mappings of the same vectors, to be compared with the first");
    if (!read_only_) {
      arguments.heading("Project");
      arguments.text("--project", project_, "FILE",
                     "Where decisions and new mappings are kept (default: the mapping's name with .wbproject)");
      arguments.text("--author", author_, "NAME", "Whose decisions they are (default: the user's name)");
    }
    arguments.heading("Server");
    arguments.number(
        "--port", port_,
        fmt::format("Where to listen, 0 for any that is free (default: {}, or one that is free)", kUsualPort));
    arguments.text("--address", rules_.address, "ADDRESS",
                   "Where to listen (default: 127.0.0.1, this machine alone); any other wants a token");
    arguments.text("--token", rules_.token, "TEXT",
                   "What requests must bring as 'Authorization: Bearer TEXT' (default: drawn where one is needed)");
  }

  ExitCode run(Session& session) override {
    if (port_.value_or(0) > 65535) throw UsageError("--port must be a number from 0 to 65535");
    const std::vector<std::string> files = inputs_.paths();
    const Mapping mapping = inputs_.open({lexicon_, validation_});
    if (!read_only_ && project_.empty()) project_ = usual_project(files);
    if (project_ == "-") throw UsageError("--project takes a file, not standard input");
    std::vector<std::string> inputs = files;
    inputs.insert(inputs.end(), {lexicon_, validation_});
    refuse_overwriting(project_, inputs);
    studio::ListeningSocket socket = listen();
    studio::StudioData data = load(session, mapping, files);
    const GlobalOptions& options = session.options();
    studio::Studio studio(std::move(data), {.threads = static_cast<int>(options.threads),
                                            .seed = options.seed,
                                            .author = author_.empty() ? user_name() : author_});
    studio::Api api(studio);
    studio::Server server(api, rules_, std::move(socket));
    studio.warm_up();
    catch_the_end();  // before anybody knows the address
    session.print(server.address() + "\n");
    session.flush();
    session.note(read_only_
                     ? "Answers are below api/v1, and openapi.json there says which; Ctrl-C ends."
                     : fmt::format("Open this address in a browser. Decisions go to {}; Ctrl-C ends.", project_));
    wait_for_the_end();
    studio.events().close();
    if (!read_only_) session.note(last_line(studio));
    return ExitCode::success;
  }

 private:
  /// Beside the mapping or the prepared space, or the vectors where there is neither.
  static std::string usual_project(const std::vector<std::string>& files) {
    const std::string& path = files[0].empty() ? files[1] : files[0];
    for (const std::string_view end : {".wbmap", ".wbspace"})
      if (path.ends_with(end)) return path.substr(0, path.size() - end.size()) + ".wbproject";
    if (path == "-" || !files[0].empty()) throw UsageError("--project FILE is needed: there is no name to make one of");
    return path + ".wbproject";
  }

  /// At the port that was asked for; else at the usual one, or where that is taken at any.
  studio::ListeningSocket listen() const {
    try {
      return {rules_.address, static_cast<std::uint16_t>(port_.value_or(kUsualPort))};
    } catch (const IoError& error) {
      if (port_ || error.error_number() != EADDRINUSE) throw;
      return {rules_.address, 0};
    }
  }

  studio::StudioData load(Session& session, const Mapping& mapping, const std::vector<std::string>& files) {
    studio::StudioData data;
    if (!lexicon_.empty()) data.lexicon = read_word_pairs(lexicon_);
    if (!validation_.empty()) data.validation = read_word_pairs(validation_);
    for (const std::string& path : others_) data.others.emplace_back(file_name(path), inputs_.open_other(path));
    if (!rules_.loopback() && rules_.token.empty()) rules_.token = random_token();
    if (inputs_.has_mapping()) data.mapping = mapping;
    if (inputs_.is_prepared()) {
      data.space = inputs_.load(session, mapping);
      // Vectors are named as the mapping knows them.
      const auto name = [&](Side side) {
        const std::string& path = mapping.provenance.origin(side).name;
        return path.empty() ? std::string(name_of(side)) : language_name(path);
      };
      data.source_name = name(Side::source);
      data.target_name = name(Side::target);
    } else {
      auto vectors = inputs_.read(session, mapping);
      data.source_name = language_name(files[1]);
      data.target_name = language_name(files[2]);
      data.source = std::make_shared<const WordVectors>(std::move(vectors.source));
      data.target = std::make_shared<const WordVectors>(std::move(vectors.target));
    }
    data.project = project_;
    return data;
  }

  std::string last_line(studio::Studio& studio) const {
    const auto [accepted, rejected] = studio.look_at_verdicts([](const studio::Verdicts& verdicts) {
      return std::pair(verdicts.accepted().size(), verdicts.rejected().size());
    });
    return fmt::format("{}: {} accepted, {} rejected; the same command goes on from there", project_,
                       counted(accepted, "pair"), rejected);
  }

  bool read_only_;
  MappedInputs inputs_;
  std::string lexicon_, validation_, project_, author_;
  std::vector<std::string> others_;
  std::optional<std::size_t> port_;
  studio::AccessRules rules_;
};

}  // namespace

CommandEntry studio_command() {
  return {
      "studio", "See two languages meet in the browser, and grow a dictionary",
      "  wordbridge studio en-es.wbmap en.vec es.vec --lexicon en-es.txt\n"
      "  wordbridge studio en-es.wbmap en.vec es.vec --lexicon en-es.txt --project mine.wbproject\n"
      "The address of the page is printed; it is for this machine alone. What is accepted and rejected there is kept\n"
      "in the project, from which the next start goes on.",
      []() -> std::unique_ptr<Command> { return std::make_unique<StudioCommand>(false); }};
}

CommandEntry serve_command() {
  return {"serve", "Answer other programs over HTTP: translations, neighbors, hubs, maps",
          "  wordbridge serve en-es.wbmap en.vec es.vec\n"
          "  wordbridge serve en-es.wbspace\n"
          "  wordbridge serve en-es.wbmap en.vec es.vec --address 0.0.0.0 --port 8080 --token SECRET\n"
          "  curl 'http://127.0.0.1:8765/api/v1/translate?word=house'\n"
          "Nothing can be changed through it. Answers to 'translate' are those of 'wordbridge translate --json'.",
          []() -> std::unique_ptr<Command> { return std::make_unique<StudioCommand>(true); }};
}

}  // namespace wordbridge::cli
