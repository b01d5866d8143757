// `gluond mcp`, the server for coding agents, and `gluond call`, one call of one of its tools.
#include "cli/input/Commands.h"
#include "cli/input/Inputs.h"
#include "cli/input/ServerOptions.h"
#include "cli/output/Output.h"
#include "lsp/protocol/Json.h"
#include "lsp/supervisor/Supervisor.h"
#include "lsp/transport/FramedTransport.h"
#include "mcp/protocol/LineTransport.h"
#include "mcp/server/Conversation.h"
#include "mcp/server/Server.h"

#include <llvm/Support/Path.h>
#include <nlohmann/json.hpp>

#include <thread>

namespace gluond::cli {

namespace {

using lsp::Json;

driver::Settings settingsFor(const ToolOptions& options) {
  driver::Settings settings;
  settings.overrides = settingsOf(options.settings);
  settings.runnerCommands = options.runners;
  return settings;
}

std::string docsFolder() {
  return llvm::sys::path::parent_path(
             installedPath({"../share/doc/gluond/diagnostics.md", "../../docs/diagnostics.md"}))
      .str();
}

int work(lsp::ServedFolder folder, const McpOptions& options) {
  auto board = beginWork(options.worker);
  lsp::FdStream stream(0, takeOutput());
  lsp::FramedTransport transport(stream);
  mcp::Toolbox toolbox(std::move(folder), settingsFor(options.tools));
  unsigned threads = std::clamp(std::thread::hardware_concurrency(), 2u, 4u);
  mcp::Server server(toolbox, mcp::Resources(docsFolder()), threads, board ? &*board : nullptr,
                     [&](const std::string& message) { transport.write(message); });
  while (true) {
    lsp::Incoming incoming = transport.read();
    if (incoming.kind == lsp::Incoming::Kind::Closed) break;
    if (incoming.kind == lsp::Incoming::Kind::Message) server.receive(incoming.text);
  }
  server.stop(); // a file that is being written is written to its end
  leave(fine);
}

// Reads NAME=VALUE. A value is JSON where the argument is no text: limit=5, files=["a.py"]; a list
// of texts may also be a single text: files=a.py.
tl::expected<void, std::string> addArgument(Json& arguments, const std::string& text,
                                            const Json& schema) {
  size_t equals = text.find('=');
  if (equals == std::string::npos || equals == 0)
    return tl::unexpected("'" + text + "' is neither JSON nor NAME=VALUE");
  std::string name = text.substr(0, equals), value = text.substr(equals + 1);
  const Json& properties = schema["properties"];
  auto property = properties.find(name);
  std::string type = property == properties.end() || !property->contains("type")
                         ? ""
                         : (*property)["type"].get<std::string>();
  auto parsed = type == "string" ? std::nullopt : lsp::parseJson(value);
  Json given = parsed ? std::move(*parsed) : Json(value);
  if (type == "array" && !given.is_array()) {
    bool isRepeated = arguments.contains(name) && arguments[name].is_array();
    Json list = isRepeated ? arguments[name] : Json::array();
    list.push_back(std::move(given));
    given = std::move(list);
  }
  arguments[name] = std::move(given);
  return {};
}

} // namespace

int mcpServer(const McpOptions& options) {
  const std::string& path = options.tools.folder;
  auto folder = lsp::ServedFolder::open(path.empty() ? "." : path);
  if (!folder) {
    complain(folder.error());
    return wrongUse;
  }
  if (options.worker.isWorker) return work(std::move(*folder), options);
  lsp::FdStream stream(0, takeOutput());
  mcp::LineTransport transport(stream);
  lsp::Supervisor supervisor(transport, std::make_unique<mcp::Conversation>(),
                             supervisorOptions(options.tools, folder->path()));
  return supervisor.run();
}

int callTool(const CallOptions& options) {
  auto folder = lsp::ServedFolder::open(options.tools.folder.empty() ? "." : options.tools.folder);
  if (!folder) {
    complain(folder.error());
    return wrongUse;
  }
  Output out(Content::Data);
  if (options.tool.empty()) {
    Json all = Json::array();
    for (const mcp::Tool& tool : mcp::tools())
      all.push_back(mcp::describe(tool));
    out << jsonText(Json{{"schemaVersion", mcp::schemaVersion}, {"tools", std::move(all)}}, 1)
        << "\n";
    out.flush();
    return out.ok() ? fine : findings;
  }
  const mcp::Tool* tool = mcp::findTool(options.tool);
  if (!tool) {
    std::string names;
    for (const mcp::Tool& each : mcp::tools())
      names += (names.empty() ? "" : ", ") + std::string(each.name);
    complain("there is no tool '" + options.tool + "'; choose one of " + names);
    return wrongUse;
  }
  Json arguments = Json::object(), schema = tool->inputSchema();
  for (const std::string& text : options.arguments) {
    if (text.starts_with("{")) {
      auto parsed = lsp::parseJson(text);
      if (!parsed) {
        complain("'" + text + "' is not JSON");
        return wrongUse;
      }
      arguments.update(*parsed);
    } else if (auto added = addArgument(arguments, text, schema); !added) {
      complain(added.error());
      return wrongUse;
    }
  }
  mcp::Toolbox toolbox(std::move(*folder), settingsFor(options.tools));
  driver::Worker worker;
  auto result = toolbox.prepare(*tool, std::move(arguments))(worker, {}, {}, {});
  Json json = {{"schemaVersion", mcp::schemaVersion}, {"tool", tool->name}};
  if (result)
    json["result"] = std::move(*result);
  else
    json["error"] = std::move(result.error());
  bool isOk = json.contains("result") && json["result"].value("ok", true);
  out << jsonText(json, 1) << "\n";
  out.flush();
  leave(isOk && out.ok() ? fine : findings);
}

} // namespace gluond::cli
