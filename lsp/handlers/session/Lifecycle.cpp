#include "lsp/handlers/Handlers.h"
#include "lsp/protocol/PositionEncoding.h"
#include "lsp/protocol/Uri.h"

#include <llvm/ADT/STLExtras.h>

namespace gluond::lsp {

namespace {

PositionEncoding chooseEncoding(const ClientCapabilities& capabilities) {
  // Offsets are bytes inside gluond: UTF-8 needs no conversion if the client supports it.
  if (capabilities.general && capabilities.general->positionEncodings) {
    const auto& offered = *capabilities.general->positionEncodings;
    using enum PositionEncoding;
    auto isOffered = [&](PositionEncoding encoding) {
      return llvm::is_contained(offered, nameOf(encoding));
    };
    if (isOffered(Utf8)) return Utf8;
    if (isOffered(Utf32) && !isOffered(Utf16)) return Utf32;
  }
  return PositionEncoding::Utf16;
}

// capabilities.textDocument.definition.linkSupport and the like.
bool flag(const Json& json, std::initializer_list<const char*> path) {
  const Json* at = &json;
  for (const char* key : path) {
    if (!at->is_object()) return false;
    auto it = at->find(key);
    if (it == at->end()) return false;
    at = &*it;
  }
  return at->is_boolean() && at->get<bool>();
}

// Our requests that a client supports: capabilities.workspace.codeLens.refreshSupport.
std::vector<std::string> refreshable(const Json& workspace) {
  std::vector<std::string> methods;
  for (auto [capability, method] : {std::pair("codeLens", "workspace/codeLens/refresh"),
                                    std::pair("inlayHint", "workspace/inlayHint/refresh"),
                                    std::pair("semanticTokens", "workspace/semanticTokens/refresh"),
                                    std::pair("diagnostics", "workspace/diagnostic/refresh")})
    if (flag(workspace, {capability, "refreshSupport"})) methods.push_back(method);
  return methods;
}

Json serverCapabilities(const ClientInfo& client) {
  Json sync = {{"openClose", true}, {"change", 2}, {"save", true}};
  Json capabilities = Json::object();
  capabilities["positionEncoding"] = nameOf(client.encoding).str();
  capabilities["textDocumentSync"] = sync;
  for (const char* provider :
       {"callHierarchyProvider", "definitionProvider", "documentHighlightProvider",
        "documentSymbolProvider", "foldingRangeProvider", "hoverProvider", "inlayHintProvider",
        "selectionRangeProvider", "typeDefinitionProvider"})
    capabilities[provider] = true;
  for (const char* provider : {"referencesProvider", "workspaceSymbolProvider"})
    capabilities[provider] = {{"workDoneProgress", true}};
  capabilities["codeLensProvider"] = {{"resolveProvider", false}};
  capabilities["codeActionProvider"] = {{"codeActionKinds", {"quickfix", "source.fixAll.gluond"}}};
  capabilities["completionProvider"] = {{"triggerCharacters", {".", "\"", "'"}}};
  capabilities["signatureHelpProvider"] = {{"triggerCharacters", {"(", ","}}};
  capabilities["renameProvider"] = {{"prepareProvider", true}};
  capabilities["semanticTokensProvider"] = {
      {"legend", semanticTokensLegend()}, {"full", {{"delta", true}}}, {"range", true}};
  if (client.pullsDiagnostics)
    capabilities["diagnosticProvider"] = {{"identifier", "gluond"},
                                          {"interFileDependencies", true},
                                          {"workspaceDiagnostics", true},
                                          {"workDoneProgress", true}};
  capabilities["workspace"] = {
      {"workspaceFolders", {{"supported", true}, {"changeNotifications", true}}}};
  Json extensions = Json::array();
  forEachExtension([&](const char* method, auto*, auto*) { extensions.push_back(method); });
  capabilities["experimental"] = {{"gluond", {{"methods", extensions}}}};
  return capabilities;
}

} // namespace

Json initialize(const InitializeParams& params, Session& session) {
  driver::Settings settings = session.workspace.settings();
  if (settings.isConfined) {
    // The user who started the server chose the folder.
  } else if (params.workspaceFolders) {
    for (const WorkspaceFolder& folder : *params.workspaceFolders)
      settings.roots.push_back(pathFromUri(folder.uri));
  } else if (params.rootUri) {
    settings.roots.push_back(pathFromUri(*params.rootUri));
  }
  std::string documentation =
      settings.documentation.empty() ? "" : uriFromPath(settings.documentation);
  const Json& options = params.initializationOptions;
  if (options.is_object() && options.contains("documentation") &&
      options["documentation"].is_string())
    documentation = options["documentation"].get<std::string>();
  session.workspace.changeSettings(std::move(settings));
  session.changeClient([&](ClientInfo& client) {
    client.encoding = chooseEncoding(params.capabilities);
    client.documentation = documentation;
    client.linkSupport = flag(params.capabilities.textDocument, {"definition", "linkSupport"});
    client.typeLinkSupport =
        flag(params.capabilities.textDocument, {"typeDefinition", "linkSupport"});
    const Json &workspace = params.capabilities.workspace,
               &document = params.capabilities.textDocument;
    client.watchesFiles = flag(workspace, {"didChangeWatchedFiles", "dynamicRegistration"});
    client.hasConfiguration = flag(workspace, {"configuration"});
    client.registersConfiguration =
        flag(workspace, {"didChangeConfiguration", "dynamicRegistration"});
    client.pullsDiagnostics = document.is_object() && document.contains("diagnostic") &&
                              document["diagnostic"].is_object();
    client.refreshable = refreshable(workspace);
  });
  readInitialConfiguration(options, session);

  Json result = Json::object();
  result["capabilities"] = serverCapabilities(*session.client);
  result["serverInfo"] = {{"name", "gluond"}, {"version", GLUOND_VERSION}};
  return result;
}

void initialized(const Nothing&, Session& session) {
  Json registrations = Json::array();
  if (session.client->watchesFiles) {
    Json watchers = Json::array();
    for (const char* pattern : {"**/*.py", "**/*.launches.jsonl", "**/pyproject.toml"})
      watchers.push_back({{"globPattern", pattern}});
    registrations.push_back({{"id", "gluond.watch"},
                             {"method", "workspace/didChangeWatchedFiles"},
                             {"registerOptions", {{"watchers", watchers}}}});
  }
  if (session.client->registersConfiguration)
    registrations.push_back({{"id", "gluond.configuration"},
                             {"method", "workspace/didChangeConfiguration"},
                             {"registerOptions", {{"section", "gluond"}}}});
  if (!registrations.empty())
    session.requests.push_back(
        {"client/registerCapability", {{"registrations", std::move(registrations)}}});
  requestConfiguration(session);
}

} // namespace gluond::lsp
