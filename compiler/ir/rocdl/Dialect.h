// The part of the `rocdl` dialect that Gluon emits.
#pragma once

#include <mlir/Bytecode/BytecodeOpInterface.h>
#include <mlir/IR/BuiltinAttributes.h>
#include <mlir/IR/Dialect.h>
#include <mlir/IR/OpDefinition.h>
#include <mlir/IR/OpImplementation.h>

#include "ir/rocdl/Dialect.h.inc"
#include "ir/rocdl/Enums.h.inc"
#define GET_ATTRDEF_CLASSES
#include "ir/rocdl/Attributes.h.inc"
#define GET_OP_CLASSES
#include "ir/rocdl/Ops.h.inc"
