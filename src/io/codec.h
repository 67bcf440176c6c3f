#pragma once
#include <memory>
#include <span>
#include <string>

#include "io/compressed_stream.h"

namespace wordbridge {

/// One compression library's way of decoding, made alike for all of them.
class Decoder {
 public:
  enum class State { more, end, damage };

  virtual ~Decoder() = default;
  /// Decodes what it can, moving both spans forward. `end`: this stream is over, what is left of `in` comes after it.
  virtual State decode(std::span<const char>& in, std::span<char>& out) = 0;
  /// To be called before a stream that follows another one.
  virtual void restart() = 0;
  /// Why the last answer was `damage`.
  const std::string& reason() const { return reason_; }

 protected:
  State damage(std::string reason) {
    reason_ = std::move(reason);
    return State::damage;
  }

 private:
  std::string reason_;
};
std::unique_ptr<Decoder> make_decoder(Compression compression);

/// The same for encoding.
class Encoder {
 public:
  virtual ~Encoder() = default;
  /// Encodes what it can, moving both spans forward; with `finish` (and no more input than `in`), true once all is out.
  virtual bool encode(std::span<const char>& in, std::span<char>& out, bool finish) = 0;
};
std::unique_ptr<Encoder> make_encoder(Compression compression);

}  // namespace wordbridge
