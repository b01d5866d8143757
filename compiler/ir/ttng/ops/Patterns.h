// Canonicalization patterns that ttng has for ops of other dialects.
#pragma once

#include <mlir/IR/PatternMatch.h>

namespace gluond::ttng {
// tmem_store(cvt(x)) -> tmem_store(x), where x has a layout that tensor memory takes. A pattern of
// convert_layout.
void addTensorMemoryStoreOfConvert(mlir::RewritePatternSet& patterns);
} // namespace gluond::ttng
