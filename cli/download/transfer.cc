#include "cli/download/transfer.h"

#include <fmt/format.h>
#include <openssl/evp.h>
#include <strings.h>
#include <sys/stat.h>
#include <sys/statvfs.h>

#include <algorithm>
#include <cerrno>
#include <charconv>
#include <chrono>
#include <exception>
#include <filesystem>
#include <fstream>
#include <memory>
#include <string_view>
#include <thread>
#include <utility>

#include "base/atomic_file.h"
#include "base/checksum.h"
#include "base/resumable_file.h"
#include "cli/download/curl_library.h"
#include "wordbridge/context.h"
#include "wordbridge/error.h"
#include "wordbridge/version.h"

#undef curl_easy_setopt
#undef curl_easy_getinfo

namespace wordbridge::cli {

namespace {

constexpr long kMostRedirects = 10;
constexpr std::uint64_t kBytesToKeep = std::uint64_t{4} << 20;  // more is not lost by Ctrl-C

/// What happened in one attempt.
enum class Outcome { complete, interrupted };

std::optional<std::uint64_t> number_in(std::string_view text) {
  std::uint64_t value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || end == text.data()) return std::nullopt;
  return value;
}

/// What the server says of the file: the headers of its last answer.
struct Answer {
  std::string validator;                // what tells this version of the file from others: a strong ETag, or its date
  std::optional<std::uint64_t> length;  // of what follows
  std::optional<std::uint64_t> begin, total;  // of a part

  void read(std::string_view line) {
    if (line.starts_with("HTTP/")) *this = {};
    const std::size_t colon = line.find(':');
    if (colon == std::string_view::npos) return;
    const std::string name(line.substr(0, colon));
    std::string_view value = line.substr(colon + 1);
    while (!value.empty() && (value.front() == ' ' || value.front() == '\t')) value.remove_prefix(1);
    while (!value.empty() && (value.back() == '\r' || value.back() == '\n' || value.back() == ' '))
      value.remove_suffix(1);
    const auto is = [&](const char* wanted) { return ::strcasecmp(name.c_str(), wanted) == 0; };
    if (is("ETag") && value.starts_with('"')) validator = value;
    if (is("Last-Modified") && validator.empty()) validator = value;
    if (is("Content-Length")) length = number_in(value);
    if (is("Content-Range") && value.starts_with("bytes ")) {
      begin = number_in(value.substr(6));
      if (const std::size_t slash = value.find('/'); slash != std::string_view::npos)
        total = number_in(value.substr(slash + 1));
    }
  }
};

/// One file on its way.
class Running {
 public:
  Running(const Transfer& what, const TransferRules& rules, const std::string& name)
      : what_(what),
        rules_(rules),
        curl_(CurlLibrary::get()),
        file_(what.path, "download"),  // from whatever mirror
        stage_("downloading " + name),
        validator_path_(what.path + ".unfinished.version") {
    if (file_.size() > 0) validator_ = read_kept_file(validator_path_, 4096).value_or("");
    if (validator_.empty() && file_.size() > 0) file_.restart();  // nobody knows whether it is the same file
    resumed_at_ = file_.size();
  }

  Transferred run() {
    std::uint64_t failures = 0, most = file_.size();  // a server may make us begin anew again and again
    while (attempt() == Outcome::interrupted) {
      failures = file_.size() > most ? 1 : failures + 1;
      most = std::max(most, file_.size());
      if (failures > rules_.retries)
        throw Error(fmt::format("{}: {}; {} bytes are kept, and the next download goes on from there", what_.url,
                                reason_, file_.size()));
      wait(failures);
    }
    Transferred result{.bytes = file_.size(), .resumed_at = resumed_at_, .sha256 = {}};
    file_.keep();
    result.sha256 = sha256_of(what_.path + ".unfinished");
    check(result.sha256);
    file_.commit();
    std::error_code error;
    std::filesystem::remove(validator_path_, error);
    return result;
  }

 private:
  void configure(const CurlLibrary::Handle& handle) {
    std::string protocols = "https";
    if (rules_.http) protocols += ",http";
    curl_.set(handle, CURLOPT_REDIR_PROTOCOLS_STR, protocols.c_str());
    if (rules_.file) protocols += ",file";
    curl_.set(handle, CURLOPT_PROTOCOLS_STR, protocols.c_str());
    curl_.set(handle, CURLOPT_URL, what_.url.c_str());
    curl_.set(handle, CURLOPT_FOLLOWLOCATION, 1L);
    curl_.set(handle, CURLOPT_MAXREDIRS, kMostRedirects);
    curl_.set(handle, CURLOPT_FAILONERROR, 1L);
    curl_.set(handle, CURLOPT_NOSIGNAL, 1L);
    curl_.set(handle, CURLOPT_CONNECTTIMEOUT, 30L);
    curl_.set(handle, CURLOPT_LOW_SPEED_LIMIT, 1L);  // bytes a second
    curl_.set(handle, CURLOPT_LOW_SPEED_TIME, 60L);
    curl_.set(handle, CURLOPT_USERAGENT, agent_.c_str());
    curl_.set(handle, CURLOPT_WRITEFUNCTION, &Running::write);
    curl_.set(handle, CURLOPT_WRITEDATA, static_cast<void*>(this));
    curl_.set(handle, CURLOPT_HEADERFUNCTION, &Running::header);
    curl_.set(handle, CURLOPT_HEADERDATA, static_cast<void*>(this));
    curl_.set(handle, CURLOPT_XFERINFOFUNCTION, &Running::progress);
    curl_.set(handle, CURLOPT_XFERINFODATA, static_cast<void*>(this));
    curl_.set(handle, CURLOPT_NOPROGRESS, 0L);
  }

  Outcome attempt() {
    const auto handle = curl_.handle();
    configure(handle);
    answer_ = {};
    asked_from_ = file_.size();
    began_ = false;
    curl_slist* headers = nullptr;
    if (asked_from_ > 0 && !is_file()) {
      curl_.set(handle, CURLOPT_RANGE, (range_ = fmt::format("{}-", asked_from_)).c_str());
      headers = curl_.append(headers, ("If-Range: " + validator_).c_str());
      curl_.set(handle, CURLOPT_HTTPHEADER, headers);
    } else if (asked_from_ > 0) {
      file_.restart();  // a file is copied at once
      asked_from_ = 0;
    }
    handle_ = handle.get();
    const CURLcode code = curl_.perform(handle.get());
    long status = 0;
    curl_.getinfo(handle.get(), CURLINFO_RESPONSE_CODE, &status);
    curl_.free_all(headers);
    file_.keep_now_and_then();
    if (failure_) std::rethrow_exception(std::exchange(failure_, nullptr));
    return judge(code, status);
  }

  Outcome judge(CURLcode code, long status) {
    if (code == CURLE_OK) {
      const auto expected = total();
      if (!began_ && asked_from_ > 0 && status != 206) {
        file_.restart();
        reason_ = "the server sent nothing";
        return Outcome::interrupted;
      }
      if (expected && *expected != file_.size()) {
        reason_ = fmt::format("the server spoke of {} bytes and sent {}", *expected, file_.size());
        if (file_.size() > *expected) file_.restart();
        return Outcome::interrupted;
      }
      return Outcome::complete;
    }
    reason_ = code == CURLE_HTTP_RETURNED_ERROR ? fmt::format("the server answers {}", status) : curl_.text_of(code);
    if (code == CURLE_HTTP_RETURNED_ERROR) {
      if (status == 416) {  // what is here is longer than what is there
        file_.restart();
        return Outcome::interrupted;
      }
      if (status == 408 || status == 429 || status >= 500) return Outcome::interrupted;
    }
    if (is_passing(code)) return Outcome::interrupted;
    throw Error(fmt::format("{}: {}", what_.url, explained(code)));
  }

  static bool is_passing(CURLcode code) {
    switch (code) {
      case CURLE_COULDNT_RESOLVE_HOST:
      case CURLE_COULDNT_RESOLVE_PROXY:
      case CURLE_COULDNT_CONNECT:
      case CURLE_PARTIAL_FILE:
      case CURLE_OPERATION_TIMEDOUT:
      case CURLE_SSL_CONNECT_ERROR:
      case CURLE_GOT_NOTHING:
      case CURLE_SEND_ERROR:
      case CURLE_RECV_ERROR:
      case CURLE_HTTP2:
      case CURLE_HTTP2_STREAM:
        return true;
      default:
        return false;
    }
  }

  std::string explained(CURLcode code) const {
    if (code == CURLE_UNSUPPORTED_PROTOCOL)
      return "this leads to an address that is not https (--allow-http and --allow-file permit others; no redirect may "
             "lead to a file)";
    if (code == CURLE_TOO_MANY_REDIRECTS) return fmt::format("more than {} redirects", kMostRedirects);
    return reason_;
  }

  /// How long the whole file is, as far as anybody says.
  std::optional<std::uint64_t> total() const {
    if (what_.bytes) return what_.bytes;
    if (answer_.total) return answer_.total;
    if (answer_.length && began_part_) return asked_from_ + *answer_.length;
    return answer_.length;
  }

  /// The first bytes of an answer: of the whole file, or of the part that was asked for?
  void begin() {
    long status = 0;
    curl_.getinfo(handle_, CURLINFO_RESPONSE_CODE, &status);
    began_ = true;
    began_part_ = status == 206 && answer_.begin == asked_from_;
    if (status == 206 && !began_part_)
      throw Error(fmt::format("{}: the server sends another part than was asked for", what_.url));
    if (asked_from_ > 0 && !began_part_) {
      file_.restart();
      resumed_at_ = 0;
    }
    if (file_.size() == 0 && answer_.validator != validator_) {
      validator_ = answer_.validator;
      write_kept_file(validator_path_, validator_);
    }
    require_room();
  }

  void require_room() const {
    struct statvfs disk {};
    const auto folder = std::filesystem::path(what_.path).parent_path();
    const auto whole = total();
    if (!whole || *whole <= file_.size() || ::statvfs(folder.empty() ? "." : folder.c_str(), &disk) != 0) return;
    const std::uint64_t room = std::uint64_t{disk.f_bavail} * disk.f_frsize;
    if (*whole - file_.size() > room)
      throw Error(fmt::format("{}: {} bytes are to come, and the disk has room for {}", what_.path,
                              *whole - file_.size(), room));
  }

  void add(const char* data, std::size_t bytes) {
    if (!began_) begin();
    if (what_.bytes && file_.size() + bytes > *what_.bytes) {
      file_.restart();
      throw Error(fmt::format("{}: longer than the {} bytes that it should have", what_.url, *what_.bytes));
    }
    file_.write(data, bytes);
    if (file_.size() - kept_ < kBytesToKeep && file_.size() >= kept_) return;
    file_.keep();  // a signal ends the program at once
    kept_ = file_.size();
  }

  void check(const std::string& sha256) {
    const auto refuse = [&](const std::string& kind, const std::string& wanted, const std::string& found) {
      file_.restart();  // what is wrong is no beginning of what is right
      throw Error(fmt::format("{}: its {} is {}, but {} is expected: it is damaged, or another file", what_.url, kind,
                              found, wanted));
    };
    if (what_.sha256 && *what_.sha256 != sha256) refuse("SHA-256", *what_.sha256, sha256);
    if (!what_.md5) return;
    if (const std::string found = md5_of(what_.path + ".unfinished"); found != *what_.md5)
      refuse("MD5", *what_.md5, found);
  }

  void wait(std::uint64_t failures) {
    using Clock = std::chrono::steady_clock;
    const double seconds =
        rules_.wait * static_cast<double>(std::uint64_t{1} << std::min<std::uint64_t>(failures - 1, 6));
    const auto until =
        Clock::now() + std::chrono::duration_cast<Clock::duration>(std::chrono::duration<double>(seconds));
    do {
      stage_.update(file_.size(), total().value_or(0), reason_ + "; trying again");
      if (seconds > 0) std::this_thread::sleep_for(std::chrono::milliseconds(50));
    } while (Clock::now() < until);
  }

  bool is_file() const { return what_.url.starts_with("file:"); }

  /// No exception may pass through libcurl.
  template <class Call>
  bool guarded(const Call& call) {
    try {
      call();
      return true;
    } catch (...) {
      failure_ = std::current_exception();
      return false;
    }
  }
  static std::size_t write(char* data, std::size_t size, std::size_t count, void* self) {
    auto& running = *static_cast<Running*>(self);
    return running.guarded([&] { running.add(data, size * count); }) ? size * count : 0;
  }
  static std::size_t header(char* data, std::size_t size, std::size_t count, void* self) {
    auto& running = *static_cast<Running*>(self);
    return running.guarded([&] { running.answer_.read({data, size * count}); }) ? size * count : 0;
  }
  static int progress(void* self, curl_off_t, curl_off_t, curl_off_t, curl_off_t) {
    auto& running = *static_cast<Running*>(self);
    return running.guarded([&] { running.stage_.update(running.file_.size(), running.total().value_or(0)); }) ? 0 : 1;
  }

  const Transfer& what_;
  const TransferRules& rules_;
  const CurlLibrary& curl_;
  ResumableFile file_;
  Stage stage_;
  std::string validator_path_, validator_, range_;
  const std::string agent_ = fmt::format("wordbridge/{}", version());
  Answer answer_;
  std::uint64_t asked_from_ = 0, resumed_at_ = 0, kept_ = 0;
  bool began_ = false, began_part_ = false;  // to send; a part
  CURL* handle_ = nullptr;
  std::string reason_;
  std::exception_ptr failure_;
};

template <class Update>
void read_in_blocks(const std::string& path, const Update& update) {
  std::ifstream file(path, std::ios::binary);
  std::string block(std::size_t{1} << 20, '\0');
  while (file.read(block.data(), static_cast<std::streamsize>(block.size())) || file.gcount() > 0) {
    update(block.data(), static_cast<std::size_t>(file.gcount()));
    Context::poll();
  }
  if (!file.eof()) throw IoError(path, "cannot read", errno);
}

}  // namespace

std::string sha256_of(const std::string& path) {
  Sha256 hash;
  read_in_blocks(path, [&](const char* data, std::size_t bytes) { hash.update(data, bytes); });
  return to_hex(hash.finish());
}

std::string md5_of(const std::string& path) {
  const std::unique_ptr<EVP_MD_CTX, decltype(&EVP_MD_CTX_free)> context(EVP_MD_CTX_new(), &EVP_MD_CTX_free);
  if (!context || EVP_DigestInit_ex(context.get(), EVP_md5(), nullptr) != 1) throw Error("MD5 cannot be computed here");
  read_in_blocks(path, [&](const char* data, std::size_t bytes) { EVP_DigestUpdate(context.get(), data, bytes); });
  std::uint8_t digest[EVP_MAX_MD_SIZE];
  unsigned size = 0;
  EVP_DigestFinal_ex(context.get(), digest, &size);
  return to_hex({digest, size});
}

Transferred transfer(const Transfer& what, const TransferRules& rules, const std::string& name) {
  return Running(what, rules, name).run();
}

}  // namespace wordbridge::cli
