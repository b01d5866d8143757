// Reports what is wrong with single characters of a file: brackets without a partner, strings
// without an end, characters that Python does not have. Internal to the room.
#pragma once

#include "diagnostics/Reporter.h"
#include "syntax/recovery/LineScanner.h"

namespace gluond::syntax {

// Reports the problems that scanning found in these lines.
void reportScanProblems(llvm::StringRef text, const LineScan& scan,
                        llvm::ArrayRef<LogicalLine> lines, diagnostics::Reporter& emit);

} // namespace gluond::syntax
