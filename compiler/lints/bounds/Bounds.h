// Accesses beyond the end of a tensor: stores and loads without the mask that others with the same
// offsets have, kernels that take a size and do not use it, offsets that overflow their type, and
// buffer instructions for longer tensors than these reach.
#pragma once

#include "lints/bounds/LaunchSizes.h"
#include "lints/findings/Findings.h"

#include <mlir/IR/BuiltinOps.h>

namespace gluond::lints {

// Runs on stage `ttgir`. If the launch's sizes say how far an access without a mask reaches, they
// decide: an access that stays inside its tensor needs no mask.
void lintMasks(mlir::ModuleOp module, KnownSizes sizes, Findings& findings);
// Runs on stage `ttgir`: AMD's buffer instructions that go beyond 2 GB.
void lintBuffers(mlir::ModuleOp module, KnownSizes sizes, Findings& findings);
// Returns whether the launch's tensor at a pointer is longer than that.
bool isBeyondBuffers(mlir::Value pointer, KnownSizes sizes);
// Runs on stage `source`, where arithmetic is as the user wrote it.
void lintOverflow(mlir::ModuleOp module, Findings& findings);

} // namespace gluond::lints
