// Copies unchanged statements to another place of the file. Internal to the room.
#pragma once

#include "syntax/tree/NodeArena.h"

namespace gluond::syntax {

// Deep copy; every range moves by `shift` bytes, every id by `idShift` (both modulo 2^32).
Stmts cloneShifted(Stmts stmts, NodeArena& arena, uint32_t shift, uint32_t idShift);

} // namespace gluond::syntax
