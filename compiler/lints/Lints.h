// The lints over one specialization of one kernel: what Triton compiles and what is probably not
// meant.
//
//   lintSource(module)   stage `source`: what the passes remove, because nobody uses it
//   lintTtgir(module)    stage `ttgir`: accesses, protocol, resources
//
// Pure functions of a module that verifies; they read it only, and take one to five milliseconds
// for a large kernel. Findings carry the locations of ops; driver/ maps them to the source and
// turns suggestions into edits.
#pragma once

#include "lints/bounds/LaunchSizes.h"
#include "lints/findings/Findings.h"
#include "lints/resources/Budget.h"

#include <mlir/IR/BuiltinOps.h>

namespace gluond::lints {

void lintSource(mlir::ModuleOp module, Findings& findings);
// Gives what the kernel takes of its chip besides. `scratch`: the bytes of shared memory that an op
// takes for itself, as the lowering knows them. `sizes`: of the launch; none, where it
// is not known.
Budget lintTtgir(mlir::ModuleOp module, Findings& findings, passes::ScratchBytes scratch,
                 AskSizes sizes = {});

} // namespace gluond::lints
