// LSP over a websocket on this machine: one text message is one JSON-RPC message.
//
// The listener binds 127.0.0.1 only. A client must present the token
// ("ws://127.0.0.1:PORT/lsp?token=TOKEN"), which keeps other users of the machine out, and its
// Origin, if sent (browsers always do), must be allowed, which keeps other web pages in the user's
// browser out. Its Host must be this machine, so that a foreign name that resolves to 127.0.0.1 is
// refused. A client that fails a check gets 403 without a reason.
//
// It tolerates malicious clients: header size, handshake time, messages, pending connections, and
// data queued for a slow client or a slow server are bounded. A client counts as accepted once its
// first message is whole; until then it makes way for newer ones. If file descriptors run out, it
// waits.
#pragma once

#include "lsp/transport/Transport.h"

#include <tl/expected.hpp>

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <vector>

namespace gluond::lsp {

// A static file, as the response to a GET.
struct HttpFile {
  std::string contentType;
  std::shared_ptr<const std::string> body;
};

// A page next to the websocket, below "http://127.0.0.1:PORT/TOKEN/": its files by GET, its socket
// at "lsp". The page's own origins are allowed in addition to those of the options.
struct WebPage {
  // Returns a file by exact name ("index.html" for the folder itself), or nullopt for 404.
  std::function<std::optional<HttpFile>(std::string_view name)> file;
};

struct WebSocketOptions {
  uint16_t port = 0; // 0 for any free port
  std::string token; // must not be empty
  // Exact origins ("http://127.0.0.1:5173"), or a prefix ending in '*' ("vscode-webview://*").
  std::vector<std::string> allowedOrigins;
  std::optional<WebPage> page{}; // if not set, only upgrades of "/lsp?token=TOKEN"
};

bool originAllowed(std::string_view origin, const std::vector<std::string>& allowed);

class WebSocketListener {
public:
  static tl::expected<std::unique_ptr<WebSocketListener>, std::string>
  listen(WebSocketOptions options);
  ~WebSocketListener();

  uint16_t port() const;
  // Blocks until a client has passed the checks and has said something; returns null after close().
  // For one thread only.
  std::unique_ptr<Transport> accept();
  void close(); // may be called from any thread

private:
  struct Impl;
  explicit WebSocketListener(std::unique_ptr<Impl> impl);
  std::unique_ptr<Impl> impl_;
};

// Returns 128 random bits in hexadecimal.
std::string randomToken();

} // namespace gluond::lsp
