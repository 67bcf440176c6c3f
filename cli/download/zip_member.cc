#include "cli/download/zip_member.h"

#include <fmt/format.h>
#include <zlib.h>

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <fstream>
#include <optional>
#include <vector>

#include "base/atomic_file.h"
#include "wordbridge/context.h"
#include "wordbridge/error.h"

namespace wordbridge::cli {

namespace {

/// The archive's bytes; every place is checked against its size.
class Archive {
 public:
  explicit Archive(const std::string& path) : path_(path), file_(path, std::ios::binary) {
    if (!file_) throw IoError(path, "cannot open", errno);
    file_.seekg(0, std::ios::end);
    size_ = static_cast<std::uint64_t>(file_.tellg());
  }

  std::uint64_t size() const { return size_; }
  [[noreturn]] void refuse(const std::string& reason) const {
    throw InputError(path_, 0, "not a sound zip archive: " + reason);
  }

  std::string read(std::uint64_t offset, std::uint64_t bytes) {
    if (offset > size_ || bytes > size_ - offset) refuse("something lies behind its end");
    std::string text(bytes, '\0');
    file_.seekg(static_cast<std::streamoff>(offset));
    if (!file_.read(text.data(), static_cast<std::streamsize>(bytes))) throw IoError(path_, "cannot read", errno);
    return text;
  }

 private:
  std::string path_;
  std::ifstream file_;
  std::uint64_t size_ = 0;
};

/// A little-endian number.
std::uint64_t number_at(const std::string& bytes, std::size_t offset, std::size_t count) {
  std::uint64_t value = 0;
  for (std::size_t i = 0; i < count; ++i)
    value |= std::uint64_t{static_cast<std::uint8_t>(bytes.at(offset + i))} << (8 * i);
  return value;
}

struct Member {
  std::string name;
  std::uint64_t flags = 0, method = 0, crc = 0, packed = 0, size = 0, header = 0;
};

struct Directory {
  std::uint64_t offset = 0, bytes = 0, entries = 0;
};

constexpr std::uint64_t kInZip64 = 0xffffffff;

/// Where the list of members is: the record at the end of the archive tells, or one that it leads to.
Directory find_directory(Archive& archive) {
  constexpr std::size_t kRecord = 22, kLocator = 20, kRecord64 = 56, kLongestComment = 65535;
  const std::uint64_t tail = std::min<std::uint64_t>(archive.size(), kRecord + kLongestComment);
  const std::string end = archive.read(archive.size() - tail, tail);
  const std::size_t at =
      end.size() < kRecord ? std::string::npos : end.rfind(std::string("PK\5\6", 4), end.size() - kRecord);
  if (at == std::string::npos) archive.refuse("its list of files is missing");
  Directory directory{number_at(end, at + 16, 4), number_at(end, at + 12, 4), number_at(end, at + 10, 2)};
  if (directory.offset != kInZip64 && directory.bytes != kInZip64 && directory.entries != 0xffff) return directory;
  const std::uint64_t place = archive.size() - tail + at;
  if (place < kLocator) archive.refuse("its list of files is missing");
  const std::string locator = archive.read(place - kLocator, kLocator);
  if (!locator.starts_with("PK\6\7")) return directory;
  const std::string record = archive.read(number_at(locator, 8, 8), kRecord64);
  if (!record.starts_with("PK\6\6")) archive.refuse("its list of files is missing");
  return {number_at(record, 48, 8), number_at(record, 40, 8), number_at(record, 32, 8)};
}

/// Numbers that did not fit into 32 bits are in the extra field 1, in this order, only those.
void read_zip64(Member& member, const std::string& extra) {
  for (std::size_t at = 0; at + 4 <= extra.size();) {
    const std::uint64_t kind = number_at(extra, at, 2), bytes = number_at(extra, at + 2, 2);
    std::size_t field = at + 4;
    const std::size_t end = std::min<std::size_t>(field + bytes, extra.size());
    if (kind == 1)
      for (std::uint64_t* value : {&member.size, &member.packed, &member.header})
        if (*value == kInZip64 && field + 8 <= end) {
          *value = number_at(extra, field, 8);
          field += 8;
        }
    at += 4 + bytes;
  }
}

std::vector<Member> members_of(Archive& archive) {
  constexpr std::size_t kEntry = 46;
  constexpr std::uint64_t kMostDirectory = std::uint64_t{64} << 20;
  const Directory directory = find_directory(archive);
  if (directory.bytes > kMostDirectory) archive.refuse("its list of files is too long");
  const std::string list = archive.read(directory.offset, directory.bytes);
  std::vector<Member> members;
  for (std::size_t at = 0; at + kEntry <= list.size() && members.size() < directory.entries;) {
    if (list.compare(at, 4, "PK\1\2") != 0) archive.refuse("its list of files is damaged");
    const std::size_t name = number_at(list, at + 28, 2), extra = number_at(list, at + 30, 2),
                      comment = number_at(list, at + 32, 2);
    if (name + extra + comment > list.size() - at - kEntry) archive.refuse("its list of files is damaged");
    Member member{list.substr(at + kEntry, name), number_at(list, at + 8, 2),  number_at(list, at + 10, 2),
                  number_at(list, at + 16, 4),    number_at(list, at + 20, 4), number_at(list, at + 24, 4),
                  number_at(list, at + 42, 4)};
    read_zip64(member, list.substr(at + kEntry + name, extra));
    if (!member.name.ends_with('/')) members.push_back(std::move(member));
    at += kEntry + name + extra + comment;
  }
  return members;
}

const Member& member_named(const Archive& archive, const std::vector<Member>& members, const std::string& name) {
  for (const Member& member : members)
    if (member.name == name || member.name.ends_with("/" + name)) return member;
  if (members.size() != 1) archive.refuse(fmt::format("it holds no file {}", name));
  return members.front();
}

/// Inflates, or copies, block by block.
class Unpacking {
 public:
  Unpacking(Archive& archive, const Member& member, AtomicFile& output)
      : archive_(archive), member_(member), output_(output) {
    if (member.method == 8 && ::inflateInit2(&stream_, -MAX_WBITS) != Z_OK) throw Error("zlib cannot be used");
  }
  ~Unpacking() {
    if (member_.method == 8) ::inflateEnd(&stream_);
  }
  Unpacking(const Unpacking&) = delete;
  Unpacking& operator=(const Unpacking&) = delete;

  void run(std::uint64_t offset) {
    constexpr std::uint64_t kBlock = std::uint64_t{1} << 20;
    if (offset > archive_.size() || member_.packed > archive_.size() - offset) archive_.refuse("it is cut off");
    Stage stage("unpacking");
    for (std::uint64_t done = 0; done < member_.packed && !ended_;) {
      const std::string block = archive_.read(offset + done, std::min(kBlock, member_.packed - done));
      done += block.size();
      if (member_.method == 8)
        inflate(block);
      else
        add(block.data(), block.size());
      stage.update(done, member_.packed);
    }
    if (written_ != member_.size || crc_ != member_.crc || (member_.method == 8 && !ended_))
      archive_.refuse("its file is not what its checksum says");
  }

 private:
  void add(const char* data, std::size_t bytes) {
    if (bytes > member_.size - written_) archive_.refuse("its file is longer than it says");
    output_.write(data, bytes);
    written_ += bytes;
    crc_ = ::crc32_z(crc_, reinterpret_cast<const Bytef*>(data), bytes);
  }

  void inflate(const std::string& block) {
    std::string plain(std::size_t{1} << 20, '\0');
    stream_.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(block.data()));
    stream_.avail_in = static_cast<uInt>(block.size());
    do {
      stream_.next_out = reinterpret_cast<Bytef*>(plain.data());
      stream_.avail_out = static_cast<uInt>(plain.size());
      const int result = ::inflate(&stream_, Z_NO_FLUSH);
      if (result != Z_OK && result != Z_STREAM_END && result != Z_BUF_ERROR) archive_.refuse("its file is damaged");
      add(plain.data(), plain.size() - stream_.avail_out);
      ended_ = result == Z_STREAM_END;
    } while (!ended_ && stream_.avail_out == 0);
  }

  Archive& archive_;
  const Member& member_;
  AtomicFile& output_;
  z_stream stream_{};
  std::uint64_t written_ = 0, crc_ = 0;
  bool ended_ = false;
};

}  // namespace

void unpack_zip_member(const std::string& archive_path, const std::string& name, const std::string& output_path) {
  constexpr std::size_t kLocalHeader = 30;
  Archive archive(archive_path);
  const std::vector<Member> members = members_of(archive);
  const Member& member = member_named(archive, members, name);
  if ((member.flags & 1) != 0) archive.refuse("its file is encrypted");
  if (member.method != 0 && member.method != 8) archive.refuse("its file is packed in an unusual way");
  const std::string header = archive.read(member.header, kLocalHeader);
  if (!header.starts_with("PK\3\4")) archive.refuse("its file has no beginning");
  AtomicFile output(output_path);
  Unpacking(archive, member, output)
      .run(member.header + kLocalHeader + number_at(header, 26, 2) + number_at(header, 28, 2));
  output.commit();
}

}  // namespace wordbridge::cli
