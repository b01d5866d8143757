// ttng's canonicalization patterns for ops of other dialects.
#pragma once

#include <mlir/IR/PatternMatch.h>

namespace gluond::ttng {
// tmem_store(cvt(x)) -> tmem_store(x), if x has a layout that tensor memory supports. It is a
// pattern of convert_layout.
void addTensorMemoryStoreOfConvert(mlir::RewritePatternSet& patterns);
} // namespace gluond::ttng
