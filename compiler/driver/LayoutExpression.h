// The expression of the source that makes a layout of the IR.
#pragma once

#include "driver/Program.h"
#include "layout/Layout.h"

namespace gluond::driver {

// An integer as it is written; nothing for anything else.
std::optional<int64_t> writtenNumber(const syntax::Expr* expr);

// The call of the layout's class with its numbers (names stand for any), in the function around
// `at` or else in the file. Of several equal ones it is the one whose value reaches the statement
// at `at`, or, of those outside the function, the last before the launch, whose call chain is
// `launch`, outermost first. Null where there is none, or no telling which.
const syntax::Call* layoutExpression(const layout::Layout& layout, text::Offset at,
                                     llvm::ArrayRef<text::Range> launch,
                                     const syntax::SyntaxTree& tree);

// All of them in the file.
llvm::SmallVector<const syntax::Call*, 4> layoutExpressions(const layout::Layout& layout,
                                                            const syntax::SyntaxTree& tree);

} // namespace gluond::driver
