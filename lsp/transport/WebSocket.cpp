#include "lsp/transport/WebSocket.h"

#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/post.hpp>
#include <boost/asio/steady_timer.hpp>
#include <boost/beast/core.hpp>
#include <boost/beast/http.hpp>
#include <boost/beast/websocket.hpp>

#include <chrono>
#include <condition_variable>
#include <deque>
#include <mutex>
#include <random>
#include <thread>
#include <tuple>

namespace gluond::lsp {

namespace asio = boost::asio;
namespace beast = boost::beast;
namespace http = beast::http;
namespace websocket = beast::websocket;
using tcp = asio::ip::tcp;
using beast::error_code;

namespace {

// The limits of the listener: connections that have not said anything yet, and bytes of a
// connection that its server has not taken or its client has not read. Beyond that a client waits,
// or is dropped.
constexpr size_t mostHandshakes = 64;
constexpr size_t mostReceivedBytes = 2 * maxMessageBytes, mostSentBytes = 4 * maxMessageBytes;
constexpr size_t mostReceived = 4096;              // messages
constexpr size_t mostFirstBytes = size_t{1} << 20; // of the first message, `initialize`
// How long to stop accepting after the system had no descriptor for a client.
constexpr auto pauseAfterFailure = std::chrono::milliseconds(100);

// One accepted client. Beast's stream is used on the listener's io thread only; read() and write()
// exchange messages with it through queues.
class Connection : public std::enable_shared_from_this<Connection> {
public:
  explicit Connection(beast::tcp_stream stream) : socket_(std::move(stream)) {}

  // Answers the upgrade and reads; `ready` is called with the first message.
  template <typename HttpRequest>
  void accept(const HttpRequest& request, std::function<void()> ready) {
    ready_ = std::move(ready);
    socket_.set_option(websocket::stream_base::timeout::suggested(beast::role_type::server));
    socket_.read_message_max(mostFirstBytes);
    socket_.text(true);
    socket_.async_accept(request, [self = shared_from_this()](error_code error) {
      if (!error) self->readNext();
    });
  }

  // Ends a connection that nobody has accepted. On the io thread.
  void drop() { beast::get_lowest_layer(socket_).close(); }

  Incoming read() {
    std::unique_lock lock(mutex_);
    changed_.wait(lock, [&] { return !received_.empty() || closed_; });
    if (received_.empty()) return {};
    Incoming incoming = std::move(received_.front());
    received_.pop_front();
    receivedBytes_ -= incoming.text.size();
    if (isPaused_ && hasRoom()) {
      isPaused_ = false;
      asio::post(socket_.get_executor(), [self = shared_from_this()] { self->readNext(); });
    }
    return incoming;
  }

  // Waits for a client that has much left to read.
  bool write(std::string_view message) {
    {
      std::unique_lock lock(mutex_);
      changed_.wait(lock, [&] { return sentBytes_ < mostSentBytes || closed_ || abandoned_; });
      if (closed_ || abandoned_) return false;
      sentBytes_ += message.size();
    }
    asio::post(socket_.get_executor(),
               [self = shared_from_this(), text = std::string(message)]() mutable {
                 self->toSend_.push_back(std::move(text));
                 if (self->toSend_.size() == 1) self->writeNext();
               });
    return true;
  }

  void abandon() {
    {
      std::lock_guard lock(mutex_);
      abandoned_ = true;
    }
    changed_.notify_all();
  }

  void close() {
    asio::post(socket_.get_executor(), [self = shared_from_this()] {
      if (self->toSend_.empty())
        self->finish();
      else
        self->closing_ = true;
    });
  }

private:
  void readNext() {
    socket_.async_read(buffer_, [self = shared_from_this()](error_code error, size_t) {
      if (error) return self->markClosed();
      Incoming incoming;
      if (self->socket_.got_text())
        incoming = {Incoming::Kind::Message, beast::buffers_to_string(self->buffer_.data())};
      else
        incoming = {Incoming::Kind::Malformed, "a binary message"};
      self->buffer_.consume(self->buffer_.size());
      bool goesOn;
      {
        std::lock_guard lock(self->mutex_);
        self->receivedBytes_ += incoming.text.size();
        self->received_.push_back(std::move(incoming));
        goesOn = self->hasRoom();
        self->isPaused_ = !goesOn;
      }
      self->changed_.notify_all();
      if (auto ready = std::exchange(self->ready_, nullptr)) {
        self->socket_.read_message_max(maxMessageBytes);
        ready();
      }
      if (goesOn) self->readNext();
    });
  }

  // The caller holds the lock.
  bool hasRoom() const {
    return received_.size() < mostReceived && receivedBytes_ < mostReceivedBytes;
  }

  void writeNext() {
    socket_.async_write(asio::buffer(toSend_.front()),
                        [self = shared_from_this()](error_code error, size_t) {
                          if (error) return self->markClosed();
                          {
                            std::lock_guard lock(self->mutex_);
                            self->sentBytes_ -= self->toSend_.front().size();
                          }
                          self->changed_.notify_all();
                          self->toSend_.pop_front();
                          if (!self->toSend_.empty())
                            self->writeNext();
                          else if (self->closing_)
                            self->finish();
                        });
  }

  void finish() {
    socket_.async_close(websocket::close_code::normal,
                        [self = shared_from_this()](error_code) { self->markClosed(); });
  }

  void markClosed() {
    {
      std::lock_guard lock(mutex_);
      closed_ = true;
    }
    changed_.notify_all();
  }

  // Without compression: a small message must not become a large one.
  static constexpr bool deflates = false;
  websocket::stream<beast::tcp_stream, deflates> socket_;
  beast::flat_buffer buffer_;
  std::deque<std::string> toSend_; // io thread only
  bool closing_ = false;           // io thread only
  std::function<void()> ready_;    // io thread only; null after the first message
  std::mutex mutex_;
  std::condition_variable changed_;
  std::deque<Incoming> received_;
  size_t receivedBytes_ = 0, sentBytes_ = 0;
  bool isPaused_ = false; // the client is not read until there is room
  bool closed_ = false, abandoned_ = false;
};

class WebSocketTransport : public Transport {
public:
  explicit WebSocketTransport(std::shared_ptr<Connection> connection)
      : connection_(std::move(connection)) {}
  ~WebSocketTransport() override { connection_->close(); }
  Incoming read() override { return connection_->read(); }
  bool write(std::string_view message) override { return connection_->write(message); }
  void abandon() override { connection_->abandon(); }

private:
  std::shared_ptr<Connection> connection_;
};

// Compares every character, so that the time does not reveal the place of a difference.
bool sameToken(std::string_view a, std::string_view b) {
  if (a.size() != b.size()) return false;
  unsigned char difference = 0;
  for (size_t i = 0; i < a.size(); ++i)
    difference |= static_cast<unsigned char>(a[i] ^ b[i]);
  return difference == 0;
}

std::string_view view(beast::string_view text) {
  return {text.data(), text.size()};
}

std::string_view tokenOf(std::string_view target) {
  size_t query = target.find('?');
  if (query == std::string_view::npos) return {};
  std::string_view rest = target.substr(query + 1);
  while (!rest.empty()) {
    size_t end = std::min(rest.find('&'), rest.size());
    std::string_view parameter = rest.substr(0, end);
    if (parameter.starts_with("token=")) return parameter.substr(6);
    rest.remove_prefix(std::min(end + 1, rest.size()));
  }
  return {};
}

} // namespace

bool originAllowed(std::string_view origin, const std::vector<std::string>& allowed) {
  for (std::string_view pattern : allowed) {
    if (pattern.ends_with('*') ? origin.starts_with(pattern.substr(0, pattern.size() - 1))
                               : origin == pattern)
      return true;
  }
  return false;
}

struct WebSocketListener::Impl {
  explicit Impl(WebSocketOptions options) : options(std::move(options)), acceptor(io), pause(io) {}

  // The HTTP request for the upgrade, read with a limit in size and time.
  struct Handshake : std::enable_shared_from_this<Handshake> {
    Handshake(Impl& impl, tcp::socket socket) : impl(impl), stream(std::move(socket)) {
      parser.header_limit(8192);
    }

    // Ends it: others wait.
    void drop() {
      if (!isUpgraded)
        stream.close();
      else if (auto silent = upgraded.lock())
        silent->drop();
    }

    void run() {
      // The system must not keep megabytes for each client that does not read.
      error_code ignored;
      std::ignore =
          stream.socket().set_option(asio::socket_base::send_buffer_size(1 << 17), ignored);
      stream.expires_after(std::chrono::seconds(5));
      http::async_read_header(stream, buffer, parser,
                              [self = shared_from_this()](error_code error, size_t) {
                                if (!error) self->check();
                              });
    }

    void check() {
      const auto& request = parser.get();
      std::string_view target = view(request.target());
      auto origin = request.find(http::field::origin);
      auto host = request.find(http::field::host);
      if (request.count(http::field::host) != 1 || !impl.isMeant(view(host->value())))
        return refuse(http::status::forbidden);
      bool fromAfar = origin != request.end() && !impl.isOwnOrigin(view(origin->value())) &&
                      !originAllowed(view(origin->value()), impl.options.allowedOrigins);
      if (fromAfar) return refuse(http::status::forbidden);
      if (!impl.options.page) {
        if (!websocket::is_upgrade(request) || !sameToken(tokenOf(target), impl.options.token))
          return refuse(http::status::forbidden);
        return upgrade();
      }
      target = target.substr(0, target.find('?'));
      // "/TOKEN/name"
      size_t slash = target.find('/', 1);
      if (!target.starts_with('/') || slash == std::string_view::npos ||
          !sameToken(target.substr(1, slash - 1), impl.options.token))
        return refuse(http::status::forbidden);
      std::string_view name = target.substr(slash + 1);
      if (websocket::is_upgrade(request)) {
        if (name != "lsp") return refuse(http::status::not_found);
        return upgrade();
      }
      if (request.method() != http::verb::get) return refuse(http::status::method_not_allowed);
      auto file = impl.options.page->file(name.empty() ? "index.html" : name);
      if (!file) return refuse(http::status::not_found);
      answer(std::move(*file));
    }

    void upgrade() {
      isUpgraded = true;
      stream.expires_never();
      auto connection = std::make_shared<Connection>(std::move(stream));
      upgraded = connection;
      connection->accept(parser.get(), [self = shared_from_this(), connection = connection.get()] {
        {
          std::lock_guard lock(self->impl.mutex);
          self->impl.accepted.push_back(connection->shared_from_this());
        }
        self->impl.changed.notify_one();
      });
    }

    void refuse(http::status status) {
      response = {status, 11};
      send();
    }

    void answer(HttpFile file) {
      response = {http::status::ok, 11};
      response.set(http::field::content_type, file.contentType);
      body = std::move(file.body);
      response.body() = {body->data(), body->size()};
      send();
    }

    // Closes the connection afterwards: a page has a dozen files and gains nothing from keeping it.
    void send() {
      response.set(http::field::connection, "close");
      response.set("X-Content-Type-Options", "nosniff");
      response.set("Referrer-Policy", "no-referrer");
      response.set("X-Frame-Options", "DENY");
      response.set("Cross-Origin-Resource-Policy", "same-origin");
      response.set("Cache-Control", "no-store");
      response.set("Content-Security-Policy", impl.policy());
      response.prepare_payload();
      stream.expires_after(std::chrono::seconds(30));
      http::async_write(stream, response, [self = shared_from_this()](error_code, size_t) {
        error_code ignored;
        std::ignore = self->stream.socket().shutdown(tcp::socket::shutdown_both, ignored);
      });
    }

    Impl& impl;
    beast::tcp_stream stream;
    beast::flat_buffer buffer;
    http::request_parser<http::empty_body> parser;
    http::response<http::span_body<const char>> response;
    std::shared_ptr<const std::string> body; // of the response; many clients may read one file
    bool isUpgraded = false;                 // the stream is the connection's
    std::weak_ptr<Connection> upgraded;
  };

  // A page's links name the port; a client may come through a tunnel from another.
  bool isMeant(std::string_view host) const {
    if (options.page) return isOwnHost(host);
    host = host.substr(0, host.find(':'));
    return host == "127.0.0.1" || host == "localhost";
  }
  bool isOwnHost(std::string_view host) const {
    std::string suffix = ":" + std::to_string(port);
    return host == "127.0.0.1" + suffix || host == "localhost" + suffix;
  }
  bool isOwnOrigin(std::string_view origin) const {
    constexpr std::string_view scheme = "http://";
    return options.page && origin.starts_with(scheme) && isOwnHost(origin.substr(scheme.size()));
  }
  // Allows only the page's own files and socket. Monaco writes style elements of its own, so inline
  // styles are allowed, but no inline script.
  std::string policy() const {
    std::string host = ":" + std::to_string(port);
    return "default-src 'none'; script-src 'self'; worker-src 'self' blob:; style-src 'self' "
           "'unsafe-inline'; font-src 'self'; "
           "img-src 'self' data: blob:; connect-src 'self' ws://127.0.0.1" +
           host + " ws://localhost" + host +
           "; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";
  }

  void acceptNext() {
    acceptor.async_accept([this](error_code error, tcp::socket socket) {
      if (error == asio::error::operation_aborted || !acceptor.is_open()) return;
      if (error) { // no descriptor, no memory, a client that left again: later there may be
        if (isShortage(error) && dropSlowest()) return acceptNext();
        pause.expires_after(pauseAfterFailure);
        pause.async_wait([this](error_code cancelled) {
          if (!cancelled) acceptNext();
        });
        return;
      }
      welcome(std::make_shared<Handshake>(*this, std::move(socket)));
      acceptNext();
    });
  }

  static bool isShortage(error_code error) {
    using namespace boost::system::errc;
    return error == too_many_files_open || error == too_many_files_open_in_system ||
           error == no_buffer_space || error == not_enough_memory;
  }

  // The client that has said nothing whole for longest is dropped for new ones. Returns whether
  // there was one besides the newest.
  bool dropSlowest() {
    std::erase_if(handshakes, [](const auto& each) { return each.expired(); });
    if (handshakes.size() < 2) return false;
    if (auto held = handshakes.front().lock()) held->drop();
    handshakes.pop_front();
    return true;
  }

  void welcome(std::shared_ptr<Handshake> handshake) {
    std::erase_if(handshakes, [](const auto& each) { return each.expired(); });
    if (handshakes.size() >= mostHandshakes) dropSlowest();
    handshakes.push_back(handshake);
    handshake->run();
  }

  WebSocketOptions options;
  asio::io_context io;
  tcp::acceptor acceptor;
  asio::steady_timer pause;
  std::deque<std::weak_ptr<Handshake>> handshakes; // io thread only
  std::thread thread;
  std::mutex mutex;
  std::condition_variable changed;
  std::deque<std::shared_ptr<Connection>> accepted;
  bool closed = false;
  uint16_t port = 0;
};

WebSocketListener::WebSocketListener(std::unique_ptr<Impl> impl) : impl_(std::move(impl)) {}

tl::expected<std::unique_ptr<WebSocketListener>, std::string>
WebSocketListener::listen(WebSocketOptions options) {
  if (options.token.empty()) return tl::unexpected(std::string("a websocket needs a token"));
  auto impl = std::make_unique<Impl>(std::move(options));
  tcp::endpoint endpoint(asio::ip::address_v4::loopback(), impl->options.port);
  error_code error;
  auto step = [&](auto&& action) {
    if (!error) action();
  };
  step([&] { std::ignore = impl->acceptor.open(endpoint.protocol(), error); });
  step([&] {
    std::ignore = impl->acceptor.set_option(asio::socket_base::reuse_address(true), error);
  });
  step([&] { std::ignore = impl->acceptor.bind(endpoint, error); });
  step([&] {
    std::ignore = impl->acceptor.listen(asio::socket_base::max_listen_connections, error);
  });
  if (error)
    return tl::unexpected("cannot listen on 127.0.0.1:" + std::to_string(impl->options.port) +
                          ": " + error.message());
  impl->port = impl->acceptor.local_endpoint(error).port();
  impl->acceptNext();
  impl->thread = std::thread([&io = impl->io] { io.run(); });
  return std::unique_ptr<WebSocketListener>(new WebSocketListener(std::move(impl)));
}

WebSocketListener::~WebSocketListener() {
  close();
  impl_->io.stop();
  impl_->thread.join();
}

uint16_t WebSocketListener::port() const {
  return impl_->port;
}

std::unique_ptr<Transport> WebSocketListener::accept() {
  std::unique_lock lock(impl_->mutex);
  impl_->changed.wait(lock, [&] { return !impl_->accepted.empty() || impl_->closed; });
  if (impl_->closed) return nullptr;
  auto connection = std::move(impl_->accepted.front());
  impl_->accepted.pop_front();
  return std::make_unique<WebSocketTransport>(std::move(connection));
}

void WebSocketListener::close() {
  {
    std::lock_guard lock(impl_->mutex);
    impl_->closed = true;
  }
  impl_->changed.notify_all();
  asio::post(impl_->io, [impl = impl_.get()] {
    error_code ignored;
    std::ignore = impl->acceptor.close(ignored);
    impl->pause.cancel();
  });
}

std::string randomToken() {
  std::random_device random;
  std::string token;
  for (int i = 0; i < 32; ++i)
    token += "0123456789abcdef"[random() & 15];
  return token;
}

} // namespace gluond::lsp
