// Turns the errors of MLIR's verifiers into diagnostics of the user's program.
//
// Every operation is verified by itself, so that one mistake hides no other, in this function or
// the next, and so that operations after an error of codegen are still checked. Verifiers word
// errors in terms of the IR; here they become the user's words and place: the layout's constructor
// if a layout does not fit the launch, the argument of the call if a table (VerifierRows in
// Verify.cpp) knows which operand is meant, else the call.
#pragma once

#include <llvm/ADT/DenseSet.h>
#include <llvm/ADT/SmallVector.h>
#include <mlir/IR/Builders.h>
#include <mlir/IR/BuiltinOps.h>
#include <mlir/IR/Diagnostics.h>

#include <string>

namespace gluond::codegen {

struct Unit;

// Collects the errors that MLIR reports during its lifetime, instead of printing them.
class VerifierMessages {
public:
  explicit VerifierMessages(mlir::MLIRContext& context);
  struct Message {
    mlir::Location location;
    std::string text;
  };
  llvm::ArrayRef<Message> messages() const { return messages_; }
  void clear() { messages_.clear(); }
  // Removes and returns the text of the last one, or "" if there is none.
  std::string takeLast();

private:
  llvm::SmallVector<Message, 1> messages_;
  mlir::ScopedDiagnosticHandler handler_;
};

// Records operations in code that may not be compiled in reality; nothing is reported about them.
struct UncertainOperations final : mlir::OpBuilder::Listener {
  llvm::DenseSet<mlir::Operation*> operations;
  void notifyOperationInserted(mlir::Operation* op, mlir::OpBuilder::InsertPoint) override {
    operations.insert(op);
  }
};

// Verifies the operations of Triton's dialects one by one and reports errors. Returns true if all
// are valid.
bool verifyOperations(Unit& unit, mlir::ModuleOp module);
// The same for one operation, as soon as it is made. Returns true if it is not valid, which is
// reported then: values that follow from it are unknown.
bool refusesAtOnce(Unit& unit, mlir::Operation& op);
// Whether verifyOperations() will report this operation.
bool isRefusedAtEnd(Unit& unit, mlir::Operation& op);
// Reports messages of MLIR unchanged, at the places they name.
void reportMessages(Unit& unit, llvm::ArrayRef<VerifierMessages::Message> messages);
// Reports a message about an operation, at the call that leads to it.
void reportMessage(Unit& unit, mlir::Operation& op, llvm::StringRef text);

} // namespace gluond::codegen
