// A client of the language server, which may have notebooks open: messages, one a line. The server
// has no threads; it works after every message.
#include "../Target.h"
#include "lsp/handlers/Handlers.h"
#include "lsp/notebooks/Notebooks.h"
#include "lsp/server/Server.h"

#include <llvm/ADT/SmallVector.h>
#include <nlohmann/json.hpp>

namespace gluond::fuzz {

using llvm::StringRef;

namespace {

// What starts programs and what reads whole folders stays out: the fuzzer must not act on the
// machine.
bool isHarmless(const lsp::Json& message) {
  if (!message.is_object()) return true;
  std::string method =
      message.value("method", lsp::Json()).is_string() ? message["method"].get<std::string>() : "";
  return !StringRef(method).starts_with("gluond/benchmark") && method != "initialize" &&
         method != "exit" && method != "workspace/didChangeWorkspaceFolders" &&
         method != "workspace/symbol" && method != "workspace/diagnostic";
}

} // namespace

void session(StringRef input) {
  static const lsp::Router router = lsp::makeRouter();
  lsp::ManualClock clock;
  driver::Settings settings;
  settings.cacheDirectory = "off";
  settings.evaluationSteps = 60'000;
  settings.evaluationMegabytes = 16;
  unsigned replies = 0, requests = 0;
  lsp::Notebooks notebooks;
  lsp::Server server(router, {0, &clock, std::move(settings)}, [&](std::string message) {
    for (const std::string& each : notebooks.fromServer(std::move(message))) {
      auto json = lsp::parseJson(each);
      expect(json.has_value(), "the server sends what is no JSON");
      if (!json->contains("method")) ++replies;
    }
  });
  auto receive = [&](StringRef message) {
    for (const std::string& each : notebooks.fromClient(message.str()))
      server.receive(each);
  };
  receive(R"({"jsonrpc":"2.0","id":"start","method":"initialize","params":{"capabilities":{}}})");
  receive(R"({"jsonrpc":"2.0","method":"initialized","params":{}})");
  ++requests;
  llvm::SmallVector<StringRef> lines;
  input.split(lines, '\n', -1, /*KeepEmpty=*/false);
  if (lines.size() > 40) lines.resize(40);
  for (StringRef line : lines) {
    auto json = lsp::parseJson(line);
    if (json && !isHarmless(*json)) continue;
    receive(line);
    clock.advance(std::chrono::seconds(1));
    server.settle();
  }
  receive(R"({"jsonrpc":"2.0","id":"end","method":"shutdown"})");
  ++requests;
  server.settle();
  expect(replies >= requests, "a request without an answer");
  server.stop();
}

} // namespace gluond::fuzz
