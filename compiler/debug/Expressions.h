// Expressions that a user types while a program stands still: `x[3, :]`, `gl.max(acc)`,
// `smem.index(2)`, `i * 2 + 1 < n`.
//
// They are Python's, parsed as kernels are. Names are the variables of a call; nothing is changed
// by evaluating. Elements keep their type where they are only picked; arithmetic is done in 64
// bits.
#pragma once

#include "debug/Values.h"
#include "support/Interner.h"

#include <llvm/ADT/STLFunctionalExtras.h>

namespace gluond::debug {

// Returns a variable of the call. Nullopt if there is none with this name.
using FindVariable = llvm::function_ref<std::optional<Datum>(const std::string& name)>;

// Returns why a text is no expression, in words; empty if it is one.
std::string whyNoExpression(const std::string& text);
// Returns the value of an expression. The error is a sentence.
tl::expected<Datum, std::string> evaluate(const std::string& text, const Look& look,
                                          FindVariable find);
// Returns whether a condition holds. A tensor holds if one of its elements is not zero.
tl::expected<bool, std::string> holds(const std::string& text, const Look& look, FindVariable find);

} // namespace gluond::debug
