#include "cli/word_input.h"

#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <string_view>

#include "io/lines.h"
#include "wordbridge/error.h"

namespace wordbridge::cli {

namespace {

constexpr const char* kKind = "a list of words";

std::string trimmed(std::string_view line) {
  constexpr std::string_view blanks = " \t\r";
  const std::size_t begin = line.find_first_not_of(blanks);
  if (begin == std::string_view::npos) return {};
  return std::string(line.substr(begin, line.find_last_not_of(blanks) - begin + 1));
}

}  // namespace

WordInput::WordInput(const std::string& path) {
  if (path.empty() || path == "-") return;
  stream_ = open_bytes(path);
  reader_ = std::make_unique<LineReader>(*stream_, kKind);
}

WordInput::~WordInput() = default;

std::vector<std::string> WordInput::next() {
  if (reader_ != nullptr) return next_of_file();
  std::vector<std::string> words;
  while (words.empty() && !ended_) {
    char piece[65536];
    const ssize_t got = ::read(STDIN_FILENO, piece, sizeof(piece));
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) throw IoError("standard input", "cannot read", errno);
    ended_ = got == 0;
    if (pending_.size() > kMostLineBytes) throw line_too_long("standard input", lines_ + 1, kKind);
    pending_.append(piece, static_cast<std::size_t>(got));
    if (ended_ && lines_ == 0 && pending_.find('\n') == std::string::npos)  // line ends of old Macs
      std::ranges::replace(pending_, '\r', '\n');
    if (ended_) pending_ += '\n';
    take_lines(words);
  }
  return words;
}

std::vector<std::string> WordInput::next_of_file() {
  constexpr std::size_t kBatch = 8192;
  std::vector<std::string> words;
  while (words.size() < kBatch) {
    const auto line = reader_->next();
    if (!line) break;
    if (std::string word = trimmed(*line); !word.empty()) words.push_back(std::move(word));
  }
  return words;
}

void WordInput::take_lines(std::vector<std::string>& words) {
  std::size_t begin = 0;
  for (std::size_t end = pending_.find('\n'); end != std::string::npos; end = pending_.find('\n', begin)) {
    const std::string word = trimmed(std::string_view(pending_).substr(begin, end - begin));
    if (!word.empty()) words.push_back(word);
    ++lines_;
    begin = end + 1;
  }
  pending_.erase(0, begin);
}

}  // namespace wordbridge::cli
