#include "evaluate/launches/LaunchOptions.h"

#include <llvm/ADT/STLExtras.h>

namespace gluond::evaluate {

using releases::Release;

namespace {

constexpr int64_t none = LaunchOptionRow::noDefault;
constexpr auto nvidia = chips::Vendor::Nvidia, amd = chips::Vendor::Amd;
constexpr LaunchOptionRow rows[] = {
    {"num_warps", none, none, true, true, "Number of warps per CTA (default: 4)."},
    {"num_ctas", 1, 1, true, false, "Number of CTAs per cluster (default: 1)."},
    {"num_stages", 3, 2, true, true,
     "Number of stages for software pipelining; Gluon kernels pipeline explicitly."},
    {"maxnreg", none, none, true, true, "Maximum number of registers per thread.", releases::oldest,
     nvidia},
    {"waves_per_eu", none, 0, false, false, "", releases::oldest, amd},
    {"matrix_instr_nonkdim", none, 0, false, false, "", releases::oldest, amd},
    {"kpack", none, 1, false, false, "", releases::oldest, amd},
    {"enable_fp_fusion", none, none},
    {"launch_cooperative_grid", 0, 0},
    {"launch_pdl", 0, none, false, false, "", releases::oldest, nvidia},
    {"clc", 0, none, false, false, "", Release::Triton39, nvidia},
    {"debug", 0, 0},
    {"sanitize_overflow", 1, 1},
    {"ptx_version", none, none, false, false, "", releases::oldest, nvidia},
    {"ptx_options", none, none, false, false, "", releases::oldest, nvidia},
    {"ir_override", none, none, false, false, "", releases::oldest, nvidia},
    {"sched4reg", 0, none, false, false, "", Release::Triton39, nvidia},
    {"enable_reflect_ftz", 1, none, false, false, "", releases::oldest, nvidia},
    {"supported_fp8_dtypes", none, none},
    {"deprecated_fp8_dot_operand_dtypes", none, none},
    {"default_dot_input_precision", none, none},
    {"allowed_dot_input_precisions", none, none},
    {"max_num_imprecise_acc_default", none, none},
    {"extern_libs", none, none},
    {"arch", none, none},
    {"instrumentation_mode", none, none},
    {"fpsan_homomorphic_casts", 0, 0, false, false, "", Release::Triton39},
    {"min_shared_mem", none, none, false, false, "", Release::Triton39, nvidia},
    {"schedule_hint", none, none, false, false, "", releases::oldest, amd},
    {"llvm_fn_attrs", none, none, false, false, "", Release::Triton38, amd},
    {"wgp_cu_mode", none, none, false, false, "", Release::Triton39, amd},
    {"allow_flush_denorm", none, 0, false, false, "", releases::oldest, amd},
    {"warp_size", none, none},
    {"backend_name", none, none},
};

} // namespace

llvm::ArrayRef<LaunchOptionRow> launchOptionRows() {
  return rows;
}

const LaunchOptionRow* findLaunchOption(llvm::StringRef name, Release release) {
  const auto* row = llvm::find_if(
      rows, [&](const auto& each) { return each.name == name && each.first <= release; });
  return row == std::end(rows) ? nullptr : row;
}

} // namespace gluond::evaluate
