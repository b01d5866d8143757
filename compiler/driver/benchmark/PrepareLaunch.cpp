// prepareLaunch(): from a variant to code and a launch that a runner understands.
#include "chips/Chip.h"
#include "driver/analysis/Analysis.h"
#include "driver/benchmark/Benchmark.h"
#include "driver/benchmark/DeviceChoice.h"
#include "driver/benchmark/LaunchInputs.h"
#include "driver/stages/Compile.h"
#include "driver/stages/Stages.h"

#include <llvm/ADT/STLExtras.h>
#include <llvm/ADT/StringExtras.h>

#include <chrono>

namespace gluond::driver {

namespace {

using Error = tl::unexpected<std::string>;

} // namespace

tl::expected<PreparedLaunch, std::string>
prepareLaunch(const Snapshot& snapshot, const Variant& variant, const LaunchOptions& options,
              const runner::DeviceInfo& device, Worker& worker, CancellationToken token) {
  PreparedLaunch prepared;
  // Mistakes in the user's input are reported before anything slow is done.
  auto inputs = launchInputs(snapshot, variant, options);
  if (!inputs) return Error(inputs.error());
  prepared.variant = inputs->variant;
  prepared.host = inputs->host;
  prepared.assumptions = inputs->assumptions;
  const HostLaunch& host = prepared.host;

  auto start = std::chrono::steady_clock::now();
  auto target = chips::Target::parse(variant.target);
  llvm::StringRef stage = loadedStage(variant.target, device.target, snapshot.folders());
  if (stage.empty())
    return Error("this launch is for " + variant.target + ", which a GPU of " + device.target +
                 " does not run");
  auto made = Analyzer(snapshot, worker, token).compile(prepared.variant, "ttgir");
  if (!made) return Error("cancelled");
  if (!made->module) return Error(whyNotCompiled(snapshot, made->result));
  auto work = workOf(*made->module, host);
  if (!work) return Error(work.error());
  prepared.work = std::move(*work);
  auto compiled = driver::compile(*made->module, variant.target, stage,
                                  {false, cacheOf(*snapshot.settingsOf(variant.file().path())),
                                   token, snapshot.folders(), made->code});
  if (!compiled) return Error(compiled.error().message);
  prepared.compileMs =
      std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - start).count();
  prepared.kernel = compiled->facts.name;
  prepared.code = std::move(compiled->text);
  const lowering::KernelFacts& facts = compiled->facts;
  // As with Triton it compiles, but it cannot be loaded.
  if (const chips::Chip* chip = chips::findChip(variant.target);
      chip && chip->limits && facts.sharedBytes > chip->limits->sharedPerProgram)
    return Error("the kernel needs " + std::to_string(facts.sharedBytes) +
                 " bytes of shared memory, but " + chip->name.str() + " has " +
                 std::to_string(chip->limits->sharedPerProgram) + " per CTA");

  prepared.warps = facts.warps;
  prepared.load = {device.index,
                   prepared.kernel,
                   {0, prepared.code.size()},
                   target->warpSize * facts.warps,
                   static_cast<unsigned>(facts.sharedBytes),
                   facts.ctas};
  runner::Launch& launch = prepared.launch;
  launch.grid.clear();
  for (int64_t extent : *host.grid) {
    if (extent > INT32_MAX)
      return Error("a grid has at most 2147483647 programs along a dimension");
    launch.grid.push_back(static_cast<unsigned>(extent));
  }
  launch.threads = prepared.load.threads;
  launch.sharedBytes = prepared.load.sharedBytes;
  launch.cluster = facts.ctas;
  launch.isCooperative = host.isCooperative;
  launch.isProgrammatic = host.isProgrammatic;
  launch.scratchBytes = static_cast<uint64_t>(facts.globalScratchBytes);
  launch.scratchAlignment = static_cast<uint64_t>(facts.globalScratchAlignment);
  launch.arguments = launchArguments(*inputs, prepared.work, prepared.binary);
  return prepared;
}

} // namespace gluond::driver
