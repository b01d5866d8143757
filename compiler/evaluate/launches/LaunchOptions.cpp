#include "evaluate/launches/LaunchOptions.h"

#include <llvm/ADT/STLExtras.h>

namespace gluond::evaluate {

using releases::Release;

namespace {

constexpr int64_t none = LaunchOptionRow::noDefault;
constexpr LaunchOptionRow rows[] = {
    {"num_warps", none, none, true, true, "Number of warps per CTA (default: 4)."},
    {"num_ctas", 1, 1, true, false, "Number of CTAs per cluster (default: 1)."},
    {"num_stages", 3, 2, true, true,
     "Number of stages for software pipelining; Gluon kernels pipeline explicitly."},
    {"maxnreg", none, none, true, true, "Maximum number of registers per thread."},
    {"waves_per_eu", 0, 0},
    {"matrix_instr_nonkdim", 0, 0},
    {"kpack", 1, 1},
    {"enable_fp_fusion", none, none},
    {"launch_cooperative_grid", 0, 0},
    {"launch_pdl", 0, 0},
    {"clc", 0, 0, false, false, "", Release::Triton39},
    {"debug", 0, 0},
    {"sanitize_overflow", 1, 1},
    {"ptx_version", none, none},
    {"ptx_options", none, none},
    {"ir_override", none, none},
    {"sched4reg", 0, 0, false, false, "", Release::Triton39},
    {"enable_reflect_ftz", 1, 1},
    {"supported_fp8_dtypes", none, none},
    {"deprecated_fp8_dot_operand_dtypes", none, none},
    {"default_dot_input_precision", none, none},
    {"allowed_dot_input_precisions", none, none},
    {"max_num_imprecise_acc_default", none, none},
    {"extern_libs", none, none},
    {"arch", none, none},
    {"instrumentation_mode", none, none},
    {"fpsan_homomorphic_casts", 0, 0, false, false, "", Release::Triton39},
    {"min_shared_mem", none, none, false, false, "", Release::Triton39},
    {"schedule_hint", none, none},
    {"llvm_fn_attrs", none, none, false, false, "", Release::Triton38},
    {"wgp_cu_mode", none, none, false, false, "", Release::Triton39},
    {"allow_flush_denorm", 0, 0},
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
