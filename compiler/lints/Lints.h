// The lints for one specialization of one kernel: code that Triton compiles but that is probably
// not intended.
//
//   lintSource(module)   stage `source`: unused code, which the passes remove
//   lintTtgir(module)    stage `ttgir`: accesses, synchronization, resources
//
// Pure functions of a module that verifies and that they do not change; they take one to five
// milliseconds for a large kernel. Findings carry the locations of ops; driver/ maps them to the
// source and turns suggestions into edits.
#pragma once

#include "lints/bounds/LaunchSizes.h"
#include "lints/findings/Findings.h"
#include "lints/resources/Budget.h"

#include <mlir/IR/BuiltinOps.h>

namespace gluond::lints {

void lintSource(mlir::ModuleOp module, Findings& findings);
// Also returns the kernel's use of the chip's resources. `scratch` returns the bytes of shared
// memory that an op uses itself, as known by the lowering. `sizes` returns the sizes of the launch;
// it is null if they are not known.
Budget lintTtgir(mlir::ModuleOp module, Findings& findings, passes::ScratchBytes scratch,
                 AskSizes sizes = {});

} // namespace gluond::lints
