// Turns the code between the borders that gl.amd.warp_pipeline_stage leaves into the stages of a
// warp pipeline, each an scf.execute_region (Triton's `tritonamdgpu-warp-pipeline`).
#pragma once

#include "passes/failure/PassFailure.h"

#include <mlir/IR/BuiltinOps.h>

namespace gluond::passes {

// Handles loops with borders in their body, and borders in straight code (unrolled loops). Fails if
// the borders make no pipeline: fewer than two stages, a loop or a barrier inside a stage.
Result formWarpPipelines(mlir::ModuleOp module);

} // namespace gluond::passes
