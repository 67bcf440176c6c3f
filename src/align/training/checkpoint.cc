#include "align/training/checkpoint.h"

#include <fmt/format.h>
#include <signal.h>

#include <algorithm>
#include <cerrno>
#include <charconv>
#include <cstdint>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <string_view>
#include <utility>

#include "base/atomic_file.h"
#include "base/checksum.h"
#include "base/json.h"
#include "parallel/thread_pool.h"
#include "wordbridge/error.h"
#include "wordbridge/version.h"

namespace wordbridge {

namespace {

// The file: kMagic, length of the header (8 bytes), the header (JSON: version, fingerprint, shapes of the matrices, the
// run's own object), the matrices' elements, XXH3 of all before (8 bytes). Little-endian, as the machine.
constexpr std::string_view kName = "wordbridge checkpoint ", kMagic = "wordbridge checkpoint 2\n";

/// The process of a temporary file's name, or 0.
long writer_of(std::string_view name) {
  constexpr std::string_view kPrefix = ".wordbridge-", kSuffix = ".tmp";
  if (!name.starts_with(kPrefix) || !name.ends_with(kSuffix)) return 0;
  long process = 0;
  std::from_chars(name.data() + kPrefix.size(), name.data() + name.size(), process);
  return process;
}

/// A killed process leaves the file that it was writing.
void remove_leftovers(const std::filesystem::path& folder) {
  std::error_code ignored;
  for (const auto& entry : std::filesystem::directory_iterator(folder, ignored)) {
    const long process = writer_of(entry.path().filename().string());
    if (process > 0 && ::kill(static_cast<pid_t>(process), 0) != 0 && errno == ESRCH)
      std::filesystem::remove(entry.path(), ignored);
  }
}

void require_same(const Checkpoint::Fingerprint& ours, const Checkpoint::Fingerprint& theirs, const std::string& path) {
  Checkpoint::Fingerprint names = ours;
  names.insert(theirs.begin(), theirs.end());
  const auto value = [](const Checkpoint::Fingerprint& from, const std::string& name) {
    const auto found = from.find(name);
    return found == from.end() ? std::string("absent") : found->second;
  };
  for (const auto& [name, unused] : names) {
    const std::string then = value(theirs, name), now = value(ours, name);
    if (then != now)
      throw UsageError(
          fmt::format("{}: cannot resume: {} was {} when the run began and is {} now", path, name, then, now));
  }
}

class Reader {
 public:
  Reader(const std::string& path, std::string_view bytes) : path_(path), rest_(bytes) {}

  std::string_view take(std::uint64_t bytes) {
    if (bytes > rest_.size()) fail();
    const std::string_view taken = rest_.substr(0, bytes);
    rest_.remove_prefix(bytes);
    return taken;
  }
  std::uint64_t number() {
    std::uint64_t value = 0;
    std::memcpy(&value, take(sizeof(value)).data(), sizeof(value));
    return value;
  }
  MatrixD matrix(std::uint64_t rows, std::uint64_t cols) {
    if (rows != 0 && cols > rest_.size() / sizeof(double) / rows) fail();
    MatrixD result = MatrixD::uninitialized(rows, cols);
    const std::string_view elements = take(result.size() * sizeof(double));
    if (!elements.empty()) std::memcpy(result.data(), elements.data(), elements.size());
    return result;
  }
  [[noreturn]] void fail(const char* reason = "the checkpoint is damaged; remove it to start anew") const {
    throw InputError(path_, 0, reason);
  }

 private:
  const std::string& path_;
  std::string_view rest_;
};

/// nullopt if there is no such file. What does not begin like a checkpoint, or is longer than any, is not read.
std::optional<std::string> read_file(const std::string& path) {
  constexpr std::uintmax_t kMostBytes = std::uintmax_t{1} << 34;
  std::error_code error;
  if (!std::filesystem::exists(path)) return std::nullopt;
  const std::uintmax_t size = std::filesystem::is_regular_file(path) ? std::filesystem::file_size(path, error) : 0;
  std::ifstream file(path, std::ios::binary);
  if (!file || error) throw IoError(path, "cannot read", error ? error.value() : errno);
  std::string bytes(std::min<std::uintmax_t>(size, kMagic.size()), '\0');
  file.read(bytes.data(), static_cast<std::streamsize>(bytes.size()));
  if (size > kMostBytes || !bytes.starts_with(kName)) Reader(path, bytes).fail();
  bytes.resize(size);
  file.read(bytes.data() + kMagic.size(), static_cast<std::streamsize>(size - kMagic.size()));
  if (!file) throw IoError(path, "cannot read", errno);
  return bytes;
}

/// Of each block of kShardRows rows.
std::vector<std::uint64_t> block_checksums(ConstMatrixView table) {
  std::vector<std::uint64_t> blocks((table.rows() + kShardRows - 1) / kShardRows);
  ThreadPool::current().for_chunks(table.rows(), kShardRows, [&](std::size_t begin, std::size_t end, int) {
    blocks[begin / kShardRows] = xxh3(table.row(begin).data(), (end - begin) * table.cols() * sizeof(float));
  });
  return blocks;
}

std::string checksum_text(std::size_t rows, std::size_t cols, std::span<const std::uint64_t> blocks) {
  return fmt::format("{} x {}, {:016x}", rows, cols,
                     blocks.size() == 1 ? blocks.front() : xxh3(blocks.data(), blocks.size_bytes()));
}

/// The matrices behind the header, and what the header says of the run.
CheckpointState read_state(Reader& reader, const Json& header) {
  CheckpointState state;
  state.finished = header.at("finished").get<bool>();
  state.json = header.at("state").dump();
  for (const Json& shape : header.at("matrices"))
    state.matrices.push_back(reader.matrix(shape.at(0).get<std::uint64_t>(), shape.at(1).get<std::uint64_t>()));
  return state;
}

/// Checks the whole file; the reader is then at the first matrix.
Json read_header(Reader& reader, const std::string& bytes) {
  if (bytes.size() < kMagic.size() + 16) reader.fail();
  const std::string_view magic = reader.take(kMagic.size());
  if (magic.starts_with(kName) && magic.ends_with('\n') && magic != kMagic)
    reader.fail("the checkpoint is of another version of wordbridge; remove it to start anew");
  if (magic != kMagic) reader.fail();
  const std::size_t body = bytes.size() - sizeof(std::uint64_t);
  std::uint64_t checksum = 0;
  std::memcpy(&checksum, bytes.data() + body, sizeof(checksum));
  if (xxh3(bytes.data(), body) != checksum) reader.fail();
  try {
    Json header = Json::parse(reader.take(reader.number()));
    if (header.is_object()) return header;
  } catch (const JsonError&) {
  }
  reader.fail();
}

}  // namespace

std::string checksum_of(ConstMatrixView table) {
  return checksum_text(table.rows(), table.cols(), block_checksums(table));
}

std::string checksum_of(const ShardedRows& table) {
  const RowShards shards = table.shards();
  const auto parts = table.communicator->all_gather_values<std::uint64_t>(block_checksums(table.own));
  std::vector<std::uint64_t> blocks;
  for (std::size_t row = 0; row < table.rows; row += kShardRows)
    blocks.push_back(parts[shards.owner(row)][shards.place(row) / kShardRows]);
  return checksum_text(table.rows, table.own.cols(), blocks);
}

std::string checksum_of(const Lexicon& lexicon) {
  std::vector<WordId> words;
  std::vector<double> weights;
  for (const Lexicon::Pair& pair : lexicon.pairs()) {
    words.insert(words.end(), {pair.source, pair.target});
    if (pair.weight != 1 || !weights.empty()) {
      weights.resize(words.size() / 2 - 1, 1);
      weights.push_back(pair.weight);
    }
  }
  std::string text =
      fmt::format("{} pairs, {:016x}", lexicon.size(), xxh3(words.data(), words.size() * sizeof(WordId)));
  if (!weights.empty()) text += fmt::format(", weights {:016x}", xxh3(weights.data(), weights.size() * sizeof(double)));
  return text;
}

Checkpoint::Checkpoint(const std::string& folder, Fingerprint fingerprint)
    : path_((std::filesystem::path(folder) / "checkpoint.wbstate").string()), fingerprint_(std::move(fingerprint)) {
  fingerprint_["version of wordbridge"] = version();
  std::error_code error;
  std::filesystem::create_directories(folder, error);
  if (error) throw IoError(folder, "cannot make the folder for checkpoints", error.value());
  remove_leftovers(folder);
  AtomicFile writable(path_);  // fails now rather than after the first iteration
}

std::optional<CheckpointState> Checkpoint::load() const {
  const std::optional<std::string> bytes = read_file(path_);
  if (!bytes) return std::nullopt;
  Reader reader(path_, *bytes);
  const Json header = read_header(reader, *bytes);
  try {
    require_same(fingerprint_, header.at("fingerprint").get<Fingerprint>(), path_);
    return read_state(reader, header);
  } catch (const JsonError&) {
    reader.fail();
  }
}

std::optional<std::string> Checkpoint::bytes() const { return read_file(path_); }

CheckpointState Checkpoint::parse(const std::string& path, const std::string& bytes) {
  Reader reader(path, bytes);
  const Json header = read_header(reader, bytes);
  try {
    return read_state(reader, header);
  } catch (const JsonError&) {
    reader.fail();
  }
}

bool Checkpoint::has_unfinished() const {
  const std::optional<std::string> bytes = read_file(path_);
  if (!bytes) return false;
  Reader reader(path_, *bytes);
  return read_header(reader, *bytes).value("finished", Json()) != true;
}

void Checkpoint::save(const CheckpointState& state) const {
  Json shapes = Json::array();
  for (const MatrixD& matrix : state.matrices) shapes.push_back({matrix.rows(), matrix.cols()});
  const Json header = {{"finished", state.finished},
                       {"fingerprint", fingerprint_},
                       {"matrices", shapes},
                       {"state", Json::parse(state.json)}};
  const std::string text = header.dump();
  const std::uint64_t length = text.size();
  std::string bytes(kMagic);
  bytes.append(reinterpret_cast<const char*>(&length), sizeof(length));
  bytes += text;
  for (const MatrixD& matrix : state.matrices)
    bytes.append(reinterpret_cast<const char*>(matrix.data()), matrix.size() * sizeof(double));
  const std::uint64_t checksum = xxh3(bytes.data(), bytes.size());
  bytes.append(reinterpret_cast<const char*>(&checksum), sizeof(checksum));
  AtomicFile file(path_);
  file.write(bytes);
  file.commit();
}

}  // namespace wordbridge
