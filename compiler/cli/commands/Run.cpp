#include "cli/commands/RunOnCpu.h"
#include "cli/input/Inputs.h"
#include "cli/kernels/Execution.h"
#include "cli/kernels/KernelChoice.h"
#include "cli/kernels/RunReport.h"
#include "cli/output/Output.h"
#include "cli/output/Render.h"
#include "driver/analysis/Worker.h"

#include <llvm/ADT/STLExtras.h>
#include <llvm/ADT/StringExtras.h>
#include <llvm/Support/Format.h>
#include <nlohmann/json.hpp>

namespace gluond::cli {

namespace {

using Json = nlohmann::ordered_json;

void printText(Output& out, const Execution& execution, const driver::Variant& variant,
               const driver::PreparedLaunch& prepared, const runner::LoadResult& load,
               const runner::RunResult& result, const std::vector<Comparison>& comparisons,
               const std::vector<NamedFile>& written) {
  std::string text;
  llvm::raw_string_ostream stream(text);
  stream << variant.id << " on " << execution.device.name << ": " << timeText(result.microseconds)
         << " (once, cold; gluond bench measures)\n";
  stream << "  " << variant.label << "\n  grid "
         << shapeText({prepared.host.grid->begin(), prepared.host.grid->end()}) << ", "
         << prepared.warps << " warps, " << registersText(load) << ", "
         << prepared.sharedBytesOf(load) << " bytes of shared memory\n";
  writeTensors(stream, result);
  if (!result.isGuarded && !result.tensors.empty())
    stream
        << "  the driver puts no unmapped pages around tensors here: a write just beyond one may "
           "stay unnoticed\n";
  writeOutputs(stream, written);
  writeComparisons(stream, comparisons);
  for (const std::string& assumption : prepared.assumptions)
    stream << "  " << assumption << " (change it with --arg and --grid)\n";
  writePrinted(stream, result.printed);
  out << text;
}

Json jsonOf(const runner::Problem& problem) {
  Json json = runner::encodeProblem(problem);
  Json out = {{"kind", json["data"]["kind"]}, {"message", problem.message}};
  if (!problem.kernel.empty()) out["kernel"] = problem.kernel;
  if (!problem.error.empty()) out["error"] = problem.error;
  if (!problem.log.empty()) out["log"] = problem.log;
  return out;
}

} // namespace

int runKernel(const RunOptions& given) {
  auto files = readRunFiles(given);
  if (!files) return wrongUse;
  RunOptions options = given;
  for (const NamedFile& output : files->outputs)
    options.execution.tensors.push_back(output.name);
  for (const NamedContents& reference : files->references)
    options.execution.tensors.push_back(reference.name);
  if (options.onCpu) return runOnCpu(options, *files, {});
  auto refused = [&](const Refusal& refusal) {
    // A user who names a GPU wants that one, and not the CPU.
    bool namesGpu = !options.execution.runners.empty() || options.namesDevice;
    if (refusal.isWithoutGpu && !namesGpu) return runOnCpu(options, *files, refusal.why);
    return tell(refusal, options.execution.format == "json");
  };
  auto begun = beginExecution(options.execution);
  if (!begun) return refused(begun.error());
  Execution& execution = *begun;
  const driver::Variant& variant = execution.choice.variants.front();
  remote::Runner& runner = *execution.runners.front();
  Output out(options.execution.format == "json" ? Content::Data : Content::Text);
  auto dump = [](const Json& json) { return jsonText(json, 2) + "\n"; };
  bool isJson = options.execution.format == "json";
  auto fail = [&](const runner::Problem& problem) {
    if (isJson)
      out << dump({{"launch", variant.id},
                   {"kernel", variant.kernel},
                   {"device", execution.device.name},
                   {"problem", jsonOf(problem)}});
    else
      complain(nameOf(variant) + ": " + describe(problem));
    return findings;
  };

  driver::Worker worker;
  auto prepared = driver::prepareLaunch(*execution.choice.snapshot, variant, execution.launch,
                                        execution.device, worker);
  if (!prepared)
    return fail({runner::ProblemKind::Code, prepared.error(), variant.kernel, {}, {}, false});
  auto load = runner.load(prepared->load, prepared->code);
  if (!load) return fail(load.error());
  runner::RunParams params;
  params.launch = prepared->launch;
  params.launch.module = load->module;
  params.limitMs = execution.launch.limitMs;
  for (const auto& [name, file] : files->outputs)
    params.outputs.push_back(name);
  params.keep = "run";
  auto ran = runner.run(params, prepared->binary);
  if (!ran) return fail(ran.error());
  int code = ran->result.overwritten.empty() ? fine : findings;
  std::vector<NamedFile> written;
  for (const NamedFile& output : files->outputs)
    for (const runner::TensorSummary& tensor : ran->result.tensors) {
      if (tensor.name != output.name || !tensor.data) continue;
      auto contents = llvm::StringRef(ran->binary).substr(tensor.data->offset, tensor.data->size);
      if (!writeOutput(output, contents, written)) code = findings;
    }
  std::vector<Comparison> comparisons;
  for (const NamedContents& reference : files->references) {
    runner::CompareParams compare;
    compare.result = {"run", reference.name, std::nullopt};
    compare.reference = {std::nullopt, std::nullopt, runner::Slice{0, reference.data.size()}};
    compare.relative = options.relative;
    compare.absolute = options.absolute;
    auto compared = runner.compare(compare, reference.data);
    if (!compared) return fail(compared.error());
    if (!compared->isEqual) code = findings;
    comparisons.push_back(comparisonWith(reference, std::move(*compared),
                                         *execution.choice.snapshot, prepared->variant,
                                         prepared->host, worker));
  }
  if (isJson) {
    Json json = {{"launch", variant.id},
                 {"kernel", variant.kernel},
                 {"label", variant.label},
                 {"target", variant.target},
                 {"device", execution.device.name},
                 {"grid", *prepared->host.grid},
                 {"microseconds", ran->result.microseconds},
                 {"registers", load->registers},
                 {"localBytes", load->localBytes},
                 {"sharedBytes", prepared->sharedBytesOf(*load)},
                 {"occupancy", load->occupancy},
                 {"overwritten", ran->result.overwritten},
                 {"printed", ran->result.printed},
                 {"assumed", prepared->assumptions}};
    addRegisters(json, *load);
    json["guarded"] = ran->result.isGuarded;
    addResults(json, ran->result, comparisons);
    out << dump(json);
  } else {
    printText(out, execution, variant, *prepared, *load, ran->result, comparisons, written);
  }
  out.flush();
  return out.ok() ? code : findings;
}

} // namespace gluond::cli
