// LSP over a websocket on this machine: one text message is one JSON-RPC message.
//
// The listener binds 127.0.0.1 only. A client must present the token
// ("ws://127.0.0.1:PORT/lsp?token=TOKEN"), so that other users of the machine stay out, and its
// Origin, when it sends one (browsers always do), must be allowed, so that a web page the user
// happens to visit stays out as well. Its Host must be this machine, so that a foreign name that
// resolves to 127.0.0.1 gets nowhere. Whoever fails gets 403 and is not told why.
//
// Built for clients that mean harm: header, time of asking, messages, connections that ask, and
// what is kept for a slow client or a slow server are bounded. Running out of descriptors is waited
// out.
#pragma once

#include "lsp/transport/Transport.h"

#include <tl/expected.hpp>

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <vector>

namespace gluond::lsp {

// A static file, as the listener answers a GET with.
struct HttpFile {
  std::string contentType;
  std::shared_ptr<const std::string> body;
};

// A page beside the websocket, all below "http://127.0.0.1:PORT/TOKEN/": its files by GET, its
// socket at "lsp". The page's own origins are allowed besides those of the options.
struct WebPage {
  // By exact name ("index.html" for the folder itself); nothing: 404.
  std::function<std::optional<HttpFile>(std::string_view name)> file;
};

struct WebSocketOptions {
  uint16_t port = 0; // 0: any free one
  std::string token; // must not be empty
  // Exact origins ("http://127.0.0.1:5173"), or a prefix ending in '*' ("vscode-webview://*").
  std::vector<std::string> allowedOrigins;
  std::optional<WebPage> page{}; // without: upgrades of "/lsp?token=TOKEN" only
};

bool originAllowed(std::string_view origin, const std::vector<std::string>& allowed);

class WebSocketListener {
public:
  static tl::expected<std::unique_ptr<WebSocketListener>, std::string>
  listen(WebSocketOptions options);
  ~WebSocketListener();

  uint16_t port() const;
  // Blocks until a client passed the checks; null after close(). One thread.
  std::unique_ptr<Transport> accept();
  void close(); // from any thread

private:
  struct Impl;
  explicit WebSocketListener(std::unique_ptr<Impl> impl);
  std::unique_ptr<Impl> impl_;
};

// 128 random bits in hexadecimal.
std::string randomToken();

} // namespace gluond::lsp
