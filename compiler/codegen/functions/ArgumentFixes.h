// Other ways to write the arguments of a call that was refused: in another order, in a list,
// called, or none. All are suggestions, which are tried before they are shown
// (driver/fixes/FixTrial.h).
#pragma once

#include "codegen/builder/IrBuilder.h"

namespace gluond::codegen {

// Returns what the arguments of a call to Gluon may be meant as. `values` are those of call.args.
//  - Two of different kinds that are swapped: the layout and the dtype, the pointer and the value.
//  - Numbers that belong in a list: the coordinates of a TMA copy, a shape.
//  - A pointer and offsets that are to be added to it.
//  - A function or class that is not called.
std::vector<diagnostics::Fix> otherArguments(const IrBuilder& emit, const syntax::Call& call,
                                             language::Values values);

// Offers a call of a value that is no value by itself, if it needs no arguments: gl.num_warps.
void offerCalled(const IrBuilder& emit, Reported& reported, Value value,
                 const syntax::Expr* written);

// Whether a call is still being written: its parenthesis is open, which the parser has reported.
// Arguments that it lacks are no mistake.
bool isUnfinished(const IrBuilder& emit, const syntax::Node* call);

// Offers a value without the parentheses of a call: shape() where `shape` is a tuple.
void offerUncalled(const IrBuilder& emit, Reported& reported, const syntax::Node* call);

// Offers the argument that a call lacks: a variable of its name, or the one that gets the result.
void offerNamesake(const IrBuilder& emit, Reported& reported, const syntax::Call& call,
                   llvm::StringRef parameter, std::optional<size_t> position);

// Offers a call in its present form that only an earlier release of Triton takes: positional
// arguments by the names of their parameters, and none for parameters that have gone, whose values
// must be what they were without an argument. Returns whether it did.
bool offerPresentForm(const IrBuilder& emit, Reported& reported, const language::Builtin& builtin,
                      const syntax::Call& call);

} // namespace gluond::codegen
