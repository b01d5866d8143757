// The debug adapter, for an editor.
#include "cli/input/Commands.h"
#include "cli/input/Inputs.h"
#include "cli/input/ServerOptions.h"
#include "cli/kernels/KernelChoice.h"
#include "cli/output/Output.h"
#include "codegen/targets/TargetNames.h"
#include "dap/Session.h"
#include "driver/analysis/Worker.h"
#include "driver/settings/Configuration.h"
#include "lsp/transport/FramedTransport.h"

#include <llvm/ADT/SmallString.h>
#include <llvm/Support/Path.h>

#include <chrono>
#include <thread>

namespace gluond::cli {

namespace {

struct Kept {
  KernelChoice choice;
  driver::Worker worker;
};

std::string within(const std::string& folder, const std::string& path) {
  if (folder.empty() || path.empty() || llvm::sys::path::is_absolute(path)) return path;
  llvm::SmallString<256> whole(folder);
  llvm::sys::path::append(whole, path);
  return whole.str().str();
}

tl::expected<dap::Debuggee, std::string>
prepare(const DapOptions& options, const dap::LaunchRequest& wanted, CancellationToken token) {
  if (auto why = wanted.target.empty() ? std::nullopt : codegen::whyNoTarget(wanted.target))
    return tl::unexpected("target: " + *why);
  for (const std::string& setting : wanted.settings)
    if (auto read = driver::readSetting(setting); !read)
      return tl::unexpected("settings: " + read.error());
  KernelQuery query;
  query.kernelOption = "'kernel'";
  query.input = within(wanted.folder, wanted.program);
  query.kernel = wanted.kernel;
  query.launch = wanted.launch;
  query.target = wanted.target;
  for (const std::string& records : wanted.records)
    query.launches.push_back(within(wanted.folder, records));
  query.settings = options.settings;
  query.settings.insert(query.settings.end(), wanted.settings.begin(), wanted.settings.end());
  auto choice = findKernel(query);
  if (!choice) return tl::unexpected(choice.error());
  auto kept = std::make_shared<Kept>();
  kept->choice = std::move(*choice);
  const driver::Variant& variant = kept->choice.variants.front();
  driver::LaunchOptions launch{wanted.arguments, wanted.grid, 0, 0};
  auto simulation = driver::prepareSimulation(*kept->choice.snapshot, variant, launch,
                                              driver::Purpose::Debug, kept->worker, token);
  if (!simulation) return tl::unexpected(nameOf(variant) + ": " + simulation.error());
  dap::Debuggee target;
  target.simulation = std::move(*simulation);
  target.kernel = variant.kernel;
  target.label = variant.label;
  target.file = kept->choice.path;
  target.kept = std::move(kept);
  return target;
}

} // namespace

int dap(const DapOptions& options) {
  lsp::FdStream stream(0, takeOutput());
  lsp::FramedTransport transport(stream);
  auto make = [&](const dap::LaunchRequest& wanted, CancellationToken token) {
    return prepare(options, wanted, token);
  };
  // Nobody waits for tensors that are still being filled.
  auto leaveSoon = [] {
    std::thread([] {
      std::this_thread::sleep_for(std::chrono::seconds(3));
      leave(findings);
    }).detach();
  };
  return dap::serve(transport, make, leaveSoon);
}

} // namespace gluond::cli
