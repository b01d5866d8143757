#include "lsp/supervisor/SessionReplay.h"

#include "lsp/handlers/Handlers.h"
#include "lsp/handlers/session/EditedText.h"
#include "lsp/protocol/Rpc.h"

#include <nlohmann/json.hpp>

namespace gluond::lsp {

namespace {

// Returns the params of a message, or nullopt if a server would not accept it.
template <typename Params> std::optional<Params> paramsOf(std::string_view message) {
  auto json = parseJson(message);
  if (!json || !json->is_object() || !json->contains("params")) return std::nullopt;
  auto params = decode<Params>((*json)["params"]);
  return params ? std::optional(std::move(*params)) : std::nullopt;
}

} // namespace

SessionReplay::Change SessionReplay::fromClient(const MessageHead& head, std::string_view message) {
  if (head.method == "textDocument/didChange") return change(message);
  if (head.method == "textDocument/didOpen") {
    open(message);
  } else if (head.method == "textDocument/didClose") {
    close(message);
  } else if (head.method == "initialize" && initialize_.empty()) {
    auto params = paramsOf<InitializeParams>(message);
    if (!params) return {};
    initialize_ = message;
    clientProcess_ = params->processId.value_or(0);
    Session scratch{driver::Settings()};
    initialize(*params, scratch);
    encoding_ = scratch.client->encoding;
  } else if (head.method == "initialized") {
    initialized_ = message;
  } else if (head.method == "workspace/didChangeConfiguration") {
    configuration_ = message;
  } else if (head.method == "workspace/didChangeWorkspaceFolders") {
    constexpr size_t most = 1000; // more than any user does by hand
    if (folders_.size() < most) folders_.emplace_back(message);
  } else if (head.method == method::selectSpecialization) {
    keepSelection(message);
  } else if (head.method == "shutdown") {
    shutDown_ = true;
  }
  return {};
}

std::string SessionReplay::cancelled(const MessageHead& head, std::string_view message) const {
  return head.method == "$/cancelRequest" ? idInParams(message, "id") : "";
}

void SessionReplay::open(std::string_view message) {
  auto params = paramsOf<DidOpenParams>(message);
  if (!params) return;
  TextDocumentItem& document = params->textDocument;
  documents_.insert_or_assign(document.uri, Document{document.languageId,
                                                     document.version,
                                                     text::SourceText(std::move(document.text)),
                                                     {}});
}

// As the server applies it (handlers/TextSync.cpp).
SessionReplay::Change SessionReplay::change(std::string_view message) {
  auto params = paramsOf<DidChangeParams>(message);
  if (!params) return {};
  auto it = documents_.find(params->textDocument.uri);
  if (it == documents_.end()) return {};
  Document& document = it->second;
  Change made{it->first};
  document.version = params->textDocument.version;
  for (ContentChange& each : params->contentChanges) {
    if (!each.range) { // the whole text
      made.isWholeText = true;
      document.changes.clear();
      document.bytesOfChanges = 0;
    }
    document.bytesOfChanges += each.text.size();
    document.changes.push_back(std::move(each));
  }
  constexpr size_t mostChanges = 64, mostBytes = size_t{1} << 20;
  if (document.changes.size() < mostChanges && document.bytesOfChanges < mostBytes) return made;
  document.text = textOf(document);
  document.changes.clear();
  document.bytesOfChanges = 0;
  return made;
}

text::SourceText SessionReplay::textOf(const Document& document) const {
  if (document.changes.empty()) return document.text;
  return afterChanges(document.text, document.changes, encoding_);
}

void SessionReplay::close(std::string_view message) {
  if (auto params = paramsOf<DocumentParams>(message)) documents_.erase(params->textDocument.uri);
}

void SessionReplay::keepSelection(std::string_view message) {
  auto json = parseJson(message);
  auto params = paramsOf<SelectSpecializationParams>(message);
  constexpr size_t most = 1000;
  if (params && selections_.size() < most)
    selections_[params->textDocument.uri + "\n" + params->kernel] = dumpJson((*json)["params"]);
}

bool SessionReplay::isLast(const MessageHead& head) const {
  return head.method == "exit" && head.id.empty();
}

std::string SessionReplay::startedAgain(const std::string& why) const {
  return makeNotification("window/logMessage",
                          {{"type", 2}, {"message", "gluond was started again: " + why}});
}

std::vector<std::string> SessionReplay::replay(bool wasInitializeAnswered) const {
  std::vector<std::string> messages;
  auto request = [&](const char* method, const Json& params) {
    messages.push_back(
        makeRequest(std::string(replayPrefix) + std::to_string(messages.size()), method, params));
  };
  if (initialize_.empty()) return messages;
  if (wasInitializeAnswered)
    request("initialize", (*parseJson(initialize_))["params"]);
  else
    messages.push_back(initialize_);
  if (initialized_.empty()) return messages;
  messages.push_back(initialized_);
  if (!configuration_.empty()) messages.push_back(configuration_);
  messages.insert(messages.end(), folders_.begin(), folders_.end());
  for (const auto& [uri, document] : documents_)
    messages.push_back(
        makeNotification("textDocument/didOpen", {{"textDocument",
                                                   {{"uri", uri},
                                                    {"languageId", document.language},
                                                    {"version", document.version},
                                                    {"text", textOf(document).text().str()}}}}));
  for (const auto& [key, params] : selections_)
    request(method::selectSpecialization, *parseJson(params));
  return messages;
}

} // namespace gluond::lsp
