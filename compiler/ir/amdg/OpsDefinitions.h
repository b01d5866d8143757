// Helpers for the generated definitions of amdg's ops.
#pragma once

#include "ir/amdg/Ops.h"
#include "ir/tt/EarlierSpelling.h"

#include <mlir/IR/DialectImplementation.h>

namespace gluond::amdg {
using tt::parseAccessTypes;
using tt::parseHinted;
using tt::parsePointerType;
using tt::printAccessTypes;
using tt::printHinted;
using tt::printPointerType;
} // namespace gluond::amdg
