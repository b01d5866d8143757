// Accesses to shared memory by ldmatrix and stmatrix, where layouts and chip have them: four
// matrices in one instruction instead of a word a lane in each (layout/access/MatrixAccess.h says
// when they fit).
#pragma once

#include "lowering/memory/SharedAccess.h"

namespace gluond::lowering::nvidia {

// As loadShared() and storeShared(), of which they are a part. False: they do not fit, and nothing
// was emitted.
bool loadMatrices(Emitter& e, const SharedPlace& place, llvm::Type* element,
                  llvm::MutableArrayRef<llvm::Value*> values, OnlyOffsets onlyOffsets);
bool storeMatrices(Emitter& e, const SharedPlace& place, Registers values, OnlyOffsets onlyOffsets);

} // namespace gluond::lowering::nvidia
