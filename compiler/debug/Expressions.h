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

// A variable of the call; a part of one with its path (".field", "[0]"). Nothing: there is none.
using FindVariable = llvm::function_ref<std::optional<Datum>(const std::string& name)>;

// The error is a sentence.
tl::expected<Datum, std::string> evaluate(const std::string& text, const Look& look,
                                          FindVariable find);
// Whether a condition holds: a number that is not zero, a tensor with an element that is not.
tl::expected<bool, std::string> holds(const std::string& text, const Look& look, FindVariable find);

} // namespace gluond::debug
