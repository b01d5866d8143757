// A tool: a function of typed arguments to a typed result, with its name and its description.
//
// Tools are front ends of the driver, without state: what one needs is in its arguments and in the
// files. Each file of this folder holds the arguments, the result and the function of one tool or
// of a few related ones, and Toolbox.cpp lists them. The same tools answer MCP clients (mcp/server)
// and `gluond call`.
#pragma once

#include "driver/analysis/Worker.h"
#include "driver/workspace/Workspace.h"
#include "lsp/server/ServedFolder.h"
#include "mcp/protocol/Schema.h"
#include "remote/Runner.h"

#include <functional>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

namespace gluond::mcp {

template <typename T> using Answer = tl::expected<T, std::string>;

// Tells how far a long call is. `total` is 0 if it is not known.
using Progress = std::function<void(double done, double total, const std::string& message)>;

// The GPU processes, which all calls share. Measurements would disturb each other, so one call has
// them at a time.
class Gpus {
public:
  // Waits for the GPU processes of these settings; `lock` keeps them for the caller. Returns null
  // if cancelled meanwhile.
  const std::vector<std::unique_ptr<remote::Runner>>* take(const driver::Settings& settings,
                                                           std::unique_lock<std::timed_mutex>& lock,
                                                           const CancellationToken& token);

private:
  std::timed_mutex mutex_;
  std::vector<std::unique_ptr<remote::Runner>> runners_;
};

// The context of a call.
struct Context {
  std::shared_ptr<const driver::Snapshot> snapshot; // confined to the folder
  const lsp::ServedFolder& folder;
  driver::Worker& worker;
  CancellationToken token;
  Gpus& gpus;
  Progress progress = [](double, double, const std::string&) {};
  // The work from now on is for this file: if it ends the process, this is the file to blame.
  std::function<void(const driver::File&)> worksOn = [](const driver::File&) {};
};

// The kinds of work that a call may do.
enum class Cost : uint8_t {
  File,    // each file has its own limit (driver/program/FileWork.h)
  Request, // as an editor's request for IR or a panel
  Run,     // a kernel runs: it has a limit of its own
};

struct Tool {
  const char *name, *title, *description;
  Cost cost = Cost::Request;
  bool writes = false; // changes files
  Json (*inputSchema)() = nullptr;
  Json (*outputSchema)() = nullptr;
  Answer<Json> (*call)(const Json& arguments, const Context& context) = nullptr;
};

// `handle` is Answer<Result> (const Params&, const Context&).
template <auto handle> struct Handler;
template <typename Params, typename Result, Answer<Result> (*handle)(const Params&, const Context&)>
struct Handler<handle> {
  static Json input() { return schema::of(schema::ShapeOf<Params>::shape); }
  static Json output() { return schema::of(schema::ShapeOf<Result>::shape); }
  static Answer<Json> call(const Json& json, const Context& context) {
    auto params = decodeArguments<Params>(json);
    if (!params) return tl::unexpected(std::move(params.error()));
    Answer<Result> result = handle(*params, context);
    if (!result) return tl::unexpected(std::move(result.error()));
    return json::encode(*result);
  }
};
template <auto handle>
Tool makeTool(const char* name, const char* title, const char* description,
              Cost cost = Cost::Request, bool writes = false) {
  using H = Handler<handle>;
  return {name, title, description, cost, writes, H::input, H::output, H::call};
}

// ---- The tools, listed in Toolbox.cpp.
Tool checkTool();
Tool applyFixTool();
Tool explainTool();
Tool searchTool();
Tool launchesTool();
Tool typeAtTool();
Tool layoutMapTool();
Tool accessesTool();
Tool irTool();
Tool budgetTool();
Tool runTool();
Tool simulateTool();
Tool benchmarkTool();
Tool compareTool();

} // namespace gluond::mcp
