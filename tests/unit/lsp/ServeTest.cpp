// The whole loop over real pipes, with threads.
#include "lsp/server/Serve.h"

#include "lsp/handlers/Handlers.h"
#include "lsp/transport/FramedTransport.h"

#include <csignal>
#include <gtest/gtest.h>
#include <random>
#include <thread>
#include <unistd.h>

namespace gluond::lsp {
namespace {

// Runs a server; the test holds the client's ends.
class PipedServer {
public:
  explicit PipedServer(Router router = makeRouter()) : router_(std::move(router)) {
    signal(SIGPIPE, SIG_IGN); // as main() does
    EXPECT_EQ(pipe(toServer_), 0);
    EXPECT_EQ(pipe(fromServer_), 0);
    thread_ = std::thread([this] {
      FdStream stream(toServer_[0], fromServer_[1]);
      FramedTransport transport(stream);
      exitCode_ = serve(transport, router_, {.threads = 2, .settings = {}});
      close(fromServer_[1]);
    });
  }
  ~PipedServer() {
    hangUp();
    if (thread_.joinable()) thread_.join();
    close(toServer_[0]);
    close(fromServer_[0]);
  }
  void send(std::string_view bytes) {
    while (!bytes.empty()) {
      ssize_t wrote = write(toServer_[1], bytes.data(), bytes.size());
      if (wrote <= 0) return;
      bytes.remove_prefix(static_cast<size_t>(wrote));
    }
  }
  void message(std::string_view body) {
    send("Content-Length: " + std::to_string(body.size()) + "\r\n\r\n" + std::string(body));
  }
  void hangUp() {
    if (toServer_[1] >= 0) close(toServer_[1]);
    toServer_[1] = -1;
  }
  // Everything the server says until it is done.
  std::string readAll() {
    std::string all;
    char buffer[4096];
    for (ssize_t got; (got = read(fromServer_[0], buffer, sizeof buffer)) > 0;)
      all.append(buffer, static_cast<size_t>(got));
    return all;
  }
  int join() {
    thread_.join();
    return exitCode_;
  }

private:
  Router router_;
  int toServer_[2], fromServer_[2], exitCode_ = -1;
  std::thread thread_;
};

constexpr const char* initialize = R"({"id":1,"method":"initialize","params":{"capabilities":{}}})";

TEST(Serve, goodClient) {
  PipedServer server;
  server.message(initialize);
  server.message(R"({"method":"initialized","params":{}})");
  server.message(R"({"id":2,"method":"shutdown"})");
  server.message(R"({"method":"exit"})");
  std::string said = server.readAll();
  EXPECT_NE(said.find("\"capabilities\""), std::string::npos);
  EXPECT_NE(said.find(R"({"jsonrpc":"2.0","id":2,"result":null})"), std::string::npos);
  EXPECT_EQ(server.join(), 0);
}

TEST(Serve, clientThatDiesInsideAMessage) {
  PipedServer server;
  server.message(initialize);
  server.send("Content-Length: 500\r\n\r\n{\"id\":2,");
  server.hangUp();
  server.readAll();
  EXPECT_EQ(server.join(), 1);
}

TEST(Serve, nonsenseIsAnsweredAndSurvived) {
  PipedServer server;
  server.send("GET / HTTP/1.1\r\nHost: x\r\n\r\n");
  server.message("{nonsense");
  server.message(R"([{"id":1}])");
  server.message("\xff\xfe");
  server.send("Content-Length: 40\r\n\r\n{\"id\":5}"); // too long: swallows the next
  server.message(initialize);
  server.message(R"({"id":2,"method":"shutdown"})");
  server.message(R"({"method":"exit"})");
  std::string said = server.readAll();
  EXPECT_NE(said.find("-32700"), std::string::npos);
  EXPECT_NE(said.find("-32600"), std::string::npos);
  EXPECT_NE(said.find("\"capabilities\""), std::string::npos);
  EXPECT_EQ(server.join(), 0);
}

TEST(Serve, randomBytesEndNothing) {
  std::mt19937 random(20260921);
  for (int run = 0; run < 20; ++run) {
    PipedServer server;
    std::string bytes;
    for (unsigned i = 0, n = random() % 3000; i < n; ++i)
      bytes += static_cast<char>(random());
    if (run % 2) bytes.insert(random() % (bytes.size() + 1), "Content-Length: 10\r\n\r\n");
    server.send(bytes);
    server.hangUp();
    server.readAll();
    EXPECT_EQ(server.join(), 1);
  }
}

} // namespace
} // namespace gluond::lsp
