#include "io/byte_stream.h"

#include <fcntl.h>
#include <gmock/gmock.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <memory>
#include <string>
#include <thread>

#include "base/random.h"
#include "base/temporary_folder_test_support.h"
#include "io/compressed_stream.h"
#include "wordbridge/error.h"

namespace wordbridge::byte_stream_test {

namespace {

using ::testing::HasSubstr;
using ::testing::StartsWith;

std::string read_all(ByteStream& stream, std::size_t piece = 100'000) {
  std::string bytes;
  for (;;) {
    const std::size_t before = bytes.size();
    bytes.resize(before + piece);
    const std::size_t count = stream.read(bytes.data() + before, piece);
    bytes.resize(before + count);
    if (count == 0) return bytes;
  }
}

/// Text that compresses, but not too well.
std::string some_text(std::size_t bytes, std::uint64_t seed = 1) {
  Random random(seed);
  std::string text;
  while (text.size() < bytes) text += std::to_string(random.index(1'000'000)) + (random.index(9) == 0 ? '\n' : ' ');
  text.resize(bytes);
  return text;
}

std::string compressed(Compression compression, std::string_view bytes) {
  std::string result;
  const auto compressor = make_compressor(compression, [&](std::string_view piece) { result += piece; });
  compressor->write(bytes);
  compressor->finish();
  return result;
}

TEST(ReadWhole, ReadsAtMostSoManyBytes) {
  const TemporaryFolder folder;
  const std::string text = some_text(300'000);
  EXPECT_EQ(read_whole(folder.write("plain", text), text.size(), "a poem"), text);
  EXPECT_EQ(read_whole(folder.write("packed", compressed(Compression::gzip, text)), text.size(), "a poem"), text);
  for (const char* name : {"plain", "packed"}) {
    try {
      read_whole(folder.path(name), text.size() - 1, "a poem");
      FAIL();
    } catch (const InputError& error) {
      EXPECT_THAT(error.what(), HasSubstr("has more than 299999 bytes: not a poem"));
    }
  }
}

TEST(ReadWhole, ACutStreamIsNoticed) {
  const TemporaryFolder folder;
  const std::string bytes = compressed(Compression::zstd, some_text(300'000));
  EXPECT_THROW(read_whole(folder.write("cut", bytes.substr(0, bytes.size() / 2)), 1 << 20, "a poem"), InputError);
}

std::string error_of(const std::string& path) {
  try {
    read_all(*open_bytes(path));
  } catch (const Error& error) {
    return error.what();
  }
  return "no error";
}

TEST(ByteStream, ReadsAPlainFileInPiecesOfAnySize) {
  const TemporaryFolder folder;
  const std::string text = some_text(300'000);
  const std::string path = folder.write("plain", text);
  for (const std::size_t piece : {1u, 7u, 65536u, 1'000'000u}) {
    const auto stream = open_bytes(path);
    EXPECT_EQ(read_all(*stream, piece), text);
    EXPECT_EQ(stream->file_position(), text.size());
    EXPECT_EQ(stream->file_size(), text.size());
    EXPECT_EQ(stream->compression(), "");
    EXPECT_EQ(stream->path(), path);
  }
}

TEST(ByteStream, PeekTakesNothing) {
  const TemporaryFolder folder;
  const std::string text = some_text(200'000);
  for (const Compression compression : {Compression::none, Compression::zstd}) {
    const std::string path =
        folder.write("file", compression == Compression::none ? text : compressed(compression, text));
    const auto stream = open_bytes(path);
    Random random(3);
    std::string bytes;
    while (bytes.size() < text.size()) {
      const std::size_t look = random.index(65537);
      EXPECT_EQ(stream->peek(look), std::string_view(text).substr(bytes.size(), look));
      std::string piece(random.index(30'000), ' ');
      piece.resize(stream->read(piece.data(), piece.size()));
      bytes += piece;
    }
    EXPECT_EQ(bytes, text);
    EXPECT_EQ(stream->peek(10), "");
  }
}

TEST(ByteStream, AnEmptyFileIsAnEmptyStream) {
  const TemporaryFolder folder;
  const auto stream = open_bytes(folder.write("empty", ""));
  EXPECT_EQ(stream->peek(1), "");
  EXPECT_EQ(read_all(*stream), "");
  EXPECT_EQ(stream->file_size(), 0u);
}

TEST(ByteStream, WhatCannotBeReadIsAnInputError) {
  const TemporaryFolder folder;
  EXPECT_EQ(error_of(folder.path("none")), folder.path("none") + ": cannot open: No such file or directory");
  EXPECT_EQ(error_of(folder.path("")), folder.path("") + ": cannot read: Is a directory");
  const std::string secret = folder.write("secret", "text");
  ASSERT_EQ(::chmod(secret.c_str(), 0), 0);
  if (::geteuid() != 0) {
    EXPECT_EQ(error_of(secret), secret + ": cannot open: Permission denied");
  }
}

TEST(ByteStream, ReadsAPipeThatIsWrittenSlowly) {
  const std::string text = some_text(300'000);
  for (const Compression compression : {Compression::none, Compression::gzip}) {
    const std::string bytes = compression == Compression::none ? text : compressed(compression, text);
    int ends[2];
    ASSERT_EQ(::pipe(ends), 0);
    std::thread writer([&] {
      for (std::size_t done = 0; done < bytes.size();) {
        const ssize_t count =
            ::write(ends[1], bytes.data() + done, std::min<std::size_t>(done % 7919 + 1, bytes.size() - done));
        ASSERT_GT(count, 0);
        done += static_cast<std::size_t>(count);
      }
      ::close(ends[1]);
    });
    const auto stream = open_bytes("/dev/fd/" + std::to_string(ends[0]));
    EXPECT_EQ(read_all(*stream), text);
    EXPECT_EQ(stream->file_size(), std::nullopt);
    EXPECT_EQ(stream->file_position(), bytes.size());
    writer.join();
    ::close(ends[0]);
  }
}

TEST(ByteStream, ReadsANamedPipe) {
  const TemporaryFolder folder;
  const std::string path = folder.path("fifo");
  ASSERT_EQ(::mkfifo(path.c_str(), 0600), 0);
  const std::string text = some_text(200'000);
  std::thread writer([&] {
    const int descriptor = ::open(path.c_str(), O_WRONLY);
    for (std::size_t done = 0; done < text.size();)
      done += static_cast<std::size_t>(::write(descriptor, text.data() + done, text.size() - done));
    ::close(descriptor);
  });
  EXPECT_EQ(read_all(*open_bytes(path)), text);
  writer.join();
}

TEST(ByteStream, DashIsStandardInput) {
  const TemporaryFolder folder;
  const std::string text = some_text(100'000);
  const int file = ::open(folder.write("in.gz", compressed(Compression::gzip, text)).c_str(), O_RDONLY);
  const int standard_input = ::dup(STDIN_FILENO);
  ASSERT_EQ(::dup2(file, STDIN_FILENO), STDIN_FILENO);
  const auto stream = open_bytes("-");
  EXPECT_EQ(stream->path(), "standard input");
  EXPECT_EQ(read_all(*stream), text);
  ::dup2(standard_input, STDIN_FILENO);
  ::close(standard_input);
  ::close(file);
}

TEST(ByteStream, ClosesAtOnceThoughAPipesWriterIsSilent) {
  const std::string bytes = compressed(Compression::gzip, some_text(100'000));
  int ends[2];
  ASSERT_EQ(::pipe(ends), 0);
  ASSERT_EQ(::write(ends[1], bytes.data(), bytes.size() / 2), static_cast<ssize_t>(bytes.size() / 2));
  {
    const auto stream = open_bytes("/dev/fd/" + std::to_string(ends[0]));
    char byte = 0;
    EXPECT_EQ(stream->read(&byte, 1), 1u);
  }
  ::close(ends[0]);
  ::close(ends[1]);
}

class CompressedStream : public ::testing::TestWithParam<Compression> {
 protected:
  std::string extension() const {
    switch (GetParam()) {
      case Compression::gzip:
        return ".gz";
      case Compression::zstd:
        return ".zst";
      case Compression::xz:
        return ".xz";
      default:
        return ".bz2";
    }
  }
  TemporaryFolder folder_;
};

TEST_P(CompressedStream, WrittenByExtensionIsReadByContent) {
  for (const std::size_t size : {0u, 1u, 1000u, 1'100'000u}) {
    const std::string text = some_text(size);
    const std::string name = "out" + std::to_string(size) + extension();
    const auto sink = create_bytes(folder_.path(name));
    for (std::size_t done = 0; done < size; done += 77'777)
      sink->write(std::string_view(text).substr(done, std::min<std::size_t>(77'777, size - done)));
    EXPECT_FALSE(folder_.has(name)) << "appears in finish() only";
    sink->finish();
    const std::string bytes = folder_.read(name);
    EXPECT_EQ(recognize_compression(std::string_view(bytes).substr(0, 16)), GetParam());
    EXPECT_EQ(bytes, compressed(GetParam(), text)) << "the same input gives the same file";
    const auto stream = open_bytes(folder_.write("no extension", bytes));
    EXPECT_EQ(read_all(*stream), text);
    EXPECT_EQ(stream->compression(), name_of(GetParam()));
    EXPECT_EQ(stream->file_size(), bytes.size());
    EXPECT_EQ(stream->file_position(), bytes.size());
  }
}

TEST_P(CompressedStream, ReadsConcatenatedStreams) {
  const std::string first = some_text(400'000, 1), second = some_text(70'000, 2);
  const std::string bytes = compressed(GetParam(), first) + compressed(GetParam(), "") + compressed(GetParam(), second);
  EXPECT_EQ(read_all(*open_bytes(folder_.write("file", bytes))), first + second);
}

TEST_P(CompressedStream, EveryCutIsAnError) {
  const std::string text = some_text(3'000);
  const std::string bytes = compressed(GetParam(), text);
  for (std::size_t size = 4; size < bytes.size(); size += size < 40 || size + 40 > bytes.size() ? 1 : 29) {
    const std::string path = folder_.write("cut", std::string_view(bytes).substr(0, size));
    EXPECT_EQ(error_of(path), path + ": the " + std::string(name_of(GetParam())) + " stream ends early")
        << size << " of " << bytes.size() << " bytes";
  }
}

TEST_P(CompressedStream, TheBytesBeforeACutAreHandedOut) {
  const std::string text = some_text(1'500'000);
  const std::string bytes = compressed(GetParam(), text);
  const auto stream = open_bytes(folder_.write("cut", std::string_view(bytes).substr(0, bytes.size() - 3)));
  std::string read(text.size() + 1, ' ');
  const std::size_t count = stream->read(read.data(), read.size());
  EXPECT_GT(count, text.size() / 2);
  EXPECT_EQ(std::string_view(read).substr(0, count), std::string_view(text).substr(0, count));
  EXPECT_THROW(stream->read(read.data(), 1), CompressedStreamError);
  EXPECT_THROW(stream->read(read.data(), 1), CompressedStreamError) << "and stays an error";
  EXPECT_THROW(stream->peek(1), CompressedStreamError);
}

TEST_P(CompressedStream, ChangedBytesAreAnError) {
  const std::string bytes = compressed(GetParam(), some_text(20'000));
  Random random(5);
  for (int trial = 0; trial < 30; ++trial) {
    std::string damaged = bytes;
    damaged[20 + random.index(bytes.size() - 40)] ^= static_cast<char>(1 + random.index(255));
    EXPECT_THAT(error_of(folder_.write("damaged", damaged)), HasSubstr("the " + std::string(name_of(GetParam()))));
  }
}

TEST_P(CompressedStream, WhatFollowsAndIsNoStreamIsAnError) {
  const std::string text = some_text(20'000);
  const std::string bytes = compressed(GetParam(), text);
  for (const std::string garbage : {"garbage at the end of the file", "x", "\x1F\x8B"}) {
    const std::string path = folder_.write("garbage", bytes + garbage);
    EXPECT_THAT(error_of(path), StartsWith(path + ": the " + std::string(name_of(GetParam())) + " stream")) << garbage;
    std::string read(text.size(), ' ');
    EXPECT_EQ(open_bytes(path)->read(read.data(), read.size()), text.size());
    EXPECT_EQ(read, text);
  }
}

TEST_P(CompressedStream, LeavesNothingWithoutFinish) {
  create_bytes(folder_.path("out" + extension()))->write(some_text(1'500'000));
  EXPECT_EQ(folder_.files(), 0u);
}

INSTANTIATE_TEST_SUITE_P(All, CompressedStream,
                         ::testing::Values(Compression::gzip, Compression::zstd, Compression::xz, Compression::bzip2),
                         [](const auto& parameter) { return std::string(name_of(parameter.param)); });

TEST(CompressedStreamRecognition, LeavesTextAlone) {
  for (const std::string text : {"BZh9 0.1 0.2", "BZh is a word", "(the 0.1", "the 0.1", "P*M 1 2"})
    EXPECT_EQ(recognize_compression(text), Compression::none) << text;
  EXPECT_EQ(compression_of_path("a.vec"), Compression::none);
  EXPECT_EQ(compression_of_path("a.vec.gz"), Compression::gzip);
}

TEST(CompressedStreamRecognition, ZerosMayFollowGzipAndXz) {
  const TemporaryFolder folder;
  for (const Compression compression : {Compression::gzip, Compression::xz}) {
    const std::string bytes = compressed(compression, "text");
    EXPECT_EQ(read_all(*open_bytes(folder.write("padded", bytes + std::string(1024, '\0') + bytes))), "texttext");
  }
}

TEST(CompressedStreamRecognition, ASkippableFrameMayComeFirst) {
  const TemporaryFolder folder;
  const std::string frame("\x50\x2A\x4D\x18\x03\0\0\0abc", 11);
  EXPECT_EQ(read_all(*open_bytes(folder.write("zst", frame + compressed(Compression::zstd, "text")))), "text");
}

}  // namespace

}  // namespace wordbridge::byte_stream_test
