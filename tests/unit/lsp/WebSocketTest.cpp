#include "lsp/transport/WebSocket.h"

#include <boost/asio/connect.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/read.hpp>
#include <boost/asio/write.hpp>
#include <boost/beast/core.hpp>
#include <boost/beast/websocket.hpp>

#include <gtest/gtest.h>
#include <sys/resource.h>
#include <thread>

namespace gluond::lsp {
namespace {

namespace beast = boost::beast;
namespace websocket = beast::websocket;
using tcp = boost::asio::ip::tcp;

struct Client {
  boost::asio::io_context io;
  websocket::stream<tcp::socket> socket{io};

  beast::error_code connect(uint16_t port, const std::string& target,
                            const std::string& origin = {}) {
    beast::error_code error;
    socket.next_layer().connect({boost::asio::ip::address_v4::loopback(), port}, error);
    if (error) return error;
    if (!origin.empty())
      socket.set_option(
          websocket::stream_base::decorator([origin](websocket::request_type& request) {
            request.set(beast::http::field::origin, origin);
          }));
    socket.handshake("127.0.0.1", target, error);
    return error;
  }
  void write(const std::string& text) { socket.write(boost::asio::buffer(text)); }
  std::string read() {
    beast::flat_buffer buffer;
    beast::error_code error;
    socket.read(buffer, error);
    return error ? "" : beast::buffers_to_string(buffer.data());
  }
};

std::unique_ptr<WebSocketListener> listener() {
  auto made =
      WebSocketListener::listen({0, "secret", {"http://127.0.0.1:5173", "vscode-webview://*"}});
  EXPECT_TRUE(made) << made.error();
  return std::move(*made);
}

TEST(WebSocket, messagesBothWays) {
  auto server = listener();
  Client client;
  ASSERT_FALSE(client.connect(server->port(), "/lsp?token=secret"));
  client.write("{\"a\":1}");
  auto transport = server->accept();
  ASSERT_TRUE(transport);
  client.write("{\"b\":2}");
  EXPECT_EQ(transport->read().text, "{\"a\":1}");
  EXPECT_EQ(transport->read().text, "{\"b\":2}");
  for (int i = 0; i < 50; ++i)
    EXPECT_TRUE(transport->write("reply " + std::to_string(i)));
  for (int i = 0; i < 50; ++i)
    EXPECT_EQ(client.read(), "reply " + std::to_string(i));
}

TEST(WebSocket, goneClientClosesTheTransport) {
  auto server = listener();
  auto client = std::make_unique<Client>();
  ASSERT_FALSE(client->connect(server->port(), "/lsp?token=secret"));
  client->write("{}");
  auto transport = server->accept();
  ASSERT_TRUE(transport);
  EXPECT_EQ(transport->read().text, "{}");
  client.reset();
  EXPECT_EQ(transport->read().kind, Incoming::Kind::Closed);
  EXPECT_FALSE(transport->write("late"));
}

TEST(WebSocket, strangersStayOut) {
  auto server = listener();
  for (const char* target :
       {"/lsp", "/lsp?token=", "/lsp?token=secre", "/lsp?token=secret2", "/?x=1&tok=secret"})
    EXPECT_TRUE(Client().connect(server->port(), target)) << target;
  EXPECT_TRUE(Client().connect(server->port(), "/lsp?token=secret", "https://evil.example"));
  EXPECT_TRUE(
      Client().connect(server->port(), "/lsp?token=secret", "http://127.0.0.1:5173.evil.example"));
  EXPECT_FALSE(Client().connect(server->port(), "/lsp?x=1&token=secret", "http://127.0.0.1:5173"));
  EXPECT_FALSE(Client().connect(server->port(), "/lsp?token=secret", "vscode-webview://1a2b"));
}

// A name that resolves to this machine is not this machine's.
TEST(WebSocket, foreignHostsStayOut) {
  auto server = listener();
  for (const char* host : {"evil.example", "evil.example:80", "127.0.0.1.evil.example", ""}) {
    boost::asio::io_context io;
    websocket::stream<tcp::socket> socket(io);
    socket.next_layer().connect({boost::asio::ip::address_v4::loopback(), server->port()});
    beast::error_code error;
    socket.handshake(host, "/lsp?token=secret", error);
    EXPECT_TRUE(error) << host;
  }
}

TEST(WebSocket, runningOutOfDescriptorsIsSurvived) {
  auto server = listener();
  rlimit before{};
  ASSERT_EQ(::getrlimit(RLIMIT_NOFILE, &before), 0);
  int first = ::dup(0); // the lowest that is free
  ::close(first);
  rlimit few{static_cast<rlim_t>(first + 9), before.rlim_max};
  ASSERT_EQ(::setrlimit(RLIMIT_NOFILE, &few), 0);
  {
    boost::asio::io_context io;
    std::vector<tcp::socket> sockets;
    for (int i = 0; i < 40; ++i) {
      tcp::socket socket(io);
      beast::error_code error;
      socket.connect({boost::asio::ip::address_v4::loopback(), server->port()}, error);
      if (error) break;
      sockets.push_back(std::move(socket));
    }
    EXPECT_LT(sockets.size(), 40u) << "there were descriptors left";
    std::this_thread::sleep_for(std::chrono::milliseconds(250));
  }
  ASSERT_EQ(::setrlimit(RLIMIT_NOFILE, &before), 0);
  Client client;
  ASSERT_FALSE(client.connect(server->port(), "/lsp?token=secret"));
  client.write("{}");
  EXPECT_TRUE(server->accept());
}

// Connections that say nothing keep nobody out.
TEST(WebSocket, silentConnectionsMakeWay) {
  auto server = listener();
  boost::asio::io_context io;
  std::vector<std::unique_ptr<tcp::socket>> silent;
  for (int i = 0; i < 200; ++i) {
    silent.push_back(std::make_unique<tcp::socket>(io));
    silent.back()->connect({boost::asio::ip::address_v4::loopback(), server->port()});
  }
  Client client;
  ASSERT_FALSE(client.connect(server->port(), "/lsp?token=secret"));
  client.write("{}");
  EXPECT_TRUE(server->accept());
}

// Nor do sockets that say nothing, or half of a frame: they are not accepted at all.
TEST(WebSocket, socketsWithoutAMessageMakeWay) {
  auto server = listener();
  std::vector<std::unique_ptr<Client>> silent;
  for (int i = 0; i < 100; ++i) {
    silent.push_back(std::make_unique<Client>());
    ASSERT_FALSE(silent.back()->connect(server->port(), "/lsp?token=secret")) << i;
    constexpr char half[] = {'\x81', '\xfe', '\x7f'};
    if (i % 2) boost::asio::write(silent.back()->socket.next_layer(), boost::asio::buffer(half));
  }
  Client client;
  ASSERT_FALSE(client.connect(server->port(), "/lsp?token=secret"));
  client.write("{\"mine\":1}");
  auto transport = server->accept();
  ASSERT_TRUE(transport);
  EXPECT_EQ(transport->read().text, "{\"mine\":1}");
  EXPECT_EQ(silent.front()->read(), ""); // the first was sent away
}

// Many clients may read one file, and not to its end: nobody waits for them, and none has a copy.
TEST(WebSocket, clientsThatDoNotReadMakeWay) {
  auto body = std::make_shared<const std::string>(size_t{8} << 20, 'x');
  WebSocketOptions options;
  options.token = "secret";
  options.page = WebPage{[&](std::string_view) { return HttpFile{"text/plain", body}; }};
  auto server = WebSocketListener::listen(std::move(options));
  ASSERT_TRUE(server) << server.error();
  std::string host = "127.0.0.1:" + std::to_string((*server)->port());
  std::string request = "GET /secret/a HTTP/1.1\r\nHost: " + host + "\r\n\r\n";
  boost::asio::io_context io;
  auto ask = [&] {
    auto socket = std::make_unique<tcp::socket>(io);
    socket->connect({boost::asio::ip::address_v4::loopback(), (*server)->port()});
    boost::asio::write(*socket, boost::asio::buffer(request));
    return socket;
  };
  std::vector<std::unique_ptr<tcp::socket>> slow;
  for (int i = 0; i < 40; ++i)
    slow.push_back(ask());
  auto reader = ask();
  std::string text;
  beast::error_code error;
  boost::asio::read(*reader, boost::asio::dynamic_buffer(text), error);
  EXPECT_GT(text.size(), body->size());
}

TEST(WebSocket, whatNobodyTakesIsNotReadForEver) {
  auto server = listener();
  Client client;
  ASSERT_FALSE(client.connect(server->port(), "/lsp?token=secret"));
  client.write("first");
  auto transport = server->accept();
  ASSERT_TRUE(transport);
  EXPECT_EQ(transport->read().text, "first");
  // More messages than are kept: the rest waits in the client's socket, and none is lost.
  constexpr int many = 10'000;
  std::thread writer([&] {
    for (int i = 0; i < many; ++i)
      client.write(std::to_string(i));
  });
  std::this_thread::sleep_for(std::chrono::milliseconds(100));
  for (int i = 0; i < many; ++i)
    ASSERT_EQ(transport->read().text, std::to_string(i));
  writer.join();
}

// Whoever has said nothing yet costs little.
TEST(WebSocket, theFirstMessageIsShort) {
  auto server = listener();
  Client client;
  ASSERT_FALSE(client.connect(server->port(), "/lsp?token=secret"));
  beast::error_code error;
  client.socket.write(boost::asio::buffer(std::string(2 << 20, ' ')), error);
  EXPECT_EQ(client.read(), "");
  Client second;
  ASSERT_FALSE(second.connect(server->port(), "/lsp?token=secret"));
  second.write("{}");
  auto transport = server->accept();
  ASSERT_TRUE(transport);
  EXPECT_EQ(transport->read().text, "{}");
  second.write(std::string(2 << 20, ' '));
  EXPECT_EQ(transport->read().text.size(), size_t{2} << 20);
}

TEST(WebSocket, oneHostIsNamed) {
  auto server = listener();
  boost::asio::io_context io;
  tcp::socket socket(io);
  socket.connect({boost::asio::ip::address_v4::loopback(), server->port()});
  std::string request =
      "GET /lsp?token=secret HTTP/1.1\r\nHost: 127.0.0.1\r\nHost: evil.example\r\n"
      "Upgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Version: 13\r\n"
      "Sec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\n\r\n";
  boost::asio::write(socket, boost::asio::buffer(request));
  std::string answer(12, ' ');
  boost::asio::read(socket, boost::asio::buffer(answer));
  EXPECT_EQ(answer, "HTTP/1.1 403");
}

TEST(WebSocket, closeEndsAccept) {
  auto server = listener();
  std::thread closer([&] { server->close(); });
  EXPECT_FALSE(server->accept());
  closer.join();
}

TEST(WebSocket, needsAToken) {
  EXPECT_FALSE(WebSocketListener::listen({0, "", {}}));
}

TEST(WebSocket, tokensDiffer) {
  EXPECT_EQ(randomToken().size(), 32u);
  EXPECT_NE(randomToken(), randomToken());
}

} // namespace
} // namespace gluond::lsp
