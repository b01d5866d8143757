// The expression of the source that makes a layout of the IR.
#pragma once

#include "driver/program/Program.h"
#include "layout/named/Layout.h"

namespace gluond::driver {

// An integer as it is written; nothing for anything else.
std::optional<int64_t> writtenNumber(const syntax::Expr* expr);

// The arguments of the layout's class in order with their values, for the classes that are written
// with numbers; empty for others.
struct LayoutArgument {
  llvm::StringRef name;
  llvm::SmallVector<int64_t, 4> values;
  bool isList = true;
};
llvm::SmallVector<LayoutArgument, 4> layoutArguments(const layout::Layout& layout);

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
