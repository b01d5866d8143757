#include "lsp/notebooks/Notebooks.h"

#include "lsp/notebooks/NotebookMessages.h"
#include "lsp/protocol/PositionEncoding.h"
#include "lsp/protocol/Rpc.h"

#include <nlohmann/json.hpp>

#include <algorithm>

namespace gluond::lsp {

namespace {

constexpr llvm::StringLiteral diagnosticsMethod = "textDocument/publishDiagnostics";

Cell cellOf(const NotebookCell& cell, const std::vector<TextDocumentItem>& texts) {
  for (const TextDocumentItem& text : texts)
    if (text.uri == cell.document)
      return {cell.document, text.languageId == "python", text.version,
              text::SourceText(text.text)};
  return {.uri = cell.document};
}

std::string didOpen(const std::string& uri, int32_t version, std::string text) {
  return makeNotification("textDocument/didOpen",
                          encode(DidOpenParams{{uri, "python", version, std::move(text)}}));
}

std::string aboutNotebook(const char* method, const std::string& uri) {
  return makeNotification(method, encode(DocumentParams{{uri}}));
}

// The uri of the document that a request is about.
const Json* documentUri(const Json& params) {
  if (!params.is_object()) return nullptr;
  for (const char* key : {"textDocument", "item"}) {
    auto document = params.find(key);
    if (document == params.end() || !document->is_object()) continue;
    auto uri = document->find("uri");
    if (uri != document->end() && uri->is_string()) return &*uri;
  }
  return nullptr;
}

std::string methodOf(const Json& message) {
  auto method = message.find("method");
  return method != message.end() && method->is_string() ? method->get<std::string>() : "";
}

// The diagnostics of a notebook's document by cell; every Python cell has an entry.
std::map<std::string, Json> byCell(Json diagnostics, CellPlace notebook, const ToCells& toCells) {
  std::map<std::string, Json> result;
  for (const Cell& cell : notebook.notebook->cells())
    if (cell.isPython) result[cell.uri] = Json::array();
  if (!diagnostics.is_array()) return result;
  for (Json& diagnostic : diagnostics) {
    auto found = decode<Range>(
        diagnostic.is_object() && diagnostic.contains("range") ? diagnostic["range"] : Json());
    if (!found) continue;
    CellPlace place = notebook;
    place.cell = notebook.notebook->at(found->start.line);
    if (!place.cell) continue;
    Json alone = Json::array({std::move(diagnostic)});
    toCells.translate(alone, place);
    for (Json& kept : alone)
      result[place.cell->uri].push_back(std::move(kept));
  }
  return result;
}

} // namespace

const std::pair<const std::string, Notebooks::Open>*
Notebooks::withCell(const std::string& uri) const {
  for (const auto& entry : notebooks_)
    if (entry.second.notebook.find(uri)) return &entry;
  return nullptr;
}

CellPlace Notebooks::notebookAt(const std::string& uri) const {
  auto found = notebooks_.find(uri);
  if (found == notebooks_.end()) return {};
  return {&found->first, &found->second.notebook, nullptr};
}

ToCells Notebooks::toCells() const {
  return ToCells([this](const std::string& uri) { return notebookAt(uri); }, encoding_);
}

// ---------------------------------------------------------------- from the client

std::vector<std::string> Notebooks::open(const Json& json) {
  auto params = decode<DidOpenNotebookParams>(json);
  if (!params) return {};
  std::vector<Cell> cells;
  for (const NotebookCell& cell : params->notebookDocument.cells)
    cells.push_back(cellOf(cell, params->cellTextDocuments));
  const std::string& uri = params->notebookDocument.uri;
  closed_.erase(uri);
  Open open{Notebook(std::move(cells)), 1, {}};
  std::vector<std::string> messages;
  if (notebooks_.contains(uri)) messages.push_back(aboutNotebook("textDocument/didClose", uri));
  messages.push_back(didOpen(uri, open.version, open.notebook.python()));
  notebooks_.insert_or_assign(uri, std::move(open));
  return messages;
}

std::vector<std::string> Notebooks::change(const Json& json) {
  auto params = decode<DidChangeNotebookParams>(json);
  if (!params || !params->change.cells) return {}; // outputs and metadata do not matter
  const std::string& uri = params->notebookDocument.uri;
  auto it = notebooks_.find(uri);
  if (it == notebooks_.end()) return {};
  Open& open = it->second;
  const NotebookCellsChange& change = *params->change.cells;
  std::vector<ContentChange> edits;
  if (change.structure) {
    const NotebookCellArrayChange& array = change.structure->array;
    std::vector<Cell> cells = open.notebook.cells();
    size_t start = std::min<size_t>(array.start, cells.size());
    size_t end = std::min<size_t>(start + size_t{array.deleteCount}, cells.size());
    std::vector<Cell> removed(cells.begin() + start, cells.begin() + end);
    std::vector<Cell> added;
    for (const NotebookCell& cell : array.cells.value_or(std::vector<NotebookCell>())) {
      // A cell that only moves is not opened again.
      auto moved = std::find_if(removed.begin(), removed.end(),
                                [&](const Cell& old) { return old.uri == cell.document; });
      const auto& opened = change.structure->didOpen;
      bool isOpened = opened && llvm::any_of(*opened, [&](const TextDocumentItem& text) {
                        return text.uri == cell.document;
                      });
      if (moved != removed.end() && !isOpened)
        added.push_back(*moved);
      else
        added.push_back(cellOf(cell, opened.value_or(std::vector<TextDocumentItem>())));
    }
    cells.erase(cells.begin() + start, cells.begin() + end);
    cells.insert(cells.begin() + start, added.begin(), added.end());
    open.notebook = Notebook(std::move(cells));
    for (const Cell& cell : removed)
      if (!open.notebook.find(cell.uri)) open.removedCells.push_back(cell.uri);
  }
  for (const NotebookTextChange& text :
       change.textContent.value_or(std::vector<NotebookTextChange>())) {
    const Cell* cell = open.notebook.find(text.document.uri);
    if (!cell) continue;
    uint32_t first = open.notebook.firstLine(*cell), next = first + cell->text.lineCount();
    text::SourceText changed = afterChanges(cell->text, text.changes, encoding_);
    open.notebook.change(text.document.uri, text.document.version, std::move(changed));
    edits.push_back(
        {Range{{first, 0}, {next, 0}}, Notebook::python(*open.notebook.find(text.document.uri))});
  }
  if (change.structure) edits = {{std::nullopt, open.notebook.python()}};
  if (edits.empty()) return {};
  return {makeNotification("textDocument/didChange",
                           encode(DidChangeParams{{uri, ++open.version}, std::move(edits)}))};
}

std::vector<std::string> Notebooks::close(const Json& json) {
  auto params = decode<NotebookParams>(json);
  if (!params) return {};
  const std::string& uri = params->notebookDocument.uri;
  auto it = notebooks_.find(uri);
  if (it == notebooks_.end()) return {};
  std::vector<std::string>& cells = closed_[uri] = std::move(it->second.removedCells);
  for (const Cell& cell : it->second.notebook.cells())
    cells.push_back(cell.uri);
  notebooks_.erase(it);
  return {aboutNotebook("textDocument/didClose", uri)};
}

std::vector<std::string> Notebooks::fromClient(std::string message) {
  if (notebooks_.empty() && message.find("\"notebookDocument/") == std::string::npos)
    return {std::move(message)};
  auto json = parseJson(message);
  if (!json || !json->is_object()) return {std::move(message)};
  std::string method = methodOf(*json);
  Json none, &params = json->contains("params") ? (*json)["params"] : none;
  if (method == "notebookDocument/didOpen") return open(params);
  if (method == "notebookDocument/didChange") return change(params);
  if (method == "notebookDocument/didClose") return close(params);
  if (method == "notebookDocument/didSave") {
    auto saved = decode<NotebookParams>(params);
    if (!saved || !notebooks_.contains(saved->notebookDocument.uri)) return {};
    return {aboutNotebook("textDocument/didSave", saved->notebookDocument.uri)};
  }
  if (method.empty()) return {std::move(message)};

  const Json* uri = documentUri(params);
  const auto* entry = uri ? withCell(uri->get_ref<const std::string&>()) : nullptr;
  if (entry && json->contains("id")) {
    asked_[idKey((*json)["id"])] = {method, entry->first, uri->get<std::string>()};
    // An answer with all tokens is a valid one; differences would be those of the whole notebook.
    if (method == "textDocument/semanticTokens/full/delta") {
      (*json)["method"] = "textDocument/semanticTokens/full";
      params.erase("previousResultId");
    }
  }
  ToNotebook([this](const std::string& uri) -> CellPlace {
    const auto* found = withCell(uri);
    if (!found) return {};
    return {&found->first, &found->second.notebook, found->second.notebook.find(uri)};
  }).translate(params);
  return {dumpJson(*json)};
}

// ---------------------------------------------------------------- from the server

std::vector<std::string> Notebooks::published(const Json& message) {
  const Json& params = message["params"];
  auto send = [](const std::string& uri, Json diagnostics) {
    return makeNotification(std::string(diagnosticsMethod),
                            {{"uri", uri}, {"diagnostics", std::move(diagnostics)}});
  };
  std::vector<std::string> messages;
  auto uri = params.is_object() ? params.find("uri") : params.end();
  if (uri == params.end() || !uri->is_string()) return {dumpJson(message)};
  if (auto it = closed_.find(uri->get_ref<const std::string&>()); it != closed_.end()) {
    for (const std::string& cell : it->second)
      messages.push_back(send(cell, Json::array()));
    closed_.erase(it);
    return messages;
  }
  auto it = notebooks_.find(uri->get_ref<const std::string&>());
  if (it == notebooks_.end()) {
    Json changed = message;
    toCells().translate(changed["params"], {});
    return {dumpJson(changed)};
  }
  for (auto& [cell, diagnostics] :
       byCell(params.value("diagnostics", Json()), notebookAt(it->first), toCells()))
    messages.push_back(send(cell, std::move(diagnostics)));
  for (const std::string& cell : std::exchange(it->second.removedCells, {}))
    messages.push_back(send(cell, Json::array()));
  return messages;
}

std::vector<std::string> Notebooks::fromServer(std::string message) {
  if (!isInitialized_) {
    auto json = parseJson(message);
    if (!json || !json->is_object() || !json->contains("result")) return {std::move(message)};
    Json& result = (*json)["result"];
    if (!result.is_object() || !result.contains("capabilities")) return {std::move(message)};
    Json& capabilities = result["capabilities"];
    isInitialized_ = true;
    if (!capabilities.is_object()) return {std::move(message)};
    if (Json name = capabilities.value("positionEncoding", Json()); name.is_string())
      encoding_ = positionEncodingOf(name.get_ref<const std::string&>()).value_or(encoding_);
    Json selector = {{"notebook", "*"}, {"cells", Json::array({{{"language", "python"}}})}};
    capabilities["notebookDocumentSync"] = {{"notebookSelector", Json::array({selector})},
                                            {"save", true}};
    return {dumpJson(*json)};
  }
  if (notebooks_.empty() && closed_.empty()) {
    asked_.clear();
    return {std::move(message)};
  }
  auto json = parseJson(message);
  if (!json || !json->is_object()) return {std::move(message)};
  std::string method = methodOf(*json);
  if (llvm::StringRef(method) == diagnosticsMethod) return published(*json);

  ToCells toCells = this->toCells();
  if (!method.empty()) {
    if (json->contains("params")) toCells.translate((*json)["params"], {});
    return {dumpJson(*json)};
  }
  if (!json->contains("id")) return {std::move(message)};
  CellPlace asked;
  std::string askedMethod;
  if (auto it = asked_.find(idKey((*json)["id"])); it != asked_.end()) {
    askedMethod = it->second.method;
    CellPlace notebook = notebookAt(it->second.notebook);
    if (notebook.notebook) notebook.cell = notebook.notebook->find(it->second.cell);
    if (notebook.cell) asked = notebook;
    asked_.erase(it);
  }
  if (!json->contains("result")) return {dumpJson(*json)};
  Json& result = (*json)["result"];
  if (llvm::StringRef(askedMethod).starts_with("textDocument/semanticTokens/")) {
    if (result.is_object() && result.contains("data"))
      result["data"] = ToCells::tokens(result["data"], asked);
    return {dumpJson(*json)};
  }
  // The report of the whole workspace has one entry for each document.
  if (result.is_object() && result.contains("items") && result["items"].is_array() &&
      askedMethod.empty()) {
    Json items = Json::array();
    for (Json& item : result["items"]) {
      bool isReport = item.is_object() && item.contains("uri") && item["uri"].is_string();
      CellPlace notebook =
          isReport ? notebookAt(item["uri"].get_ref<const std::string&>()) : CellPlace();
      if (!notebook.notebook) {
        items.push_back(std::move(item));
        continue;
      }
      if (item.value("kind", "") != "full") continue;
      for (auto& [cell, diagnostics] : byCell(item.value("items", Json()), notebook, toCells))
        items.push_back({{"uri", cell},
                         {"version", nullptr},
                         {"kind", "full"},
                         {"items", std::move(diagnostics)}});
    }
    result["items"] = std::move(items);
  }
  toCells.translate(result, asked);
  if (asked.cell && result.is_object() && result.contains("version"))
    result["version"] = asked.cell->version;
  return {dumpJson(*json)};
}

} // namespace gluond::lsp
