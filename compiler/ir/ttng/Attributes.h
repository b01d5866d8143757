// Attributes of `ttng`: layouts of tensor memory, cache policies.
#pragma once

#include "ir/tt/Types.h"
#include "ir/ttg/Attributes.h"

#include <mlir/IR/BuiltinAttributes.h>

#include "ir/ttng/Enums.h.inc"

namespace gluond::ttng {
mlir::FailureOr<ttg::CGAEncodingAttr> parseCGALayoutRankTwo(mlir::AsmParser& parser);
} // namespace gluond::ttng

#define GET_ATTRDEF_CLASSES
#include "ir/ttng/Attributes.h.inc"
