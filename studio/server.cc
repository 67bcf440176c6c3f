#include "studio/server.h"

#include <arpa/inet.h>
#include <fmt/format.h>
#include <microhttpd.h>
#include <netdb.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <charconv>
#include <chrono>
#include <condition_variable>
#include <cstring>
#include <map>
#include <mutex>
#include <thread>
#include <utility>

#include "studio/assets.h"
#include "wordbridge/error.h"

namespace wordbridge::studio {

namespace {

using Clock = std::chrono::steady_clock;

/// Nothing but what the server itself sends may run or be loaded, and no other page may look in.
constexpr std::pair<const char*, const char*> kHeaders[] = {
    {"Content-Security-Policy",
     "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; base-uri "
     "'none'; "
     "form-action 'none'; frame-ancestors 'none'; require-trusted-types-for 'script'; trusted-types 'none'"},
    {"X-Content-Type-Options", "nosniff"},
    {"X-Frame-Options", "DENY"},
    {"Referrer-Policy", "no-referrer"},
    {"Cross-Origin-Opener-Policy", "same-origin"},
    {"Cross-Origin-Resource-Policy", "same-origin"},
    {"Cache-Control", "no-store"},
};

/// One request from its first line to its answer.
struct Exchange {
  std::string target;  // path and query as they came
  std::string body;
  Clock::time_point begin = Clock::now();
  bool headers_seen = false;
};

std::string header(MHD_Connection* connection, const char* name) {
  const char* value = MHD_lookup_connection_value(connection, MHD_HEADER_KIND, name);
  return value == nullptr ? std::string() : std::string(value);
}

Caller caller_of(MHD_Connection* connection) {
  return {header(connection, "Host"), header(connection, "Origin"), header(connection, "Sec-Fetch-Site"),
          header(connection, "Content-Type"), header(connection, "Authorization")};
}

/// HttpError 413, before it comes, for a body that is too long.
void require_short_body(const std::string& length) {
  std::uint64_t bytes = 0;
  const auto [end, error] = std::from_chars(length.data(), length.data() + length.size(), bytes);
  if (error == std::errc::result_out_of_range || bytes > kMostBodyBytes)
    throw HttpError(413, fmt::format("the body is longer than {} bytes", kMostBodyBytes));
}

/// The events of a listener as text, for as long as the connection stands.
class EventStream {
 public:
  explicit EventStream(std::unique_ptr<EventBus::Listener> listener) : listener_(std::move(listener)) {}

  static ssize_t read(void* self, std::uint64_t, char* buffer, std::size_t most) {
    return static_cast<EventStream*>(self)->read(buffer, most);
  }
  static void free(void* self) { delete static_cast<EventStream*>(self); }

 private:
  ssize_t read(char* buffer, std::size_t most) {
    constexpr auto kPatience = std::chrono::seconds(10);  // then a line shows that both are still there
    if (text_.empty()) {
      const auto event = listener_->next(kPatience);
      if (listener_->closed()) return MHD_CONTENT_READER_END_OF_STREAM;
      text_ = event ? fmt::format("event: {}\ndata: {}\n\n", event->kind, event->data) : ": still here\n\n";
    }
    const std::size_t length = std::min(most, text_.size());
    std::memcpy(buffer, text_.data(), length);
    text_.erase(0, length);
    return static_cast<ssize_t>(length);
  }

  std::unique_ptr<EventBus::Listener> listener_;
  std::string text_ = ": welcome\n\n";
};

}  // namespace

ListeningSocket::ListeningSocket(const std::string& address, std::uint16_t port) {
  addrinfo hints{};
  hints.ai_flags = AI_PASSIVE | AI_NUMERICSERV;
  hints.ai_socktype = SOCK_STREAM;
  addrinfo* found = nullptr;
  if (const int error = getaddrinfo(address.c_str(), std::to_string(port).c_str(), &hints, &found); error != 0)
    throw UsageError(fmt::format("--address {}: {}", address, gai_strerror(error)));
  const std::unique_ptr<addrinfo, decltype(&freeaddrinfo)> owner(found, freeaddrinfo);
  socket_ = ::socket(found->ai_family, SOCK_STREAM | SOCK_CLOEXEC, 0);
  if (socket_ < 0) throw IoError(address, "cannot make a socket", errno);
  const int yes = 1;
  ::setsockopt(socket_, SOL_SOCKET, SO_REUSEADDR, &yes, sizeof yes);
  if (::bind(socket_, found->ai_addr, found->ai_addrlen) == 0 && ::listen(socket_, 128) == 0) return;
  const int error = errno;
  ::close(socket_);
  throw IoError(fmt::format("{} port {}", address, port), "cannot listen", error);
}

ListeningSocket::ListeningSocket(ListeningSocket&& other) noexcept : socket_(other.release()) {}

ListeningSocket::~ListeningSocket() {
  if (socket_ >= 0) ::close(socket_);
}

int ListeningSocket::release() { return std::exchange(socket_, -1); }

std::uint16_t ListeningSocket::port() const {
  sockaddr_storage bound{};
  socklen_t length = sizeof bound;
  if (::getsockname(socket_, reinterpret_cast<sockaddr*>(&bound), &length) != 0) return 0;
  if (bound.ss_family == AF_INET6) return ntohs(reinterpret_cast<const sockaddr_in6&>(bound).sin6_port);
  return ntohs(reinterpret_cast<const sockaddr_in&>(bound).sin_port);
}

class Server::Implementation {
 public:
  Implementation(Api& api, AccessRules rules, ListeningSocket socket, const ServerLimits& limits);
  ~Implementation();

  const AccessRules& rules() const { return rules_; }

 private:
  static void* on_line(void*, const char* target, MHD_Connection*) {
    auto exchange = std::make_unique<Exchange>();
    exchange->target = target;
    return exchange.release();
  }
  static MHD_Result on_request(void* self, MHD_Connection* connection, const char*, const char* method, const char*,
                               const char* data, std::size_t* size, void** exchange) {
    return static_cast<Implementation*>(self)->receive(connection, method, data, *size,
                                                       *static_cast<Exchange*>(*exchange))
               ? (*size = 0, MHD_YES)
               : MHD_NO;
  }
  static void on_completed(void* self, MHD_Connection* connection, void** exchange, MHD_RequestTerminationCode) {
    delete static_cast<Exchange*>(*exchange);
    *exchange = nullptr;
    static_cast<Implementation*>(self)->wait_for(connection);
  }
  static void on_connection(void* self, MHD_Connection* connection, void**, MHD_ConnectionNotificationCode code) {
    auto* server = static_cast<Implementation*>(self);
    if (code == MHD_CONNECTION_NOTIFY_STARTED)
      server->wait_for(connection);
    else
      server->forget(connection);
  }

  bool receive(MHD_Connection* connection, const char* method, const char* data, std::size_t size, Exchange& exchange);
  Response answer(MHD_Connection* connection, const char* method, Exchange& exchange);
  static bool send(MHD_Connection* connection, Response response);
  static bool refuse(MHD_Connection* connection, const HttpError& error) {
    return send(connection, Response::error(error.status(), error.what()));
  }

  // MHD ends connections that are silent; those that send a byte now and then, these do.
  void wait_for(MHD_Connection* connection);
  void forget(MHD_Connection* connection);
  void watch();

  struct Awaited {
    int socket_fd;
    Clock::time_point since;
  };

  Api& api_;
  AccessRules rules_;
  ServerLimits limits_;
  std::mutex mutex_;
  std::condition_variable ending_changed_;
  std::map<MHD_Connection*, Awaited> awaited_;  // connections whose next request is not here yet
  bool ending_ = false;
  MHD_Daemon* daemon_ = nullptr;
  std::thread watcher_;
};

Server::Implementation::Implementation(Api& api, AccessRules rules, ListeningSocket socket, const ServerLimits& limits)
    : api_(api), rules_(std::move(rules)), limits_(limits) {
  rules_.port = socket.port();
  const int socket_fd = socket.release();
  daemon_ = MHD_start_daemon(
      MHD_USE_THREAD_PER_CONNECTION | MHD_USE_INTERNAL_POLLING_THREAD | MHD_USE_POLL, 0, nullptr, nullptr, on_request,
      this, MHD_OPTION_LISTEN_SOCKET, socket_fd, MHD_OPTION_CONNECTION_LIMIT, limits_.connections,
      MHD_OPTION_CONNECTION_MEMORY_LIMIT, static_cast<std::size_t>(limits_.header_bytes), MHD_OPTION_CONNECTION_TIMEOUT,
      limits_.seconds, MHD_OPTION_NOTIFY_COMPLETED, on_completed, this, MHD_OPTION_URI_LOG_CALLBACK, on_line, this,
      MHD_OPTION_NOTIFY_CONNECTION, on_connection, this, MHD_OPTION_STRICT_FOR_CLIENT, 1, MHD_OPTION_END);
  if (daemon_ == nullptr) {
    const int error = errno;
    ::close(socket_fd);
    throw IoError(rules_.address, "cannot start the server", error);
  }
  watcher_ = std::thread([this] { watch(); });
}

Server::Implementation::~Implementation() {
  {
    const std::lock_guard lock(mutex_);
    ending_ = true;
    ending_changed_.notify_all();
  }
  watcher_.join();
  MHD_stop_daemon(daemon_);
}

void Server::Implementation::wait_for(MHD_Connection* connection) {
  const MHD_ConnectionInfo* info = MHD_get_connection_info(connection, MHD_CONNECTION_INFO_CONNECTION_FD);
  if (info == nullptr) return;
  const std::lock_guard lock(mutex_);
  awaited_[connection] = {info->connect_fd, Clock::now()};
}

void Server::Implementation::forget(MHD_Connection* connection) {
  const std::lock_guard lock(mutex_);
  awaited_.erase(connection);
}

void Server::Implementation::watch() {
  std::unique_lock lock(mutex_);
  while (!ending_changed_.wait_for(lock, std::chrono::seconds(1), [&] { return ending_; })) {
    const auto late = Clock::now() - std::chrono::seconds(limits_.seconds);
    // A connection is taken off before its socket is closed, so these are open.
    for (const auto& [connection, awaited] : awaited_)
      if (awaited.since < late) ::shutdown(awaited.socket_fd, SHUT_RDWR);
  }
}

bool Server::Implementation::receive(MHD_Connection* connection, const char* method, const char* data, std::size_t size,
                                     Exchange& exchange) {
  if (!exchange.headers_seen) {
    exchange.headers_seen = true;
    forget(connection);
    const bool posts = std::string_view(method) == "POST";
    try {
      Request::method_of(method);
      const Caller caller = caller_of(connection);
      check_origin(caller, rules_, posts);
      if (exchange.target.starts_with(Api::kRoot)) check_token(caller, rules_);
      require_short_body(header(connection, "Content-Length"));
    } catch (const HttpError& error) {
      return refuse(connection, error);
    }
    return true;
  }
  if (size > 0) {
    if (exchange.body.size() + size > kMostBodyBytes ||
        Clock::now() - exchange.begin > std::chrono::seconds(limits_.seconds))
      return false;
    exchange.body.append(data, size);
    return true;
  }
  return send(connection, answer(connection, method, exchange));
}

Response Server::Implementation::answer(MHD_Connection*, const char* method, Exchange& exchange) {
  try {
    Request request = Request::parse(Request::method_of(method), exchange.target, std::move(exchange.body));
    if (const Asset* asset = find_asset(request.path())) {
      if (request.method() != Request::Method::get) throw HttpError(405, "this is not a method of this path");
      Response response;
      response.type = asset->type;
      response.body = std::make_shared<const std::string>(asset->bytes);
      return response;
    }
    return api_.answer(std::move(request));
  } catch (const HttpError& error) {
    return Response::error(error.status(), error.what());
  } catch (const std::bad_alloc&) {
    return Response::error(503, "out of memory");
  }
}

bool Server::Implementation::send(MHD_Connection* connection, Response response) {
  MHD_Response* reply = nullptr;
  if (response.listener) {
    auto stream = std::make_unique<EventStream>(std::move(response.listener));
    reply =
        MHD_create_response_from_callback(MHD_SIZE_UNKNOWN, 4096, EventStream::read, stream.get(), EventStream::free);
    if (reply != nullptr) static_cast<void>(stream.release());
  } else {
    // Copied: the caches may let go of it before it is sent.
    reply = MHD_create_response_from_buffer(response.body->size(), const_cast<char*>(response.body->data()),
                                            MHD_RESPMEM_MUST_COPY);
  }
  if (reply == nullptr) return false;
  for (const auto& [name, value] : kHeaders) MHD_add_response_header(reply, name, value);
  MHD_add_response_header(reply, "Content-Type", response.type.c_str());
  if (response.status == 401) MHD_add_response_header(reply, "WWW-Authenticate", "Bearer");
  if (response.status == 405) MHD_add_response_header(reply, "Allow", "GET, HEAD, POST, DELETE");
  if (!response.file_name.empty())
    MHD_add_response_header(reply, "Content-Disposition",
                            fmt::format("attachment; filename=\"{}\"", response.file_name).c_str());
  const MHD_Result sent = MHD_queue_response(connection, static_cast<unsigned>(response.status), reply);
  MHD_destroy_response(reply);
  return sent == MHD_YES;
}

Server::Server(Api& api, AccessRules rules, ListeningSocket socket, const ServerLimits& limits)
    : implementation_(std::make_unique<Implementation>(api, std::move(rules), std::move(socket), limits)) {}

Server::~Server() = default;

std::string Server::address() const {
  const AccessRules& rules = implementation_->rules();
  const bool is_v6 = rules.address.find(':') != std::string::npos;
  return fmt::format("http://{}:{}/{}", is_v6 ? "[" + rules.address + "]" : rules.address, rules.port,
                     rules.token.empty() ? "" : "#token=" + rules.token);
}

}  // namespace wordbridge::studio
