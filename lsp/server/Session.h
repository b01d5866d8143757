// The state of one connection. Lives on the reader thread: only notifications and the `change` part
// of requests see it.
#pragma once

#include "driver/workspace/Workspace.h"
#include "lsp/protocol/Json.h"
#include "lsp/server/TokenMemory.h"

#include <llvm/ADT/StringMap.h>
#include <nlohmann/json.hpp>

#include <functional>
#include <memory>
#include <string>
#include <vector>

namespace gluond::lsp {

enum class PositionEncoding : uint8_t { Utf16, Utf8, Utf32 };

// What replies depend on; shared with the workers and replaced, never changed.
struct ClientInfo {
  PositionEncoding encoding = PositionEncoding::Utf16;
  bool linkSupport = false;             // definition may answer LocationLinks
  bool typeLinkSupport = false;         // so may typeDefinition
  bool watchesFiles = false;            // can be asked to watch files
  bool pullsDiagnostics = false;        // asks for diagnostics: none are published
  bool hasConfiguration = false;        // can be asked for its settings
  bool registersConfiguration = false;  // and to tell when they change
  std::vector<std::string> refreshable; // methods "workspace/.../refresh" that it answers
  std::string documentation;            // uri of the page of diagnostics; empty: not installed
  llvm::StringMap<std::string> uris;    // of open documents, as the client spells them, by path
  std::shared_ptr<TokenMemory> tokens = std::make_shared<TokenMemory>();
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

  // Documents whose text changed since the server looked: their pending work is dropped and their
  // diagnostics are made again.
  std::vector<std::string> changed;
  // Documents whose diagnostics may change though their text did not (another specialization was
  // selected).
  std::vector<std::string> refreshed;
  // Something changed outside the open documents (or in one of them): the diagnostics of the others
  // may change too. They are looked at again after the changed ones, and published where they
  // differ.
  bool othersAffected = false;
  // Documents closed: their diagnostics are taken back. (Path and the uri they were published
  // under.)
  std::vector<std::pair<std::string, std::string>> closed;
  // Settings the client gave when it started us; later ones win over them.
  driver::SettingValues initialOverrides;
  // Requests to the client, with what to do with the result on the reader thread (may be empty).
  struct ToClient {
    std::string method;
    Json params;
    std::function<void(const Json& result, Session&)> onResult = nullptr;
  };
  std::vector<ToClient> requests;
  // Lenses, hints, tokens and pulled diagnostics may have changed without an edit: the client is
  // asked to ask again.
  bool viewsAffected = false;
  // Something to say to the user, not about a place in a file.
  std::vector<std::string> warnings;
};

} // namespace gluond::lsp
