// Between registers and global memory.
#pragma once

#include "lowering/Emitter.h"

namespace gluond::lowering {

// How many consecutive registers go in one access of at most 128 bits: as many as are consecutive
// in memory, aligned, and under one mask. `mask` may be null.
unsigned accessElements(Emitter& e, mlir::Value pointer, mlir::Value mask);

// PTX's words for a cache policy: ".cg", ".L1::evict_last", and an L2 policy made before the
// access.
struct CacheWords {
  std::string qualifiers;
  llvm::Value* policy = nullptr;
  bool none() const { return qualifiers.empty() && !policy; }
};
CacheWords cacheWords(Emitter& e, mlir::Attribute policy, bool isLoad);

} // namespace gluond::lowering
