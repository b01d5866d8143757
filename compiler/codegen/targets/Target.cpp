#include "codegen/targets/Target.h"

#include <llvm/ADT/StringExtras.h>

namespace gluond::codegen {

std::string Target::name() const {
  return isCuda() ? "cuda:" + std::to_string(capability) : "hip:" + arch;
}

std::optional<Target> Target::parse(llvm::StringRef name) {
  auto [backend, arch] = name.split(':');
  Target target;
  if (backend == "cuda") {
    if (arch.getAsInteger(10, target.capability) || target.capability < 50 ||
        target.capability > 999)
      return std::nullopt;
    target.arch = "sm" + std::to_string(target.capability);
    return target;
  }
  if (backend != "hip" || !arch.starts_with("gfx") || arch.size() < 6) return std::nullopt;
  target.backend = Backend::Hip;
  target.capability = 0;
  target.arch = arch.str();
  // gfx942: generation 9, the last two digits are minor and patch. CDNA runs 64 lanes together,
  // RDNA and gfx1250 32.
  arch.consume_back("-strict");
  unsigned generation = 0;
  if (arch.drop_front(3).drop_back(2).getAsInteger(10, generation)) return std::nullopt;
  target.warpSize = generation >= 10 ? 32 : 64;
  return target;
}

bool Options::instruments(llvm::StringRef sanitizer) const {
  llvm::SmallVector<llvm::StringRef, 2> names;
  llvm::StringRef(instrumentationMode).split(names, ',');
  return llvm::any_of(names, [&](llvm::StringRef name) { return name.trim() == sanitizer; });
}

Options defaultOptions(const Target& target) {
  Options options;
  if (target.isCuda()) {
    options.supportedFp8Dtypes = {"fp8e4b15", "fp8e5"};
    if (target.capability >= 89) options.supportedFp8Dtypes.push_back("fp8e4nv");
    if (target.capability >= 90) options.deprecatedFp8DotOperandDtypes = {"fp8e4b15"};
    options.defaultDotInputPrecision = "tf32";
    options.allowedDotInputPrecisions = {"tf32", "tf32x3", "ieee", "bf16x3", "bf16x6"};
    options.maxNumImpreciseAccDefault = target.capability == 90 ? 1u << 30 : 0;
    return options;
  }
  options.numStages = 2;
  options.supportedFp8Dtypes = {"fp8e4b8", "fp8e4nv", "fp8e5", "fp8e5b16"};
  if (target.arch == "gfx950") options.deprecatedFp8DotOperandDtypes = {"fp8e4b8", "fp8e5b16"};
  options.defaultDotInputPrecision = "ieee";
  options.allowedDotInputPrecisions = {"ieee", "bf16x3", "bf16x6"};
  if (target.arch == "gfx942")
    options.allowedDotInputPrecisions = {"bf16x3", "bf16x6", "ieee", "tf32"};
  return options;
}

} // namespace gluond::codegen
