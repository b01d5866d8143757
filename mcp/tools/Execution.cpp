#include "mcp/tools/Execution.h"

#include "driver/inspect/ElementOwner.h"
#include "files/OpenBeneath.h"
#include "files/ReadFile.h"

#include <llvm/Support/Path.h>

#include <cmath>

namespace gluond::mcp {

namespace {

std::string inFolder(llvm::StringRef name, const Context& context) {
  return files::normalized(
      llvm::sys::path::is_absolute(name) ? name.str() : context.folder.path() + "/" + name.str());
}

} // namespace

driver::LaunchOptions launchOptions(const LaunchParams& params, uint64_t seconds,
                                    const Context& context) {
  driver::LaunchOptions options;
  for (const std::string& text : params.arguments.value_or(std::vector<std::string>())) {
    auto [name, value] = llvm::StringRef(text).split('=');
    options.arguments.push_back(
        value.ends_with(".npy") ? name.str() + "=" + inFolder(value, context) : text);
  }
  options.grid = params.grid.value_or("");
  options.limitMs = 1000 * std::clamp<uint64_t>(params.seconds.value_or(seconds), 1, 3600);
  return options;
}

Answer<std::string> readTensorFile(const std::string& name, const Context& context) {
  if (!llvm::StringRef(name).ends_with(".npy")) return fail("'" + name + "' is not a .npy file");
  std::string path = inFolder(name, context);
  if (!files::isInside(path, context.folder.path()))
    return fail("'" + name + "' is not in the folder " + context.folder.path());
  return files::readFileBeneath({context.folder.path()}, path, size_t{2} << 30);
}

ResourceInfo resourcesOf(const runner::LoadResult& loaded, uint64_t sharedBytes) {
  return {loaded.registers, loaded.localBytes, sharedBytes, loaded.occupancy};
}

Json encodeNumber(double value) {
  if (std::isnan(value)) return "nan";
  if (std::isinf(value)) return value > 0 ? "inf" : "-inf";
  return value;
}

std::vector<TensorInfo> encodeTensors(const runner::RunResult& result) {
  std::vector<TensorInfo> all;
  for (const runner::TensorSummary& tensor : result.tensors) {
    TensorInfo& info = all.emplace_back();
    info.name = tensor.name;
    info.dtype = tensor.dtype;
    info.shape = tensor.shape;
    info.changed = tensor.isChanged;
    info.least = encodeNumber(tensor.least);
    info.most = encodeNumber(tensor.most);
    info.mean = encodeNumber(tensor.mean);
    info.nans = tensor.nans;
    info.infinities = tensor.infinities;
    info.zeros = tensor.zeros;
    info.first = tensor.first;
  }
  return all;
}

ComparisonInfo encodeComparison(const std::string& name, const runner::CompareResult& result) {
  ComparisonInfo info;
  info.name = name;
  info.equal = result.isEqual;
  info.elements = result.elements;
  info.differing = result.differing;
  info.notFinite = result.notFinite;
  info.mostAbsolute = encodeNumber(result.mostAbsolute);
  info.mostRelative = encodeNumber(result.mostRelative);
  info.absolute = encodeNumber(result.absolute);
  info.relative = encodeNumber(result.relative);
  if (result.first) {
    info.firstAt = result.first->index;
    info.firstResult = result.first->result;
    info.firstReference = result.first->reference;
  }
  return info;
}

ComparisonInfo encodeComparison(const std::string& name, const runner::CompareResult& result,
                                const driver::Variant& variant, const driver::HostLaunch& host,
                                const Context& context) {
  ComparisonInfo info = encodeComparison(name, result);
  if (result.first)
    if (auto owner = driver::ownerOf(*context.snapshot, variant, host, name, result.first->index,
                                     context.worker, context.token))
      info.firstOwner = driver::describe(*owner);
  return info;
}

std::string describe(const runner::Problem& problem) {
  std::string text = std::string(runner::kindName(problem.kind)) + ": " + problem.message;
  if (problem.kind == runner::ProblemKind::NoDevice ||
      problem.kind == runner::ProblemKind::NoDriver)
    text += "; without a GPU, simulate checks results, and accesses and budget show costs";
  if (!problem.log.empty()) text += "\n" + bounded(problem.log);
  return text;
}

} // namespace gluond::mcp
