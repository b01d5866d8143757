// What MLIR's verifiers refuse becomes diagnostics of the user's program.
//
// Every operation is verified for itself, so that one mistake hides no other, in this function or
// the next, and so that what follows an error of codegen's own is still looked at. An operation
// says what is wrong in terms of the IR; here that is turned into the user's words and place: the
// layout's constructor where a layout does not fit the launch, the argument of the call where a
// table (VerifierRows in Verify.cpp) knows which operand is meant, else the call.
#pragma once

#include <llvm/ADT/DenseSet.h>
#include <llvm/ADT/SmallVector.h>
#include <mlir/IR/Builders.h>
#include <mlir/IR/BuiltinOps.h>
#include <mlir/IR/Diagnostics.h>

#include <string>

namespace gluond::codegen {

struct Unit;

// Errors that MLIR reports while it lives, kept instead of printed.
class VerifierMessages {
public:
  explicit VerifierMessages(mlir::MLIRContext& context);
  struct Message {
    mlir::Location location;
    std::string text;
  };
  llvm::ArrayRef<Message> messages() const { return messages_; }
  void clear() { messages_.clear(); }
  // The last one's text, taken; empty when there is none.
  std::string takeLast();

private:
  llvm::SmallVector<Message, 1> messages_;
  mlir::ScopedDiagnosticHandler handler_;
};

// Remembers what was built where it may not be compiled in reality: nothing is said about these.
struct UncertainOperations final : mlir::OpBuilder::Listener {
  llvm::DenseSet<mlir::Operation*> operations;
  void notifyOperationInserted(mlir::Operation* op, mlir::OpBuilder::InsertPoint) override {
    operations.insert(op);
  }
};

// Verifies the operations of Triton's dialects one by one and reports what does not hold. True when
// all of them do.
bool verifyOperations(Unit& unit, mlir::ModuleOp module);
// Reports a message of MLIR's as it is, at the place it names.
void reportMessages(Unit& unit, llvm::ArrayRef<VerifierMessages::Message> messages);
// The same of an operation: at the call that leads to it.
void reportMessage(Unit& unit, mlir::Operation& op, llvm::StringRef text);

} // namespace gluond::codegen
