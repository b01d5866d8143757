#include "cli/kernels/Execution.h"

#include "chips/Target.h"
#include "chips/Vendor.h"
#include "cli/kernels/KernelChoice.h"
#include "cli/output/Output.h"
#include "driver/benchmark/DeviceChoice.h"
#include "driver/benchmark/LaunchInputs.h"

#include <llvm/ADT/STLExtras.h>
#include <llvm/ADT/StringExtras.h>
#include <llvm/Support/FileSystem.h>
#include <llvm/Support/Format.h>
#include <llvm/Support/raw_ostream.h>
#include <nlohmann/json.hpp>

namespace gluond::cli {

std::vector<remote::Runner*> Execution::pointers() const {
  std::vector<remote::Runner*> all;
  for (const auto& each : runners)
    all.push_back(each.get());
  return all;
}

// An AMD launch misses no CUDA. The other way round nothing is left out: a kernel that names no
// target may be meant for AMD.
static std::vector<runner::DriverInfo> missedBy(const driver::Variant& variant,
                                                std::vector<runner::DriverInfo> drivers) {
  if (chips::isAmd(variant.target) &&
      llvm::all_of(drivers, [](const runner::DriverInfo& each) { return each.isMissing; }))
    llvm::erase_if(drivers, [](const runner::DriverInfo& each) { return each.vendor != "AMD"; });
  return drivers;
}

std::string describe(const runner::Problem& problem) {
  std::string text = problem.message;
  llvm::StringRef log = llvm::StringRef(problem.log).rtrim();
  for (; !log.empty(); log = log.split('\n').second)
    text += "\n    " + log.split('\n').first.rtrim().str();
  return text;
}

std::string registersText(const runner::LoadResult& load) {
  std::string text = std::to_string(load.registers) + " registers";
  if (load.accumulatorRegisters && *load.accumulatorRegisters)
    text += ", " + std::to_string(*load.accumulatorRegisters) + " AGPRs";
  if (load.scalarRegisters) text += ", " + std::to_string(*load.scalarRegisters) + " SGPRs";
  if (load.spilledRegisters && *load.spilledRegisters)
    text += ", " + std::to_string(*load.spilledRegisters) + " spilled";
  return text;
}

void addRegisters(nlohmann::ordered_json& json, const runner::LoadResult& load) {
  if (load.accumulatorRegisters) json["accumulatorRegisters"] = *load.accumulatorRegisters;
  if (load.scalarRegisters) json["scalarRegisters"] = *load.scalarRegisters;
  if (load.spilledRegisters) json["spilledRegisters"] = *load.spilledRegisters;
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

int tell(const Refusal& refusal, bool isJson) {
  if (refusal.why.empty()) return refusal.code;
  std::string why = "cannot run kernels: " + refusal.why;
  if (isJson) {
    nlohmann::ordered_json problem = {{"kind", runner::kindName(refusal.kind)}, {"message", why}};
    if (!refusal.advice.empty()) problem["advice"] = refusal.advice;
    Output out(Content::Data);
    out << jsonText({{"problem", problem}}, 2) << "\n";
    return refusal.code;
  }
  complain(why);
  if (!refusal.advice.empty()) complain(refusal.advice);
  return refusal.code;
}

// Returns the last stage of a target whose text gluond makes without the vendor's tools.
static std::string lastText(llvm::StringRef targetName) {
  std::string last = "source";
  if (auto target = chips::Target::parse(targetName))
    for (const driver::Stage& stage : driver::stagesOf(*target))
      if (stage.isText() && stage.tools.empty()) last = stage.id.str();
  return last;
}

// Returns why a launch cannot have the user's arguments, as a sentence.
static std::string whyUnfit(const ExecutionOptions& options, const driver::Variant& variant,
                            const Interner& names) {
  auto launch = driver::givenLaunch(variant, names, {options.arguments, options.grid, {}, 0});
  if (!launch) return launch.error();
  for (const driver::HostArgument& argument : launch->arguments)
    if (argument.tensor && argument.tensor->contents == "file" && argument.tensor->folder.empty())
      if (std::error_code error =
              llvm::sys::fs::access(argument.tensor->path, llvm::sys::fs::AccessMode::Exist))
        return "cannot read '" + argument.tensor->path + "': " + error.message();
  std::vector<std::string> tensors;
  for (const driver::HostArgument& argument : launch->arguments)
    if (argument.isPointer() || argument.isDescriptor()) tensors.push_back(argument.name);
  for (const std::string& name : options.tensors)
    if (!llvm::is_contained(tensors, name))
      return "the launch has no tensor '" + name + "'" +
             (tensors.empty() ? "" : "; choose one of " + llvm::join(tensors, ", "));
  return {};
}

std::string whyWrong(const KernelChoice& choice, const ExecutionOptions& options) {
  std::string first;
  for (const driver::Variant& variant : choice.variants) {
    std::string why = whyUnfit(options, variant, choice.snapshot->names());
    if (why.empty()) return {};
    if (first.empty()) first = nameOf(variant) + ": " + why;
  }
  return first;
}

tl::expected<Execution, Refusal>
beginExecution(const ExecutionOptions& options, unsigned each, uint64_t startSeconds,
               const std::function<std::string(const KernelChoice&)>& whyNot) {
  Execution execution;
  KernelQuery query{options.input,  options.kernel,   options.launch,  options.all,
                    options.target, options.launches, options.settings};
  // Mistakes in the query are reported whether there is a GPU or not.
  auto choice = chooseKernel(query);
  if (!choice) return tl::unexpected(Refusal{wrongUse, false, {}, {}});
  std::string why = whyWrong(*choice, options);
  if (why.empty() && whyNot) why = whyNot(*choice);
  if (!why.empty()) {
    complain(why);
    return tl::unexpected(Refusal{wrongUse, false, {}, {}});
  }

  driver::Settings settings = *choice->snapshot->settingsOf(choice->path);
  if (!options.runners.empty()) settings.runnerCommands = options.runners;
  for (const std::string& command : driver::runnerCommands(settings))
    for (unsigned i = 0; i < each; ++i)
      execution.runners.push_back(
          std::make_unique<remote::Runner>(remote::RunnerOptions{command, 1000 * startSeconds}));
  auto greeting = execution.runners.front()->connect();
  auto fits = [&](const runner::InitializeResult& found, const driver::Variant& variant) {
    return driver::chooseDevice(found, options.device, variant.target, choice->snapshot->folders());
  };
  // The first runner that starts and has a GPU for the target comes first: one of the other vendor
  // may come before.
  auto isUsable = [&](const remote::Expected<runner::InitializeResult>& found) {
    return found && !found->devices.empty() &&
           (options.target.empty() || fits(*found, choice->variants.front()));
  };
  for (size_t i = 1; i < execution.runners.size() && !isUsable(greeting); ++i) {
    if (execution.runners[i]->command() == execution.runners[i - 1]->command()) continue;
    if (auto next = execution.runners[i]->connect(); isUsable(next)) {
      std::swap(execution.runners.front(), execution.runners[i]);
      greeting = std::move(next);
    }
  }
  if (!greeting || greeting->devices.empty()) {
    const driver::Variant& variant = choice->variants.front();
    return tl::unexpected(Refusal{
        findings, true,
        greeting ? runner::whyNoDevice(missedBy(variant, greeting->drivers))
                 : describe(greeting.error()),
        "`gluond emit " + options.input + " --kernel " + variant.kernel + " --stage " +
            lastText(variant.target) +
            "` shows the compiled kernel; for a GPU on another machine, give the command that "
            "starts gluond-runner there: --runner, or the setting runner.command",
        greeting ? runner::ProblemKind::NoDevice : greeting.error().kind});
  }
  execution.greeting = *greeting;
  if (options.device && *options.device >= greeting->devices.size()) {
    complain("there is no GPU " + std::to_string(*options.device) + "; there are " +
             std::to_string(greeting->devices.size()) + ", numbered from 0");
    return tl::unexpected(Refusal{wrongUse, false, {}, {}});
  }
  auto chosen = fits(*greeting, choice->variants.front());
  execution.device = greeting->devices[chosen ? *chosen : options.device.value_or(0)];
  uint64_t seconds = options.limitSeconds ? options.limitSeconds : settings.runnerLimit;
  execution.launch = {options.arguments, options.grid, options.device, 1000 * seconds};
  // Launches that name no target are the GPU's own; others run where the driver can compile for it.
  if (options.target.empty()) {
    query.target = execution.device.target;
    if (auto again = chooseKernel(query)) choice = std::move(again);
    auto isOwn = [&](const driver::Variant& variant) { return variant.target == query.target; };
    if (llvm::any_of(choice->variants, isOwn))
      llvm::erase_if(choice->variants,
                     [&](const driver::Variant& variant) { return !isOwn(variant); });
  }
  if (auto device = fits(*greeting, choice->variants.front()); !device)
    return tl::unexpected(Refusal{findings, true, device.error().message, {}, device.error().kind});
  execution.choice = std::move(*choice);
  return execution;
}

} // namespace gluond::cli
