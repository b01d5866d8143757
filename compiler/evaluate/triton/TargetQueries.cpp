#include "evaluate/triton/TargetQueries.h"

#include "chips/Chip.h"
#include "chips/Vendor.h"
#include "evaluate/interpreter/Interpreter.h"

#include <llvm/ADT/STLExtras.h>

namespace gluond::evaluate {

namespace {

struct AskedGpu {
  int capability;       // 0 for AMD
  llvm::StringRef arch; // "" for NVIDIA
};
template <auto holds> Value asksGpu(Interpreter& in, const CallArguments&) {
  if (in.target().empty()) return Value::unknown();
  bool isHip = chips::isAmd(in.target());
  AskedGpu gpu{isHip ? 0 : static_cast<int>(chips::capabilityOf(in.target())),
               isHip ? in.target().split(':').second : llvm::StringRef()};
  return Value::boolean(holds(gpu));
}
template <int... majors>
constexpr auto hasMajor =
    [](const AskedGpu& gpu) { return ((gpu.capability / 10 == majors) || ...); };
template <int least>
constexpr auto isAtLeast = [](const AskedGpu& gpu) { return gpu.capability >= least; };
template <int capability>
constexpr auto isCapability = [](const AskedGpu& gpu) { return gpu.capability == capability; };
constexpr NativeRow rows[] = {
    {"is_cuda", asksGpu<isAtLeast<1>>},
    {"is_ampere_or_newer", asksGpu<isAtLeast<80>>},
    {"is_hopper", asksGpu<hasMajor<9>>},
    {"is_hopper_or_newer", asksGpu<isAtLeast<90>>},
    {"is_blackwell", asksGpu<hasMajor<10, 11>>},
    {"is_blackwell_ultra", asksGpu<isCapability<103>>},
    {"is_rubin", asksGpu<isCapability<107>>},
    {"is_sm12x", asksGpu<hasMajor<12>>},
    {"is_hip", asksGpu<[](const AskedGpu& gpu) { return !gpu.arch.empty(); }>},
    {"is_hip_cdna2", asksGpu<[](const AskedGpu& gpu) { return gpu.arch == "gfx90a"; }>},
    {"is_hip_cdna3", asksGpu<[](const AskedGpu& gpu) { return gpu.arch == "gfx942"; }>},
    {"is_hip_cdna4", asksGpu<[](const AskedGpu& gpu) { return gpu.arch == "gfx950"; }>},
    {"is_hip_cdna3_or_newer",
     asksGpu<[](const AskedGpu& gpu) { return gpu.arch == "gfx942" || gpu.arch == "gfx950"; }>},
    {"is_hip_cdna", asksGpu<[](const AskedGpu& gpu) {
       return gpu.arch == "gfx90a" || gpu.arch == "gfx942" || gpu.arch == "gfx950";
     }>},
    {"is_hip_rdna3", asksGpu<[](const AskedGpu& gpu) {
       return gpu.arch.contains("gfx110") || gpu.arch.contains("gfx115");
     }>},
    {"is_hip_rdna4", asksGpu<[](const AskedGpu& gpu) { return gpu.arch.contains("gfx120"); }>},
    {"is_hip_gfx1250", asksGpu<[](const AskedGpu& gpu) { return gpu.arch.contains("gfx1250"); }>},
    {"is_xpu", asksGpu<[](const AskedGpu&) { return false; }>},
    {"is_interpreter", asksGpu<[](const AskedGpu&) { return false; }>},
};

} // namespace

llvm::ArrayRef<NativeRow> targetQueries() {
  return rows;
}

Native targetQuery(llvm::StringRef name) {
  const auto* row = llvm::find_if(rows, [&](const NativeRow& each) { return each.name == name; });
  return row == std::end(rows) ? nullptr : row->function;
}

} // namespace gluond::evaluate
