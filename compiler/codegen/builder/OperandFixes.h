// Texts that rules offer in place of a wrong operand: a variable of the kernel that fits, the same
// operand after a load, one of few choices. All are suggestions. Each is tried before it is shown
// (driver/fixes/FixTrial.h), so a rule may offer several where it cannot know which one is meant.
#pragma once

#include "codegen/builder/IrBuilder.h"

namespace gluond::codegen {

// Returns the names whose values fit, at most three: those of the current function, the latest
// first, then constexprs of its module.
std::vector<std::string> variablesThat(const IrBuilder& emit, llvm::function_ref<bool(Value)> fits);

// Returns the text by which the current function names a layout: a variable or global that holds
// an equal one, or else a constructor around such names.
std::string layoutText(const IrBuilder& emit, const language::LayoutObject* layout);

// Returns a number, or the only variable of the current function that holds this number.
std::string sizeText(const IrBuilder& emit, int64_t number);

// Returns the expression that the current function assigned last to a name; null for anything else.
const syntax::Expr* assignedValue(const IrBuilder& emit, const syntax::Node* name);

// Returns the constructor of the layout that a tensor was made with, if the current function wrote
// it: an expression is followed to its names, a call to its layout. Equal layouts are one object,
// so that this finds the one that was used here.
const syntax::Call* layoutConstructor(const IrBuilder& emit, const syntax::Node* operand,
                                      llvm::StringRef layoutClass);
// Returns an argument of such a constructor by its position or name; null if it is not written.
const syntax::Expr* constructorArgument(const IrBuilder& emit, const syntax::Call& constructor,
                                        size_t position, llvm::StringRef name);

// Offers other layouts where an operand's is written: the other operand's.
void offerLayoutOf(IrBuilder& emit, Reported& reported, const syntax::Node* operand,
                   const language::LayoutObject* own, const language::LayoutObject* other);

// Offers an initial value of the type that a name has after one iteration of a loop: another dtype
// or layout in the call that makes the tensor, or a tensor in place of a number.
void offerStart(IrBuilder& emit, Reported& reported, const syntax::Expr* start, const Type* before,
                const Type* after);

// Offers another text for an operand: at its place, and, for a variable, also where it is assigned.
void offerText(IrBuilder& emit, Reported& reported, const syntax::Node* operand,
               llvm::function_ref<std::string(const syntax::Node*)> change);

// Offers the variables of the current function that fit in place of an operand.
void offerVariables(IrBuilder& emit, Reported& reported, const syntax::Node* operand,
                    llvm::function_ref<bool(Value)> fits);

// Offers to load an operand that is shared or tensor memory, in a layout of the current function,
// in place of the operand or of an expression around it.
void offerLoad(IrBuilder& emit, Reported& reported, const syntax::Node* operand, Value value,
               const syntax::Node* replaced = nullptr);

// Offers the shared memory that is meant where a tensor was given: the one that the tensor was
// loaded from, or one of the same shape and dtype.
void offerShared(IrBuilder& emit, Reported& reported, const syntax::Node* operand, Value value);

// Offers the choices that a string argument has: the similar one, or else each.
void offerChoices(IrBuilder& emit, Reported& reported, const syntax::Node* argument,
                  llvm::StringRef written, llvm::ArrayRef<std::string> choices);

// Offers `//` for the first `/` in an expression whose result should be an integer.
void offerFloorDivision(IrBuilder& emit, Reported& reported, const syntax::Node* node);

// Offers to add the dimensions that two one-dimensional operands lack, if they are slices of one
// layout along different dimensions.
void offerBothExpansions(IrBuilder& emit, Reported& reported, const Type* a, const Type* b,
                         const syntax::Node* atA, const syntax::Node* atB);

// Offers the operation on elements for a reduction whose axis is an operand: gl.max(x, y).
void offerElementwise(IrBuilder& emit, Reported& reported, const syntax::Node* axis);
// Offers Python's max(a, b) for gl.max(a, b) of numbers.
void offerPythonExtreme(IrBuilder& emit, Reported& reported, const syntax::Node* input);

// Offers to swap a positional argument with its neighbours, if it is the whole of one.
void offerSwap(IrBuilder& emit, Reported& reported, const syntax::Node* call,
               const syntax::Node* argument);

// Offers the arguments that a layout's constructor may be meant to have, where it is written: in
// another order, called, another small number. `argument` is the wrong one; null for the whole.
void offerConstructor(Reported& reported, const Written& constructor, const syntax::Expr* argument);

// Offers what a layout's constructor may be meant to get for an argument that it refuses: 1 for
// another number, a third entry for the shape of an instruction.
void offerEntries(IrBuilder& emit, Reported& reported, const syntax::Node* argument);

// Offers values that are usual for an argument that a call lacks: the order of a layout with the
// last dimension first, or a layout of the current function.
void offerMissing(IrBuilder& emit, Reported& reported, const syntax::Node* call,
                  llvm::StringRef parameter);

// Reports an axis that a tensor does not have, and offers the last one that it has.
Reported invalidAxis(IrBuilder& emit, const syntax::Node* at, int64_t axis, int64_t rank);

} // namespace gluond::codegen
