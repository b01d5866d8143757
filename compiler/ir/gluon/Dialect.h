// The `gluon` dialect: layouts yet to be chosen (auto, coalesced), and the op that chooses one.
#pragma once

#include "ir/tt/Ops.h"
#include "ir/ttg/Dialect.h"

#include "ir/gluon/Dialect.h.inc"
#define GET_ATTRDEF_CLASSES
#include "ir/gluon/Attributes.h.inc"
#define GET_OP_CLASSES
#include "ir/gluon/Ops.h.inc"
