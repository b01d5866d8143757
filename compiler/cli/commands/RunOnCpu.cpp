#include "cli/commands/RunOnCpu.h"

#include "cli/input/Inputs.h"
#include "cli/kernels/EmitRecords.h"
#include "cli/kernels/KernelChoice.h"
#include "cli/output/Output.h"
#include "cli/output/Render.h"
#include "driver/benchmark/LaunchInputs.h"
#include "driver/launches/ArgumentText.h"
#include "driver/simulation/SimulateLaunch.h"
#include "runner/data/Npy.h"
#include "support/json/Text.h"

#include <cstdlib>
#include <unistd.h>

namespace gluond::cli {

namespace {

using Json = nlohmann::ordered_json;

void printText(Output& out, const driver::Variant& variant, const driver::SimulatedLaunch& launch,
               const std::vector<NamedFile>& written, const std::vector<Comparison>& comparisons) {
  std::string text;
  llvm::raw_string_ostream stream(text);
  stream << variant.id << " simulated on the CPU in " << timeText(launch.result.microseconds)
         << "\n  " << variant.label << "\n  grid "
         << shapeText({launch.host.grid->begin(), launch.host.grid->end()}) << ", " << launch.warps
         << " warps, " << launch.programs << (launch.programs == 1 ? " program" : " programs")
         << " run, " << launch.steps << " steps";
  if (launch.schedules > 1) stream << ", " << launch.schedules << " schedules";
  stream << "\n";
  writeTensors(stream, launch.result);
  writeOutputs(stream, written);
  writeComparisons(stream, comparisons);
  for (const std::string& assumption : launch.assumptions)
    stream << "  " << assumption << " (change it with --arg and --grid)\n";
  writePrinted(stream, launch.result.printed);
  if (!launch.stopped.empty()) stream << "  " << launch.stopped << "\n";
  out << text;
}

} // namespace

int runOnCpu(const RunOptions& options, const RunFiles& files, const std::string& because) {
  const ExecutionOptions& execution = options.execution;
  KernelQuery query{execution.input,  execution.kernel,   execution.launch,  execution.all,
                    execution.target, execution.launches, execution.settings};
  auto choice = chooseKernel(query);
  if (!choice) return wrongUse;
  const driver::Snapshot& snapshot = *choice->snapshot;
  const driver::Variant& variant = choice->variants.front();
  bool isJson = execution.format == "json";
  if (std::string why = whyWrong(*choice, execution); !why.empty()) {
    complain(why);
    return wrongUse;
  }
  driver::SimulationOptions simulation;
  if (!options.program.empty()) {
    auto program = driver::parseProgramId(options.program);
    if (!program) {
      complain("--program: " + program.error());
      return wrongUse;
    }
    // The grid is known, or assumed, before the launch is prepared.
    auto given = driver::givenLaunch(variant, snapshot.names(),
                                     {execution.arguments, execution.grid, {}, 0});
    std::vector<std::string> assumptions;
    if (given) driver::assumeMissing(*given, assumptions);
    if (std::string why = given ? driver::outsideOfGrid(*program, *given) : given.error();
        !why.empty()) {
      complain("--program: " + why);
      return wrongUse;
    }
    simulation.program = *program;
  }
  if (!options.schedule.empty()) {
    auto schedule = simulate::parseSchedule(options.schedule);
    if (!schedule) {
      complain("--schedule: " + schedule.error());
      return wrongUse;
    }
    simulation.schedule = *schedule;
  }
  simulation.traces = !options.trace.empty();
  if (!because.empty())
    complain("no GPU here runs the launch, so the kernel is simulated on the CPU (" +
             llvm::StringRef(because).split('\n').first.split("; looked for ").first.str() +
             "; see gluond doctor)");
  // A simulated kernel may take a hundred times as long as on a GPU.
  uint64_t seconds = execution.limitSeconds ? execution.limitSeconds
                                            : 10 * snapshot.settingsOf(choice->path)->runnerLimit;
  driver::LaunchOptions launchOptions{execution.arguments, execution.grid, 0, 1000 * seconds};
  driver::Worker worker;
  auto launch = driver::simulateLaunch(snapshot, variant, launchOptions, simulation, worker);
  Output out(isJson ? Content::Data : Content::Text);
  auto fail = [&](const std::string& why) {
    if (isJson)
      out << jsonText(Json{{"launch", variant.id},
                           {"kernel", variant.kernel},
                           {"device", "cpu"},
                           {"problem", {{"kind", "code"}, {"message", why}}}},
                      2)
          << "\n";
    else
      complain(nameOf(variant) + ": " + why);
    return findings;
  };
  if (!launch) return fail(launch.error());

  int code = launch->end == simulate::Outcome::End::Finished ? fine : findings;
  Report report(choice->snapshot);
  report.name(choice->path, execution.input);
  std::vector<driver::Finding> found;
  for (const diagnostics::Diagnostic& diagnostic : launch->findings)
    found.push_back({diagnostic, variant.kernel, variant.id});
  report.add(std::move(found));
  if (report.failed()) code = findings;
  if (simulation.traces)
    if (std::string why = writeFile(options.trace, launch->trace); !why.empty()) {
      complain(why);
      code = findings;
    }
  std::vector<NamedFile> written;
  for (const NamedFile& output : files.outputs) {
    auto tensor =
        llvm::find_if(launch->tensors, [&](const auto& each) { return each.name == output.name; });
    if (tensor == launch->tensors.end())
      return fail("the launch has no tensor '" + output.name + "'");
    std::string contents = runner::writeNpy(*tensor->dtype, tensor->shape, tensor->elements);
    if (!writeOutput(output, contents, written)) code = findings;
  }
  std::vector<Comparison> comparisons;
  for (const NamedContents& reference : files.references) {
    auto compared = driver::compareTensor(*launch, reference.name, reference.data, options.relative,
                                          options.absolute);
    if (!compared) return fail(compared.error());
    if (!compared->isEqual) code = findings;
    comparisons.push_back(comparisonWith(reference, std::move(*compared), snapshot, launch->variant,
                                         launch->host, worker));
  }
  if (isJson) {
    Json json = {{"launch", variant.id},
                 {"kernel", variant.kernel},
                 {"label", variant.label},
                 {"target", variant.target},
                 {"device", "cpu"},
                 {"grid", *launch->host.grid},
                 {"microseconds", launch->result.microseconds},
                 {"programs", launch->programs},
                 {"steps", launch->steps},
                 {"schedules", launch->schedules},
                 {"sharedBytes", launch->sharedBytes},
                 {"printed", launch->result.printed},
                 {"assumed", launch->assumptions}};
    if (!launch->stopped.empty()) json["stopped"] = launch->stopped;
    addResults(json, launch->result, comparisons);
    json["findings"] = json::parse(renderJson(report)).value_or(Json());
    out << jsonText(json, 2) << "\n";
  } else {
    printText(out, variant, *launch, written, comparisons);
    out.flush();
    Output painted(Content::Painted);
    painted << renderText(report, ::isatty(1) && !std::getenv("NO_COLOR"));
  }
  out.flush();
  return out.ok() ? code : findings;
}

} // namespace gluond::cli
