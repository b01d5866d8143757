#include "mcp/tools/Toolbox.h"

#include "codegen/targets/TargetNames.h"
#include "driver/benchmark/Benchmark.h"
#include "driver/program/FileWork.h"
#include "lsp/protocol/Json.h"
#include "mcp/protocol/Bounded.h"

#include <llvm/ADT/STLExtras.h>

#include <array>
#include <optional>

namespace gluond::mcp {

llvm::ArrayRef<Tool> tools() {
  static const std::array all = {
      checkTool(),    applyFixTool(),  explainTool(),   searchTool(),  launchesTool(),
      typeAtTool(),   layoutMapTool(), accessesTool(),  irTool(),      budgetTool(),
      simulateTool(), runTool(),       benchmarkTool(), compareTool(),
  };
  return all;
}

const Tool* findTool(llvm::StringRef name) {
  auto it = llvm::find_if(tools(), [&](const Tool& tool) { return name == tool.name; });
  return it == tools().end() ? nullptr : it;
}

Json describe(const Tool& tool) {
  return {{"name", tool.name},
          {"title", tool.title},
          {"description", tool.description},
          {"inputSchema", tool.inputSchema()},
          {"outputSchema", tool.outputSchema()},
          {"annotations",
           {{"title", tool.title},
            {"readOnlyHint", !tool.writes},
            {"destructiveHint", tool.writes},
            {"idempotentHint", !tool.writes},
            {"openWorldHint", false}}}};
}

const std::vector<std::unique_ptr<remote::Runner>>*
Gpus::take(const driver::Settings& settings, std::unique_lock<std::timed_mutex>& lock,
           const CancellationToken& token) {
  lock = std::unique_lock(mutex_, std::defer_lock);
  while (!lock.try_lock_for(std::chrono::milliseconds(100)))
    if (token.isCancelled()) return nullptr;
  std::vector<std::string> commands = driver::runnerCommands(settings);
  if (!llvm::equal(commands, runners_, [](const std::string& command, const auto& runner) {
        return runner->command() == command;
      })) {
    runners_.clear();
    for (const std::string& command : commands)
      runners_.push_back(std::make_unique<remote::Runner>(remote::RunnerOptions{command}));
  }
  return &runners_;
}

static driver::Settings confined(const lsp::ServedFolder& folder, driver::Settings settings) {
  settings.roots = {folder.path()};
  settings.isConfined = true;
  // There is no cursor that waits for the result.
  settings.analysisSeconds = 8;
  settings.analysisMegabytes = 2048;
  return settings;
}

// The CPU time of one thread for one file after which a supervisor ends the process: far beyond the
// limits at which the work ends by itself.
static uint32_t secondsUntilStuck(Cost cost) {
  switch (cost) {
  case Cost::File:
    return 30;
  case Cost::Request:
    return 60;
  case Cost::Run:
    return 900;
  }
  return 60;
}

Toolbox::Toolbox(lsp::ServedFolder folder, driver::Settings settings)
    : folder_(std::move(folder)), settings_(confined(folder_, std::move(settings))),
      workspace_(settings_) {}

Toolbox::Call Toolbox::prepare(const Tool& tool, Json arguments) {
  workspace_.diskChanged(); // between two calls any file may have been edited
  std::string target;
  if (auto it = arguments.find("target"); it != arguments.end() && it->is_string())
    target = it->get<std::string>();
  if (auto why = target.empty() ? std::nullopt : codegen::whyNoTarget(bounded(target)))
    return [why](driver::Worker&, WorkSeat, CancellationToken, Progress) -> Answer<Json> {
      return tl::unexpected("target: " + *why);
    };
  driver::Settings settings = settings_;
  if (!target.empty()) settings.overrides.push_back({"target", target});
  workspace_.changeSettings(std::move(settings));
  auto snapshot = workspace_.snapshot();
  return [this, &tool, snapshot = std::move(snapshot), arguments = std::move(arguments)](
             driver::Worker& worker, WorkSeat seat, CancellationToken token,
             Progress progress) -> Answer<Json> {
    Context context{snapshot, folder_, worker, token, gpus_};
    if (progress) context.progress = std::move(progress);
    uint32_t limit = secondsUntilStuck(tool.cost);
    std::optional<Working> working(std::in_place, seat.board, seat.number, "", 0, limit);
    context.worksOn = [&](const driver::File& file) {
      working.reset();
      working.emplace(seat.board, seat.number, file.path(), seat.board ? file.hash() : 0, limit);
    };
    Allowance allowance(tool.cost == Cost::Run
                            ? Allowance::Limits{std::chrono::minutes(10), size_t{8} << 30}
                            : driver::onDemandLimits);
    std::optional<Spending> spending;
    if (tool.cost != Cost::File) spending.emplace(&allowance);
    Answer<Json> result = tool.call(arguments, context);
    if (!result) return tl::unexpected(bounded(std::move(result.error())));
    if (size_t bytes = lsp::dumpJson(*result).size(); bytes > maxResultBytes)
      return tl::unexpected("the result has " + std::to_string(bytes) + " bytes, and " +
                            std::to_string(maxResultBytes) +
                            " are the most; ask for one file, one kernel, or fewer entries "
                            "with limit");
    return result;
  };
}

} // namespace gluond::mcp
