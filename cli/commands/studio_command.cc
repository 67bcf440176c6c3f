#include <fcntl.h>
#include <fmt/format.h>
#include <poll.h>
#include <signal.h>
#include <unistd.h>

#include <array>
#include <cerrno>
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

/// Waits for Ctrl-C and the like; a second one ends the program at once.
void wait_for_the_end() {
  if (::pipe2(end_pipe, O_CLOEXEC | O_NONBLOCK) != 0) throw IoError("a pipe", "cannot open", errno);
  struct sigaction action {};
  action.sa_handler = ask_to_end;
  action.sa_flags = static_cast<int>(SA_RESETHAND);
  for (const int number : {SIGINT, SIGTERM, SIGHUP}) ::sigaction(number, &action, nullptr);
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

/// Opens a page over two languages, or serves the same answers to other programs.
class StudioCommand : public Command {
 public:
  explicit StudioCommand(bool read_only) : read_only_(read_only) {}

  void declare(Arguments& arguments) override {
    inputs_.declare(arguments, MappedInputs::MappingArgument::optional);
    arguments.heading("Words");
    arguments.text("--lexicon", lexicon_, "FILE", "Known translations, which are shown first");
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
    std::vector<std::string> files = inputs_.paths();
    const Mapping mapping = inputs_.open({lexicon_});
    studio::StudioData data;
    if (!lexicon_.empty()) data.lexicon = read_word_pairs(lexicon_);
    if (!rules_.loopback() && rules_.token.empty()) rules_.token = random_token();
    auto vectors = inputs_.read(session, mapping);
    data.source_name = language_name(files[1]);
    data.target_name = language_name(files[2]);
    data.source = std::make_shared<const WordVectors>(std::move(vectors.source));
    data.target = std::make_shared<const WordVectors>(std::move(vectors.target));
    if (inputs_.has_mapping()) data.mapping = mapping;
    const GlobalOptions& options = session.options();
    studio::Studio studio(
        std::move(data), {.threads = static_cast<int>(options.threads), .seed = options.seed, .read_only = read_only_});
    studio::Api api(studio);
    const std::unique_ptr<studio::Server> server = listen(api);
    studio.warm_up();
    session.print(server->address() + "\n");
    session.flush();
    session.note(read_only_ ? "Answers are under api/v1, openapi.json there says which; Ctrl-C ends."
                            : "Open this address in a browser; Ctrl-C ends.");
    wait_for_the_end();
    studio.events().close();
    return ExitCode::success;
  }

 private:
  /// At the port that was asked for; else at the usual one, or where that is taken at any.
  std::unique_ptr<studio::Server> listen(studio::Api& api) {
    studio::AccessRules rules = rules_;
    rules.port = static_cast<std::uint16_t>(port_.value_or(kUsualPort));
    try {
      return std::make_unique<studio::Server>(api, rules);
    } catch (const IoError& error) {
      if (port_ || error.error_number() != EADDRINUSE) throw;
      rules.port = 0;
      return std::make_unique<studio::Server>(api, rules);
    }
  }

  bool read_only_;
  MappedInputs inputs_;
  std::string lexicon_;
  std::optional<std::size_t> port_;
  studio::AccessRules rules_;
};

}  // namespace

CommandEntry studio_command() {
  return {"studio", "See two languages meet in the browser, and grow a dictionary",
          "  wordbridge studio en-es.wbmap en.vec es.vec --lexicon en-es.txt\n"
          "The address of the page is printed; it is for this machine alone.",
          []() -> std::unique_ptr<Command> { return std::make_unique<StudioCommand>(false); }};
}

CommandEntry serve_command() {
  return {"serve", "Answer other programs over HTTP: translations, neighbors, hubs, maps",
          "  wordbridge serve en-es.wbmap en.vec es.vec\n"
          "  wordbridge serve en-es.wbmap en.vec es.vec --address 0.0.0.0 --port 8080 --token SECRET\n"
          "  curl 'http://127.0.0.1:8765/api/v1/translate?word=house'\n"
          "Nothing can be changed through it. Answers to 'translate' are those of 'wordbridge translate --json'.",
          []() -> std::unique_ptr<Command> { return std::make_unique<StudioCommand>(true); }};
}

}  // namespace wordbridge::cli
