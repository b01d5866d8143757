#include "cli/input/Inputs.h"
#include "cli/kernels/EmitRecords.h"
#include "cli/kernels/Execution.h"
#include "cli/output/Output.h"
#include "cli/output/Render.h"
#include "driver/analysis/Worker.h"
#include "driver/inspect/ElementOwner.h"
#include "files/ReadFile.h"

#include <llvm/ADT/STLExtras.h>
#include <llvm/ADT/StringExtras.h>
#include <llvm/Support/Format.h>
#include <nlohmann/json.hpp>

namespace gluond::cli {

namespace {

using Json = nlohmann::ordered_json;

// "NAME=FILE"; false: it is something else.
bool splitName(const std::string& text, std::string& name, std::string& file) {
  auto [before, behind] = llvm::StringRef(text).split('=');
  name = before.str();
  file = behind.str();
  return !name.empty() && !file.empty();
}

std::string shapeText(const std::vector<int64_t>& shape) {
  std::string text = "[";
  for (int64_t extent : shape)
    text += (text.size() > 1 ? ", " : "") + std::to_string(extent);
  return text + "]";
}

struct Comparison {
  std::string name, file;
  runner::CompareResult result;
  std::string owner; // of the first difference; empty: not known
};

std::string indexText(const std::vector<int64_t>& index) {
  return shapeText(index);
}

void printText(Output& out, const Execution& execution, const driver::Variant& variant,
               const driver::PreparedLaunch& prepared, const runner::LoadResult& load,
               const runner::RunResult& result, const std::vector<Comparison>& comparisons,
               const std::vector<std::pair<std::string, std::string>>& written) {
  std::string text;
  llvm::raw_string_ostream stream(text);
  stream << variant.id << " on " << execution.device.name << ": " << timeText(result.microseconds)
         << " (once, cold; gluond bench measures)\n";
  stream << "  " << variant.label << "\n  grid "
         << shapeText({prepared.host.grid->begin(), prepared.host.grid->end()}) << ", "
         << prepared.warps << " warps, " << load.registers << " registers, "
         << prepared.load.sharedBytes + load.staticSharedBytes << " bytes of shared memory\n";
  for (const runner::TensorSummary& tensor : result.tensors) {
    stream << "  " << tensor.name << "  " << tensor.dtype << shapeText(tensor.shape) << "  "
           << (tensor.isChanged ? "written" : "unchanged")
           << llvm::format(": %.6g to %.6g, mean %.6g", tensor.least, tensor.most, tensor.mean);
    if (tensor.nans) stream << ", " << tensor.nans << " NaN";
    if (tensor.infinities) stream << ", " << tensor.infinities << " infinite";
    stream << "\n";
  }
  for (const std::string& name : result.overwritten)
    stream << "  out of bounds: the kernel writes beside " << name << "\n";
  for (const auto& [name, file] : written)
    stream << "  " << name << " is in " << file << "\n";
  for (const Comparison& comparison : comparisons) {
    const runner::CompareResult& compared = comparison.result;
    stream << "  " << comparison.name << (compared.isEqual ? " equals " : " DIFFERS FROM ")
           << comparison.file << ": " << compared.differing << " of " << compared.elements
           << " elements"
           << llvm::format(", at most %.3g absolute, %.3g relative (tolerances %.3g and %.3g)",
                           compared.mostAbsolute, compared.mostRelative, compared.absolute,
                           compared.relative)
           << "\n";
    if (compared.first)
      stream << "    first at " << indexText(compared.first->index) << ": "
             << compared.first->result.dump() << ", expected " << compared.first->reference.dump()
             << "\n";
    if (!comparison.owner.empty()) stream << "    written by " << comparison.owner << "\n";
  }
  for (const std::string& assumption : prepared.assumptions)
    stream << "  " << assumption << " (change it with --arg and --grid)\n";
  if (!result.printed.empty()) stream << "  printed:\n";
  for (llvm::StringRef rest = llvm::StringRef(result.printed).rtrim(); !rest.empty();
       rest = rest.split('\n').second)
    stream << "    " << rest.split('\n').first << "\n";
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

int runKernel(const RunOptions& options) {
  std::vector<std::pair<std::string, std::string>> outputs;
  struct Reference {
    std::string name, file, data;
  };
  std::vector<Reference> references;
  for (const std::string& text : options.outputs) {
    auto& [name, file] = outputs.emplace_back();
    if (!splitName(text, name, file)) {
      complain("--out takes NAME=FILE.npy, not '" + text + "'");
      return wrongUse;
    }
  }
  for (const std::string& text : options.references) {
    Reference& reference = references.emplace_back();
    if (!splitName(text, reference.name, reference.file)) {
      complain("--reference takes NAME=FILE.npy, not '" + text + "'");
      return wrongUse;
    }
    auto data = files::readFile(absolutePath(reference.file), size_t{8} << 30);
    if (!data) {
      complain(data.error());
      return wrongUse;
    }
    reference.data = std::move(*data);
  }
  auto begun = beginExecution(options.execution);
  if (!begun) return begun.error();
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
      complain(variant.id + ": " + describe(problem));
    return findings;
  };

  driver::Worker worker;
  auto prepared = driver::prepareLaunch(*execution.choice.snapshot, variant, execution.launch,
                                        execution.device.capability, worker);
  if (!prepared)
    return fail({runner::ProblemKind::Code, prepared.error(), variant.kernel, {}, {}, false});
  auto load = runner.load(prepared->load, prepared->code);
  if (!load) return fail(load.error());
  runner::RunParams params;
  params.launch = prepared->launch;
  params.launch.module = load->module;
  params.limitMs = execution.launch.limitMs;
  for (const auto& [name, file] : outputs)
    params.outputs.push_back(name);
  params.keep = "run";
  auto ran = runner.run(params, prepared->binary);
  if (!ran) return fail(ran.error());
  int code = ran->result.overwritten.empty() ? fine : findings;
  for (const auto& [name, file] : outputs)
    for (const runner::TensorSummary& tensor : ran->result.tensors)
      if (tensor.name == name && tensor.data)
        if (std::string why = writeFile(
                file, llvm::StringRef(ran->binary).substr(tensor.data->offset, tensor.data->size));
            !why.empty()) {
          complain(why);
          code = findings;
        }
  std::vector<Comparison> comparisons;
  for (const Reference& reference : references) {
    runner::CompareParams compare;
    compare.result = {"run", reference.name, std::nullopt};
    compare.reference = {std::nullopt, std::nullopt, runner::Slice{0, reference.data.size()}};
    compare.relative = options.relative;
    compare.absolute = options.absolute;
    auto compared = runner.compare(compare, reference.data);
    if (!compared) return fail(compared.error());
    if (!compared->isEqual) code = findings;
    std::string owner;
    if (compared->first)
      if (auto found = driver::ownerOf(*execution.choice.snapshot, variant, prepared->host,
                                       reference.name, compared->first->index, worker))
        owner = driver::describe(*found);
    comparisons.push_back({reference.name, reference.file, std::move(*compared), std::move(owner)});
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
                 {"sharedBytes", prepared->load.sharedBytes + load->staticSharedBytes},
                 {"occupancy", load->occupancy},
                 {"tensors", Json::array()},
                 {"overwritten", ran->result.overwritten},
                 {"printed", ran->result.printed},
                 {"assumed", prepared->assumptions},
                 {"comparisons", Json::array()}};
    for (runner::TensorSummary tensor : ran->result.tensors) {
      tensor.data.reset();
      json["tensors"].push_back(json::encode(tensor));
    }
    for (const Comparison& comparison : comparisons) {
      Json one = json::encode(comparison.result);
      one["name"] = comparison.name;
      one["file"] = comparison.file;
      if (!comparison.owner.empty()) one["first"]["owner"] = comparison.owner;
      json["comparisons"].push_back(std::move(one));
    }
    out << dump(json);
  } else {
    printText(out, execution, variant, *prepared, *load, ran->result, comparisons, outputs);
  }
  out.flush();
  return out.ok() ? code : findings;
}

} // namespace gluond::cli
