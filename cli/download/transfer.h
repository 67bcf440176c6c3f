#pragma once
#include <cstdint>
#include <optional>
#include <string>

namespace wordbridge::cli {

/// What downloads may do, and how long they try.
struct TransferRules {
  bool http = false, file = false;  // allowed, beside https; redirects never lead to files
  std::uint64_t retries = 5;        // in a row, without a byte more
  double wait = 1;                  // seconds before the first of them; twice as long before each that follows
};

/// A published file and where it is to be.
struct Transfer {
  std::string url;
  std::string path;
  std::optional<std::uint64_t> bytes = std::nullopt;  // where they are known
  std::optional<std::string> sha256 = std::nullopt;   // likewise, in hexadecimal
  std::optional<std::string> md5 = std::nullopt;
};

struct Transferred {
  std::uint64_t bytes = 0, resumed_at = 0;
  std::string sha256;
};

/// Checksums of a file, in hexadecimal.
std::string sha256_of(const std::string& path);
std::string md5_of(const std::string& path);

/// Brings a file here, whole or not at all: bytes gather in PATH.unfinished, from which a later call goes on where the
/// server still has the same file. What fails for a while (connections, servers that are busy) is tried again. Error
/// for anything else: a checksum or a length that is not the expected one, an address that must not be used, too many
/// redirects, a disk without room. `name` is shown with the progress. Cancelled where the context is.
Transferred transfer(const Transfer& what, const TransferRules& rules, const std::string& name);

}  // namespace wordbridge::cli
