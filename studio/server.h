#pragma once
#include <cstdint>
#include <memory>
#include <string>

#include "studio/api.h"
#include "studio/request.h"

namespace wordbridge::studio {

/// What connections may take.
struct ServerLimits {
  unsigned connections = 128;
  unsigned header_bytes = 256 << 10;  // request line and headers of a connection
  unsigned seconds = 30;              // for a request to arrive, and of silence
};

/// A place to listen at, taken before the work: an address that cannot be had is told at once.
class ListeningSocket {
 public:
  /// An address in figures, or a name; port 0: any that is free. IoError where the system refuses.
  ListeningSocket(const std::string& address, std::uint16_t port);
  ~ListeningSocket();
  ListeningSocket(ListeningSocket&& other) noexcept;
  ListeningSocket& operator=(ListeningSocket&&) = delete;

  std::uint16_t port() const;
  /// Whoever takes it closes it.
  int release();

 private:
  int socket_ = -1;
};

/// The server of a studio: a thread a connection, over libmicrohttpd. It checks who asks and how much, and hands
/// requests to the endpoints.
class Server {
 public:
  /// Answers at once. The port of the rules is that of the socket.
  Server(Api& api, AccessRules rules, ListeningSocket socket, const ServerLimits& limits = {});
  /// Ends all connections; requests that are being answered are waited for.
  ~Server();
  Server(const Server&) = delete;
  Server& operator=(const Server&) = delete;

  /// What to open: "http://127.0.0.1:8765/", with the token where one is wanted.
  std::string address() const;

 private:
  class Implementation;
  std::unique_ptr<Implementation> implementation_;
};

}  // namespace wordbridge::studio
