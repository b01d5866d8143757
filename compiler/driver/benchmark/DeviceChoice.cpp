#include "driver/benchmark/DeviceChoice.h"

#include "chips/Chip.h"
#include "chips/Target.h"
#include "chips/Vendor.h"

namespace gluond::driver {

llvm::StringRef loadedStage(llvm::StringRef targetName, llvm::StringRef device,
                            WorkspaceFolders workspace) {
  auto target = chips::Target::parse(targetName);
  if (!target) return {};
  const Toolchain& toolchain = toolchainOf(*target);
  return toolchain.loaded ? toolchain.loaded(*target, device, workspace) : llvm::StringRef();
}

tl::expected<unsigned, runner::Problem> chooseDevice(const runner::InitializeResult& greeting,
                                                     std::optional<unsigned> asked,
                                                     llvm::StringRef target,
                                                     WorkspaceFolders workspace) {
  auto none = [](std::string message) {
    return tl::unexpected(
        runner::Problem{runner::ProblemKind::NoDevice, std::move(message), {}, {}, {}, false});
  };
  const std::vector<runner::DeviceInfo>& devices = greeting.devices;
  if (devices.empty()) return none(runner::whyNoDevice(greeting.drivers));
  if (asked && *asked >= devices.size())
    return none("there is no GPU " + std::to_string(*asked) + "; there are " +
                std::to_string(devices.size()) + ", numbered from 0");
  auto runs = [&](const runner::DeviceInfo& device) {
    return !loadedStage(target, device.target, workspace).empty();
  };
  if (asked && runs(devices[*asked])) return *asked;
  std::optional<unsigned> found;
  std::string names;
  for (unsigned i = 0; i < devices.size() && !asked; ++i) {
    if (devices[i].target == target) return i;
    if (!found && runs(devices[i])) found = i;
  }
  if (found) return *found;
  const runner::DeviceInfo& device = devices[asked.value_or(0)];
  for (const runner::DeviceInfo& each : devices)
    if (!asked || &each == &device)
      names += (names.empty() ? "" : ", ") + each.name + " (" + each.target + ")";
  const chips::Chip* chip = chips::findChip(device.target);
  bool isUnknown = chips::isAmd(device.target) &&
                   (!chip || chip->target != device.target || chip->processor.empty());
  std::string advice = isUnknown
                           ? ", for which gluond cannot compile: "
                           : ": --target " + device.target + " compiles the kernel for it, and ";
  return none("this launch is for " + target.str() + ", but the GPU is " + names + advice +
              "--runner or --device names another GPU");
}

} // namespace gluond::driver
