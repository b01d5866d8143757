#include "lsp/transport/WebSocket.h"

#include <boost/asio/connect.hpp>
#include <boost/asio/ip/tcp.hpp>
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
  auto transport = server->accept();
  ASSERT_TRUE(transport);
  client.write("{\"a\":1}");
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
  auto transport = server->accept();
  ASSERT_TRUE(transport);
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
  EXPECT_TRUE(server->accept());
}

TEST(WebSocket, whatNobodyTakesIsNotReadForEver) {
  auto server = listener();
  Client client;
  ASSERT_FALSE(client.connect(server->port(), "/lsp?token=secret"));
  auto transport = server->accept();
  ASSERT_TRUE(transport);
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
