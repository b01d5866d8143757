#include "cli/kernels/Execution.h"

#include "cli/output/Output.h"

#include <llvm/ADT/STLExtras.h>
#include <llvm/Support/Format.h>
#include <llvm/Support/raw_ostream.h>

namespace gluond::cli {

std::vector<remote::Runner*> Execution::pointers() const {
  std::vector<remote::Runner*> all;
  for (const auto& each : runners)
    all.push_back(each.get());
  return all;
}

std::string describe(const runner::Problem& problem) {
  std::string text = problem.message;
  llvm::StringRef log = llvm::StringRef(problem.log).rtrim();
  for (; !log.empty(); log = log.split('\n').second)
    text += "\n    " + log.split('\n').first.rtrim().str();
  return text;
}

std::string timeText(double microseconds) {
  std::string text;
  llvm::raw_string_ostream out(text);
  if (microseconds < 1e3)
    out << llvm::format("%.2f us", microseconds);
  else if (microseconds < 1e6)
    out << llvm::format("%.3f ms", microseconds / 1e3);
  else
    out << llvm::format("%.3f s", microseconds / 1e6);
  return text;
}

int tell(const Refusal& refusal) {
  if (!refusal.why.empty()) complain("cannot run kernels: " + refusal.why);
  if (!refusal.advice.empty()) complain(refusal.advice);
  return refusal.code;
}

tl::expected<Execution, Refusal> beginExecution(const ExecutionOptions& options) {
  Execution execution;
  KernelQuery query{options.input,  options.kernel,   options.launch,  options.all,
                    options.target, options.launches, options.settings};
  // Mistakes in the query are reported whether there is a GPU or not.
  auto choice = chooseKernel(query);
  if (!choice) return tl::unexpected(Refusal{wrongUse, false, {}, {}});

  driver::Settings settings = *choice->snapshot->settingsOf(choice->path);
  if (!options.runners.empty()) settings.runnerCommands = options.runners;
  for (const std::string& command : driver::runnerCommands(settings))
    execution.runners.push_back(std::make_unique<remote::Runner>(remote::RunnerOptions{command}));
  auto greeting = execution.runners.front()->connect();
  if (!greeting)
    return tl::unexpected(
        Refusal{findings, true, describe(greeting.error()),
                "`gluond emit " + options.input + " --kernel " + choice->variants.front().kernel +
                    " --stage ptx` shows the compiled kernel; see docs/runner.md for GPUs on other "
                    "machines"});
  execution.greeting = *greeting;
  if (greeting->devices.empty())
    return tl::unexpected(Refusal{findings, true, "the CUDA driver finds no GPU", {}});
  if (options.device >= greeting->devices.size()) {
    complain("there is no GPU " + std::to_string(options.device) + "; there are " +
             std::to_string(greeting->devices.size()) + ", numbered from 0");
    return tl::unexpected(Refusal{wrongUse, false, {}, {}});
  }
  execution.device = greeting->devices[options.device];
  uint64_t seconds = options.limitSeconds ? options.limitSeconds : settings.runnerLimit;
  execution.launch = {options.arguments, options.grid, options.device, 1000 * seconds};
  // Launches that name no target are the GPU's own; others run where the driver can compile for it.
  if (options.target.empty()) {
    query.target = driver::targetOf(execution.device);
    if (auto again = chooseKernel(query)) choice = std::move(again);
    auto isOwn = [&](const driver::Variant& variant) { return variant.target == query.target; };
    if (llvm::any_of(choice->variants, isOwn))
      llvm::erase_if(choice->variants,
                     [&](const driver::Variant& variant) { return !isOwn(variant); });
  }
  execution.choice = std::move(*choice);
  return execution;
}

} // namespace gluond::cli
