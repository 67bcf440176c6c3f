#include "base/checksum.h"

#include <openssl/crypto.h>
#include <openssl/evp.h>
#define XXH_INLINE_ALL
#include <xxhash.h>

#include "wordbridge/error.h"

namespace wordbridge {

struct Sha256::Context {
  std::unique_ptr<EVP_MD_CTX, decltype(&EVP_MD_CTX_free)> md{EVP_MD_CTX_new(), &EVP_MD_CTX_free};
};

Sha256::Sha256() : context_(std::make_unique<Context>()) {
  // Threads that hash may outlive the handler with which OpenSSL cleans up at exit, and would leak their state then.
  static const int initialized = OPENSSL_init_crypto(OPENSSL_INIT_NO_ATEXIT, nullptr);
  static_cast<void>(initialized);
  if (!context_->md || EVP_DigestInit_ex(context_->md.get(), EVP_sha256(), nullptr) != 1)
    throw Error("SHA-256 is not available in this build of OpenSSL");
}

Sha256::~Sha256() = default;

void Sha256::update(const void* data, std::size_t bytes) { EVP_DigestUpdate(context_->md.get(), data, bytes); }

Sha256::Digest Sha256::finish() {
  Digest digest{};
  EVP_DigestFinal_ex(context_->md.get(), digest.data(), nullptr);
  return digest;
}

std::string to_hex(std::span<const std::uint8_t> bytes) {
  static constexpr char digits[] = "0123456789abcdef";
  std::string text;
  text.reserve(bytes.size() * 2);
  for (const std::uint8_t byte : bytes) {
    text += digits[byte >> 4];
    text += digits[byte & 15];
  }
  return text;
}

std::uint64_t xxh3(const void* data, std::size_t bytes) { return XXH3_64bits(data, bytes); }

}  // namespace wordbridge
