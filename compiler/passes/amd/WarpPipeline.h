// Code between the borders that gl.amd.warp_pipeline_stage leaves becomes the stages of a warp
// pipeline, each an scf.execute_region of its own (Triton's `tritonamdgpu-warp-pipeline`).
#pragma once

#include "passes/failure/PassFailure.h"

#include <mlir/IR/BuiltinOps.h>

namespace gluond::passes {

// Loops with borders in their body, and borders in straight code (unrolled loops). Fails where
// borders make no pipeline: fewer than two stages, a loop or a barrier inside a stage.
Result formWarpPipelines(mlir::ModuleOp module);

} // namespace gluond::passes
