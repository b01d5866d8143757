// Layouts that the user leaves to the compiler (AutoLayout, CoalescedLayout), in facts for the
// editor.
#pragma once

#include "codegen/context/ExpressionFacts.h"

#include <mlir/IR/BuiltinOps.h>

namespace gluond::driver {

class EvaluatedFile;

// Whether the compiler chose the layout of a fact.
bool isChosenLayout(const codegen::TypeFact& type);

// Whether the layout of a tensor is still to be chosen.
bool leavesLayoutsOpen(const codegen::ExpressionFacts& facts);

// Adds to facts about tensors with such layouts the layout that they have in `module`, of stage
// `ttgir`.
void tellChosenLayouts(codegen::ExpressionFacts& facts, mlir::ModuleOp module,
                       const EvaluatedFile& program);

} // namespace gluond::driver
