#include "dap/Requests.h"

#include "dap/LaunchArguments.h"
#include "ir/Context.h"

#include <llvm/Support/Path.h>
#include <llvm/Support/xxhash.h>

namespace gluond::dap {

const Requests::Entry Requests::table[] = {
    {"initialize", &Requests::initialize, false},
    {"launch", &Requests::launch, false},
    {"attach", &Requests::launch, false},
    {"restart", &Requests::restart, true},
    {"configurationDone", &Requests::configurationDone, true},
    {"terminate", &Requests::terminate, false},
    {"disconnect", &Requests::disconnect, false},
    {"continue", &Requests::goOn, true},
    {"next", &Requests::next, true},
    {"stepIn", &Requests::stepIn, true},
    {"stepOut", &Requests::stepOut, true},
    {"stepBack", &Requests::stepBack, true},
    {"reverseContinue", &Requests::reverseContinue, true},
    {"goto", &Requests::goTo, true},
    {"gotoTargets", &Requests::gotoTargets, true},
    {"pause", &Requests::pause, true},
    {"setBreakpoints", &Requests::setBreakpoints, false},
    {"setFunctionBreakpoints", &Requests::setFunctionBreakpoints, false},
    {"setExceptionBreakpoints", &Requests::setExceptionBreakpoints, false},
    {"dataBreakpointInfo", &Requests::dataBreakpointInfo, true},
    {"setDataBreakpoints", &Requests::setDataBreakpoints, false},
    {"breakpointLocations", &Requests::breakpointLocations, true},
    {"threads", &Requests::threads, false},
    {"stackTrace", &Requests::stackTrace, true},
    {"scopes", &Requests::scopes, true},
    {"variables", &Requests::variables, true},
    {"evaluate", &Requests::evaluate, true},
    {"exceptionInfo", &Requests::exceptionInfo, true},
    {"loadedSources", &Requests::loadedSources, true},
    {"readMemory", &Requests::readMemory, true},
    {"gluond/seek", &Requests::seek, true},
    {"gluond/origin", &Requests::origin, true},
    {"gluond/readers", &Requests::readers, true},
};

Requests::Requests(Client& client, Inbox& inbox, Prepare prepare)
    : client_(client), inbox_(inbox), prepare_(std::move(prepare)) {}

void Requests::handle(const Json& request) {
  std::string command = text(request, "command");
  for (const Entry& entry : table) {
    if (command != entry.command) continue;
    if (entry.needsProgram && !debugger_)
      return client_.fail(request, "there is no program: 'launch' comes first");
    return (this->*entry.handler)(request, member(request, "arguments"));
  }
  client_.fail(request, "the request '" + command + "' is not known");
}

void Requests::initialize(const Json& request, const Json& arguments) {
  firstLine_ = flag(arguments, "linesStartAt1", true);
  firstColumn_ = flag(arguments, "columnsStartAt1", true);
  Json body = Json::object();
  for (const char* can :
       {"supportsConfigurationDoneRequest", "supportsFunctionBreakpoints",
        "supportsConditionalBreakpoints", "supportsHitConditionalBreakpoints",
        "supportsEvaluateForHovers", "supportsStepBack", "supportsRestartRequest",
        "supportsGotoTargetsRequest", "supportsExceptionInfoRequest", "supportsLogPoints",
        "supportsTerminateRequest", "supportsDataBreakpoints", "supportsBreakpointLocationsRequest",
        "supportsLoadedSourcesRequest", "supportsReadMemoryRequest",
        "supportsExceptionFilterOptions", "supportsVariableType", "supportsVariablePaging"})
    body[can] = true;
  body["exceptionBreakpointFilters"] = Json::array(
      {{{"filter", "error"},
        {"label", "Errors found by the simulator"},
        {"description", "Stop at an error that ends the program, such as an access out of bounds."},
        {"default", true},
        {"supportsCondition", true},
        {"conditionDescription",
         "Codes of diagnostics, separated by commas, such as run-deadlock"}},
       {{"filter", "warning"},
        {"label", "Warnings of the simulator"},
        {"description", "Stop at a likely mistake, such as a race."},
        {"default", true},
        {"supportsCondition", true},
        {"conditionDescription", "Codes of diagnostics, separated by commas"}},
       {{"filter", "information"},
        {"label", "Information from the simulator"},
        {"description", "Stop at events that may be intended, such as a division by zero."},
        {"default", false},
        {"supportsCondition", false}}});
  client_.reply(request, std::move(body));
}

// ---------------------------------------------------------------- launching

// The programs before the debugged one, in their order, as far as time allows. What could not run
// is said.
std::string Requests::runOthers(const LaunchRequest& wanted, CancellationToken token) {
  const driver::PreparedSimulation& simulation = *debuggee_.simulation;
  uint64_t count = simulation.setting.numberOf(wanted.id), unfinished = 0, ran = 0;
  auto until = std::chrono::steady_clock::now() + std::chrono::seconds(wanted.othersSeconds);
  bool isLate = false;
  for (uint64_t number = 0; number < count && !isLate; ++number) {
    auto schedule = wanted.schedule.make(simulation.setting.idOf(number));
    simulate::Machine machine(*simulation.code, simulation.setting, simulation.memory, *schedule);
    simulate::State state = machine.begin(simulation.setting.idOf(number));
    auto progress = simulate::Machine::Progress::Running;
    while (progress == simulate::Machine::Progress::Running && !isLate) {
      progress = machine.run(state, 256);
      isLate = std::chrono::steady_clock::now() > until || token.isCancelled();
    }
    if (progress != simulate::Machine::Progress::Finished) ++unfinished;
    ++ran;
  }
  if (isLate)
    return "Of the " + std::to_string(count) + " programs before this one, " +
           std::to_string(ran - 1) + " ended within " + std::to_string(wanted.othersSeconds) +
           " s; the others have not run.\n";
  if (unfinished)
    return std::to_string(unfinished) + " of the " + std::to_string(count) +
           " programs before this one did not come to their end.\n";
  return {};
}

// A hash of all that the places of values follow from: the kernel's code, and where its tensors
// are.
static uint64_t placesOf(const driver::PreparedSimulation& simulation) {
  std::string text = ir::printModule(*simulation.made.module);
  for (const driver::SimulatedMemory& memory : simulation.memories)
    text += memory.name + " " + std::to_string(memory.address) + " " +
            std::to_string(memory.storage.size()) + "\n";
  return llvm::xxh3_64bits(text);
}

std::string Requests::start(const Json& arguments) {
  auto wanted = readLaunch(arguments);
  if (!wanted) return wanted.error();
  client_.print("Preparing the launch\n");
  CancellationToken token = inbox_.interrupt(false);
  auto target = prepare_(*wanted, token);
  if (!target) return target.error();
  if (std::string why = driver::outsideOfGrid(wanted->id, target->simulation->host); !why.empty())
    return why;
  debugger_ = nullptr;
  debuggee_ = std::move(*target);
  wanted_ = *wanted;
  stopsAtEnd_ = flag(arguments, "stopAtEnd", true);
  isStarted_ = hasEnded_ = false;
  printed_ = 0;
  told_.clear();
  forgetLook();
  driver::PreparedSimulation& simulation = *debuggee_.simulation;
  auto [x, y, z] = *simulation.host.grid;
  auto [i, j, k] = wanted->id;
  auto triple = [](int64_t a, int64_t b, int64_t c) {
    return "(" + std::to_string(a) + ", " + std::to_string(b) + ", " + std::to_string(c) + ")";
  };
  client_.print(debuggee_.kernel + ", " + debuggee_.label + "\nProgram " + triple(i, j, k) +
                " of a grid of " + triple(x, y, z) + "\n");
  for (const std::string& assumption : simulation.assumptions)
    client_.print("Assumed: " + assumption + "\n");
  if (wanted->runsOthersFirst)
    if (std::string said = runOthers(*wanted, token); !said.empty())
      client_.print(said, "important");
  schedule_ = wanted->schedule.make(wanted->id);
  debug::HistoryLimits limits;
  limits.bytes = static_cast<size_t>(wanted->historyMegabytes) << 20;
  debugger_ = std::make_unique<debug::Debugger>(*simulation.code, simulation.setting,
                                                simulation.memory, *schedule_, wanted->id, limits);
  debugger_->setFindingFilter(filter_);
  uint64_t places = placesOf(simulation);
  placeKnownBreakpoints(std::exchange(places_, places) == places);
  debugger_->onLog = [this](const std::string& line, const debug::Row& row) {
    Json body = {{"category", "console"}, {"output", line + "\n"}};
    if (row.place) {
      body["source"] = sourceOf(row.place->path);
      body["line"] = row.place->line - 1 + firstLine_;
    }
    client_.event("output", std::move(body));
  };
  return {};
}

void Requests::launch(const Json& request, const Json& arguments) {
  if (debugger_) return client_.fail(request, "a program is being debugged already");
  launchArguments_ = arguments;
  if (std::string why = start(arguments); !why.empty()) return client_.fail(request, why);
  client_.reply(request);
  client_.event("initialized");
}

// The arguments of this request replace those of the launch.
void Requests::restart(const Json& request, const Json& arguments) {
  Json merged = launchArguments_;
  if (!merged.is_object()) merged = Json::object();
  if (const Json& given = member(arguments, "arguments"); given.is_object())
    for (const auto& [name, value] : given.items())
      merged[name] = value;
  if (std::string why = start(merged); !why.empty()) return client_.fail(request, why);
  launchArguments_ = std::move(merged);
  client_.reply(request);
  configurationDone(Json(), Json());
}

void Requests::configurationDone(const Json& request, const Json&) {
  if (!request.is_null()) client_.reply(request);
  if (isStarted_) return;
  isStarted_ = true;
  forgetLook();
  debug::Stop first = debugger_->begin();
  if (flag(launchArguments_, "stopOnEntry", false) || first.why == debug::Stop::Why::End)
    return report(first);
  // A breakpoint at the very first statement stops, too.
  debugger_->history().seek(0);
  move(debug::Motion::Continue, 0);
}

void Requests::terminate(const Json& request, const Json&) {
  client_.reply(request);
  client_.event("terminated");
}

void Requests::disconnect(const Json& request, const Json&) {
  client_.reply(request);
  isOver_ = true;
}

} // namespace gluond::dap
