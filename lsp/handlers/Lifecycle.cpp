#include "lsp/handlers/Handlers.h"
#include "lsp/protocol/Uri.h"

#include <algorithm>

namespace gluond::lsp {

namespace {

// Settings a client may give as initializationOptions.
struct InitializationOptions {
  std::optional<std::string> target;
  std::optional<std::vector<std::string>> recordFiles;
  std::optional<std::string> documentation; // uri of the page that describes the diagnostics
  GLUOND_FIELDS(field("target", &InitializationOptions::target),
                field("recordFiles", &InitializationOptions::recordFiles),
                field("documentation", &InitializationOptions::documentation))
};

PositionEncoding chooseEncoding(const ClientCapabilities& capabilities) {
  // Offsets are bytes inside gluond: UTF-8 costs nothing where the client speaks it.
  if (capabilities.general && capabilities.general->positionEncodings) {
    const auto& offered = *capabilities.general->positionEncodings;
    if (std::find(offered.begin(), offered.end(), "utf-8") != offered.end())
      return PositionEncoding::Utf8;
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

Json serverCapabilities(PositionEncoding encoding) {
  Json sync = {{"openClose", true}, {"change", 2}, {"save", true}};
  Json capabilities = Json::object();
  capabilities["positionEncoding"] = encoding == PositionEncoding::Utf8 ? "utf-8" : "utf-16";
  capabilities["textDocumentSync"] = sync;
  for (const char* provider :
       {"definitionProvider", "documentHighlightProvider", "documentSymbolProvider",
        "foldingRangeProvider", "hoverProvider", "inlayHintProvider", "referencesProvider"})
    capabilities[provider] = true;
  capabilities["codeLensProvider"] = {{"resolveProvider", false}};
  capabilities["codeActionProvider"] = {{"codeActionKinds", {"quickfix"}}};
  capabilities["completionProvider"] = {{"triggerCharacters", {"."}}};
  capabilities["signatureHelpProvider"] = {{"triggerCharacters", {"(", ","}}};
  capabilities["renameProvider"] = {{"prepareProvider", true}};
  Json extensions = Json::array();
  forEachExtension([&](const char* method, auto*, auto*) { extensions.push_back(method); });
  capabilities["experimental"] = {{"gluond", {{"methods", extensions}}}};
  return capabilities;
}

} // namespace

Json initialize(const InitializeParams& params, Session& session) {
  driver::Settings settings = session.workspace.settings();
  if (params.workspaceFolders)
    for (const WorkspaceFolder& folder : *params.workspaceFolders)
      settings.roots.push_back(pathFromUri(folder.uri));
  else if (params.rootUri)
    settings.roots.push_back(pathFromUri(*params.rootUri));
  std::string documentation =
      settings.documentation.empty() ? "" : uriFromPath(settings.documentation);
  if (auto options = decode<InitializationOptions>(params.initializationOptions)) {
    if (options->target) settings.target = *options->target;
    if (options->documentation) documentation = *options->documentation;
    if (options->recordFiles) settings.recordFiles = *options->recordFiles;
  } else if (!params.initializationOptions.is_null()) {
    session.warnings.push_back("initializationOptions: " + options.error());
  }
  session.workspace.changeSettings(std::move(settings));
  session.changeClient([&](ClientInfo& client) {
    client.encoding = chooseEncoding(params.capabilities);
    client.documentation = documentation;
    client.linkSupport = flag(params.capabilities.textDocument, {"definition", "linkSupport"});
    client.watchesFiles =
        flag(params.capabilities.workspace, {"didChangeWatchedFiles", "dynamicRegistration"});
  });

  Json result = Json::object();
  result["capabilities"] = serverCapabilities(session.client->encoding);
  result["serverInfo"] = {{"name", "gluond"}, {"version", GLUOND_VERSION}};
  return result;
}

void initialized(const Nothing&, Session& session) {
  if (!session.client->watchesFiles) return;
  Json watchers = Json::array();
  for (const char* pattern : {"**/*.py", "**/*.launches.jsonl"})
    watchers.push_back({{"globPattern", pattern}});
  Json registration = {{"id", "gluond.watch"},
                       {"method", "workspace/didChangeWatchedFiles"},
                       {"registerOptions", {{"watchers", watchers}}}};
  session.requests.push_back(
      {"client/registerCapability", {{"registrations", Json::array({registration})}}});
}

} // namespace gluond::lsp
