#pragma once

#include <llvm/ADT/StringRef.h>

#include <optional>
#include <string>

namespace gluond::syntax {

// A part of a line, and what Python writes for it.
struct PythonText {
  size_t begin, end;
  std::string text;
};

// Writes `&&` and `||` of a line of code as Python does: `and` and `or` in the condition of a
// statement; elsewhere, where tensors are combined, `&` and `|`, which bind more tightly than
// comparisons, of operands in parentheses. Returns nullopt if there are none, or an operand is
// missing.
std::optional<PythonText> pythonLogic(llvm::StringRef line, bool isCondition);

// Returns `i += 1` for a line that is `i++`, and the like; else "".
std::string pythonStep(llvm::StringRef line);

// Returns `for i in range(0, n):` for `for (int i = 0; i < n; i++)`, and for `for i = 0, n:`; else
// "".
std::string pythonLoop(llvm::StringRef line);

// Returns the length of the type in `int n = ...` as C writes it, up to the name; else 0.
size_t lengthOfForeignType(llvm::StringRef line);

} // namespace gluond::syntax
