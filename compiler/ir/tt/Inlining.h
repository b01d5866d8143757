// How functions with a dialect's operations are inlined.
#pragma once

#include <mlir/Transforms/InliningUtils.h>

namespace gluond::tt {

// For dialects whose operations may stand in any function.
struct InlinesAnything : mlir::DialectInlinerInterface {
  using DialectInlinerInterface::DialectInlinerInterface;
  bool isLegalToInline(mlir::Operation*, mlir::Operation*, bool) const final { return true; }
  bool isLegalToInline(mlir::Region*, mlir::Region*, bool, mlir::IRMapping&) const final {
    return true;
  }
  bool isLegalToInline(mlir::Operation*, mlir::Region*, bool, mlir::IRMapping&) const final {
    return true;
  }
};

} // namespace gluond::tt
