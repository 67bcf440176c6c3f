#pragma once
#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

#include "base/atomic_file.h"
#include "io/byte_stream.h"

namespace wordbridge {

// A file of named sections that are used where they are mapped (docs/file-formats.md, "Prepared spaces"): a header of
// 128 bytes, the sections, each at a multiple of 64 bytes with zeros before it, and a directory with the names,
// places and checksums, one for each block of 64 KiB of each section. All numbers are little-endian.

/// What tells one kind of such files from another.
struct SectionFormat {
  std::array<char, 8> magic;
  std::uint32_t version;  // files of a later one are refused
  std::string_view name;  // for messages: ".wbspace"
};

/// Reads such a file. Opening it reads the header and the directory; a block of a section is compared with its checksum
/// when it is first asked for. Copies share everything, and are for many threads at once.
class SectionFile {
 public:
  static constexpr std::size_t kBlockBytes = std::size_t{1} << 16;

  /// Maps the file behind the stream; one that cannot be mapped (a pipe, a compressed file) is taken into memory.
  /// InputError where header or directory are damaged, or the format is another.
  SectionFile(ByteStream& stream, const SectionFormat& format);

  struct State;  // hidden

  /// Bytes of a section. Copies keep the file.
  class Section {
   public:
    std::size_t bytes() const { return bytes_; }
    /// Compares those of the bytes [offset, offset + count) with their checksums that were not compared before.
    /// InputError where they do not match.
    void require(std::size_t offset, std::size_t count) const;
    /// The same for all, on all threads.
    void require_all() const;
    /// Not compared with their checksums.
    const char* unchecked() const { return data_; }

   private:
    friend class SectionFile;
    void require_blocks(std::size_t begin, std::size_t end) const;

    std::shared_ptr<const State> state_;
    std::size_t number_ = 0;
    const char* data_ = nullptr;
    std::size_t bytes_ = 0;
  };

  bool has(std::string_view name) const;
  /// InputError where there is none.
  Section section(std::string_view name) const;
  /// A section as numbers, compared with its checksums; InputError where it does not hold `count` of them.
  template <class T>
  std::span<const T> values(std::string_view name, std::size_t count) const {
    static_assert(std::is_trivially_copyable_v<T>);
    const Section found = sized(name, count, sizeof(T));
    found.require_all();
    return {reinterpret_cast<const T*>(found.unchecked()), count};
  }
  /// The same without comparing them: for what is large, and compared when it is used.
  Section sized(std::string_view name, std::size_t count, std::size_t value_bytes) const;
  /// A whole section as text, compared.
  std::string_view text(std::string_view name) const;

  /// Compares everything that was not compared before, with a progress bar.
  void require_all() const;

  struct Entry {
    std::string name;
    std::uint64_t offset, bytes;
  };
  /// In the order of their places.
  const std::vector<Entry>& entries() const;
  std::uint64_t file_bytes() const;
  const std::string& path() const;
  /// What keeps the bytes.
  std::shared_ptr<const void> owner() const { return state_; }
  /// Whether the bytes are those of the file itself, shared with all processes that map it.
  bool is_mapped() const;
  [[noreturn]] void fail(const std::string& reason) const;

 private:
  std::shared_ptr<const State> state_;
};

/// Writes such a file, section by section.
class SectionWriter {
 public:
  SectionWriter(AtomicFile& file, const SectionFormat& format);

  /// A section, to be filled by write() until the next one begins. A name is of at most 39 bytes, and comes once.
  void begin(std::string_view name);
  void write(const void* data, std::size_t bytes);
  /// A whole section.
  template <class T>
  void add(std::string_view name, std::span<const T> values) {
    static_assert(std::is_trivially_copyable_v<T>);
    begin(name);
    write(values.data(), values.size_bytes());
  }
  void add(std::string_view name, std::string_view text) { add(name, std::span(text.data(), text.size())); }
  /// Directory and header; the file is still to be committed.
  void finish();

 private:
  struct Section {
    std::string name;
    std::uint64_t offset = 0, bytes = 0;
    std::vector<std::uint64_t> checksums = {};
  };
  void end_section();

  AtomicFile& file_;
  SectionFormat format_;
  std::vector<Section> sections_;
  std::string block_;  // the beginning of a block that is not full yet
};

}  // namespace wordbridge
