// Finds the expression in the source that makes a layout of the IR.
#pragma once

#include "driver/program/EvaluatedFile.h"
#include "layout/named/Layout.h"

#include <memory>
#include <vector>

namespace gluond::driver {

// Returns the value of a literal integer; nullopt for any other expression.
std::optional<int64_t> writtenNumber(const syntax::Expr* expr);

// The arguments of a layout's class in order, with their values. Only classes written with numbers
// have them; for others the list is empty.
struct LayoutArgument {
  llvm::StringRef name;
  llvm::SmallVector<int64_t, 4> values;
  bool isList = true;
};
llvm::SmallVector<LayoutArgument, 4> layoutArguments(const layout::Layout& layout);

// Finds such expressions in files. It keeps what it has read of them, because a kernel may have a
// finding in each of its lines.
class LayoutExpressions {
public:
  LayoutExpressions();
  ~LayoutExpressions();

  // Returns the call of the layout's class with its numbers (names match any), in the function
  // around `at` or else in the file. Of several it takes the one whose value reaches the statement
  // at `at`, or, outside the function, the last before the launch, whose call chain is `launch`,
  // outermost first. Returns null if there is none or the choice is not clear.
  const syntax::Call* find(const layout::Layout& layout, text::Offset at,
                           llvm::ArrayRef<text::Range> launch, const syntax::SyntaxTree& tree);

  // Whether the file has just one such call.
  bool isOnly(const layout::Layout& layout, const syntax::SyntaxTree& tree);

private:
  class InFile;
  InFile& in(const syntax::SyntaxTree& tree);
  std::vector<std::unique_ptr<InFile>> files_;
};

} // namespace gluond::driver
