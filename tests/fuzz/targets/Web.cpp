// What reaches the port of `gluond serve`: HTTP requests and websocket frames, over a socket as
// strangers do. "$TOKEN" and "$PORT" in the input are the real ones, for what lies behind the
// checks.
#include "../Target.h"
#include "lsp/transport/WebSocket.h"

#include <llvm/ADT/StringExtras.h>

#include <arpa/inet.h>
#include <poll.h>
#include <sys/socket.h>
#include <thread>
#include <unistd.h>

namespace gluond::fuzz {

using llvm::StringRef;

namespace {

constexpr const char* token = "00112233445566778899aabbccddeeff";

// Listens as long as the program runs; reads what those say who got in.
uint16_t port() {
  static const uint16_t number = [] {
    lsp::WebSocketOptions options;
    options.token = token;
    options.page = lsp::WebPage{[](std::string_view name) -> std::optional<lsp::HttpFile> {
      if (name != "index.html") return std::nullopt;
      return lsp::HttpFile{"text/html", std::make_shared<const std::string>("<p>page</p>")};
    }};
    auto listener = lsp::WebSocketListener::listen(std::move(options));
    expect(listener.has_value(), "cannot listen");
    static auto kept = std::move(*listener);
    std::thread([] {
      while (auto transport = kept->accept())
        while (transport->read().kind != lsp::Incoming::Kind::Closed)
          transport->write("{}");
    }).detach();
    return kept->port();
  }();
  return number;
}

std::string replaced(StringRef text, StringRef what, StringRef by) {
  std::string out;
  while (true) {
    auto [before, behind] = text.split(what);
    out += before;
    if (before.size() == text.size()) return out;
    out += by;
    text = behind;
  }
}

} // namespace

void web(StringRef input) {
  std::string bytes = replaced(replaced(input, "$TOKEN", token), "$PORT", std::to_string(port()));
  int client = ::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_port = htons(port());
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  expect(::connect(client, reinterpret_cast<const sockaddr*>(&address), sizeof address) == 0,
         "the server does not listen any more");
  (void)!::send(client, bytes.data(), bytes.size(), MSG_NOSIGNAL);
  ::shutdown(client, SHUT_WR);
  char buffer[4096];
  pollfd wait{client, POLLIN, 0};
  while (::poll(&wait, 1, 2000) > 0 && ::recv(client, buffer, sizeof buffer, 0) > 0) {
  }
  ::close(client);
}

} // namespace gluond::fuzz
