#include "ir/rocdl/Dialect.h"

#include "ir/tt/ReleaseInForce.h"

#include <llvm/ADT/StringExtras.h>
#include <llvm/ADT/TypeSwitch.h>
#include <mlir/IR/Builders.h>
#include <mlir/IR/DialectImplementation.h>
#include <mlir/Transforms/InliningUtils.h>

namespace {
using gluond::rocdl::SchedMaskAttr;

mlir::ParseResult parseSchedMask(mlir::OpAsmParser& parser, SchedMaskAttr& mask) {
  return parser.parseCustomAttributeWithFallback(mask);
}
void printSchedMask(mlir::OpAsmPrinter& printer, mlir::Operation* op, SchedMaskAttr mask) {
  if (gluond::tt::follows(gluond::releases::Rule::SchedulerMasksAreNumbers, op->getContext()))
    printer << static_cast<uint32_t>(mask.getValue());
  else
    printer.printStrippedAttrOrType(mask);
}
} // namespace

#include "ir/rocdl/Dialect.cpp.inc"
#include "ir/rocdl/Enums.cpp.inc"
#define GET_ATTRDEF_CLASSES
#include "ir/rocdl/Attributes.cpp.inc"
#define GET_OP_CLASSES
#include "ir/rocdl/Ops.cpp.inc"

using namespace mlir;

namespace gluond::rocdl {

namespace {
struct Inliner : DialectInlinerInterface {
  using DialectInlinerInterface::DialectInlinerInterface;
  bool isLegalToInline(Operation*, Region*, bool, IRMapping&) const final { return true; }
};
} // namespace

void ROCDLDialect::initialize() {
  addAttributes<
#define GET_ATTRDEF_LIST
#include "ir/rocdl/Attributes.cpp.inc"
      >();
  addOperations<
#define GET_OP_LIST
#include "ir/rocdl/Ops.cpp.inc"
      >();
  addInterfaces<Inliner>();
}

} // namespace gluond::rocdl
