#include "chips/Target.h"

#include "chips/Vendor.h"

#include <llvm/ADT/STLExtras.h>
#include <llvm/ADT/StringExtras.h>

namespace gluond::chips {

std::string Target::name() const {
  return isCuda() ? "cuda:" + std::to_string(capability) : "hip:" + arch;
}

std::optional<Target> Target::parse(llvm::StringRef name) {
  auto [backend, arch] = name.split(':');
  Target target;
  target.features = featuresOf(name);
  if (backend == "cuda") {
    if (arch.starts_with("0") || arch.getAsInteger(10, target.capability) ||
        target.capability < 50 || target.capability > 999)
      return std::nullopt;
    target.arch = "sm" + std::to_string(target.capability);
    return target;
  }
  if (backend != "hip" || !arch.starts_with("gfx") || arch.size() < 6) return std::nullopt;
  target.vendor = Vendor::Amd;
  target.capability = 0;
  target.arch = arch.str();
  // gfx942: generation 9; the last two digits are minor and patch.
  arch.consume_back("-strict");
  unsigned generation = 0;
  if (!llvm::all_of(arch.take_back(2), llvm::isHexDigit) ||
      arch.drop_front(3).drop_back(2).getAsInteger(10, generation) || generation == 0)
    return std::nullopt;
  const Chip* chip = findChip(name);
  target.warpSize = chip ? chip->warpSize : generation >= firstGenerationOfNarrowWarps ? 32 : 64;
  return target;
}

} // namespace gluond::chips
