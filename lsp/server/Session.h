// The state of one connection. It belongs to the reader thread: only notifications and the `change`
// part of requests access it.
#pragma once

#include "driver/workspace/Workspace.h"
#include "lsp/protocol/Json.h"
#include "lsp/protocol/PositionEncoding.h"
#include "lsp/server/SentTokens.h"

#include <llvm/ADT/StringMap.h>
#include <nlohmann/json.hpp>

#include <functional>
#include <memory>
#include <string>
#include <vector>

namespace gluond::lsp {

// Client properties that replies depend on; shared with the workers and replaced, never changed.
struct ClientInfo {
  PositionEncoding encoding = PositionEncoding::Utf16;
  bool linkSupport = false;             // definition may answer LocationLinks
  bool typeLinkSupport = false;         // so may typeDefinition
  bool watchesFiles = false;            // accepts requests to watch files
  bool pullsDiagnostics = false;        // requests diagnostics: none are published
  bool hasConfiguration = false;        // accepts requests for its settings
  bool registersConfiguration = false;  // and for notifications of changes
  std::vector<std::string> refreshable; // supported methods "workspace/.../refresh"
  std::string documentation;            // uri of the diagnostics page; empty if not installed
  llvm::StringMap<std::string> uris;    // of open documents, as spelled by the client, by path
  std::shared_ptr<SentTokens> tokens = std::make_shared<SentTokens>();
  std::string uri(llvm::StringRef path) const; // of any path
};

class Session {
public:
  explicit Session(driver::Settings settings) : workspace(std::move(settings)) {}

  driver::Workspace workspace;
  std::shared_ptr<const ClientInfo> client = std::make_shared<ClientInfo>();
  template <typename Change> void changeClient(Change change) {
    auto next = std::make_shared<ClientInfo>(*client);
    change(*next);
    client = std::move(next);
  }

  // Documents whose text changed since the server's last check: their pending work is dropped and
  // their diagnostics are computed again.
  std::vector<std::string> changed;
  // Documents whose diagnostics may change although their text did not (another specialization was
  // selected).
  std::vector<std::string> refreshed;
  // Something changed outside the open documents (or in one of them), so diagnostics of the
  // others may change too. They are computed again after the changed ones, and published if they
  // differ.
  bool othersAffected = false;
  // Closed documents, whose diagnostics are withdrawn. (Path and the uri under which they were
  // published.)
  std::vector<std::pair<std::string, std::string>> closed;
  // Settings given by the client at startup; later ones take precedence.
  driver::SettingValues initialOverrides;
  // Requests to the client, with a handler for the result on the reader thread (may be empty).
  struct ToClient {
    std::string method;
    Json params;
    std::function<void(const Json& result, Session&)> onResult = nullptr;
  };
  std::vector<ToClient> requests;
  // Lenses, hints, tokens and pulled diagnostics may have changed without an edit: the client is
  // told to request them again.
  bool viewsAffected = false;
  // Messages to the user that are not about a place in a file.
  std::vector<std::string> warnings;
};

} // namespace gluond::lsp
