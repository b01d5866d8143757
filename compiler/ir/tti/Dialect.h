// The part of the `tti` dialect that gl.fpsan emits.
#pragma once

#include "ir/tt/Ops.h"

#include "ir/tti/Dialect.h.inc"
#define GET_OP_CLASSES
#include "ir/tti/Ops.h.inc"
