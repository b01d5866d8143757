// The `ttg` dialect, and the attributes of modules and functions that describe where code runs.
#pragma once

#include "ir/tt/Dialect.h"
#include "ir/ttg/Types.h"

#include <mlir/IR/BuiltinOps.h>
#include <mlir/IR/Dialect.h>
#include <mlir/Interfaces/SideEffectInterfaces.h>

namespace gluond::ttg {
struct LayoutCache;
struct LayoutCacheDeleter {
  void operator()(LayoutCache* cache) const;
};
} // namespace gluond::ttg

#include "ir/ttg/Dialect.h.inc"

namespace gluond::ttg {

struct SharedMemory : mlir::SideEffects::Resource::Base<SharedMemory> {
  llvm::StringRef getName() final { return "<SharedMemory>"; }
};

constexpr llvm::StringLiteral maxRegistersAttr = "ttg.maxnreg";
constexpr llvm::StringLiteral numWarpsAttr = "ttg.num-warps";
constexpr llvm::StringLiteral warpIdOffsetAttr = "ttg.warp-id-offset";
constexpr llvm::StringLiteral numCTAsAttr = "ttg.num-ctas";
constexpr llvm::StringLiteral targetAttr = "ttg.target";
constexpr llvm::StringLiteral threadsPerWarpAttr = "ttg.threads-per-warp";

// Returns the number of warps of the code around `op`: the partition's, the function's or the
// module's; nullopt if none has the attribute.
std::optional<unsigned> lookupNumWarps(mlir::Operation* op);
// The module's values; 32 and 1 if it has none.
unsigned lookupThreadsPerWarp(mlir::Operation* op);
unsigned lookupNumCTAs(mlir::Operation* op);

} // namespace gluond::ttg
