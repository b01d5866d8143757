// From a module of stage `ttgir` to a program that runs.
//
// The table of operations has a row for each op that the simulator knows: a function that looks at
// the op once and gives the action that executes it. An op without a row is translated, too: it
// ends the run, with its name, if it is ever reached.
#pragma once

#include "ir/ttg/Types.h"
#include "simulate/machine/KernelCode.h"
#include "simulate/memory/SharedPlaces.h"
#include "simulate/memory/TensorPlaces.h"

#include <llvm/ADT/DenseMap.h>
#include <llvm/ADT/DenseSet.h>
#include <llvm/ADT/StringMap.h>
#include <mlir/IR/BuiltinOps.h>
#include <tl/expected.hpp>

namespace gluond::simulate {

class Translator;
// The error says why the op cannot be executed.
using Made = tl::expected<Action, std::string>;
using Maker = Made (*)(mlir::Operation* op, Translator& translator);
using OperationTable = llvm::StringMap<Maker>;

void addArithmetic(OperationTable& table);
void addCasts(OperationTable& table);
void addMath(OperationTable& table);
void addLibrary(OperationTable& table);
void addPackedArithmetic(OperationTable& table);
void addSanitizer(OperationTable& table);
void addAssembly(OperationTable& table);
void addShapes(OperationTable& table);
void addGlobalMemory(OperationTable& table);
void addAtomics(OperationTable& table);
void addReductions(OperationTable& table);
void addDots(OperationTable& table);
void addSharedMemory(OperationTable& table);
void addAsyncCopies(OperationTable& table);
void addBarriers(OperationTable& table);
void addTma(OperationTable& table);
void addProgramOps(OperationTable& table);
void addClusters(OperationTable& table);
void addTensorMemory(OperationTable& table);
void addAmdMemory(OperationTable& table);
void addAmdTensors(OperationTable& table);
void addTdm(OperationTable& table);
const OperationTable& operationTable();

// The action of an op that cannot be executed.
Action unsupportedAction(std::string why);

// The integer ops of a region from which addresses are computed.
llvm::DenseSet<mlir::Operation*> addressArithmetic(mlir::Region& region);
// An action that looks, besides, whether what it computes is what it should be.
Action withChecks(mlir::Operation* op, Action action, bool isForAddress);

class Translator {
public:
  explicit Translator(KernelCode& code) : code_(code) {}
  // The error says why the module cannot run at all.
  tl::expected<void, std::string> translate(mlir::ModuleOp module);

  // The functions below are for the makers of actions.
  KernelCode& code() { return code_; }
  const KernelCode& code() const { return code_; }
  // A place in shared memory that no other op has.
  uint32_t allocate(int64_t bytes, int64_t alignment, mlir::Operation* op);
  // Returns the places of the elements of a view. The error says why they are not known.
  tl::expected<PlacesRef, std::string> places(ttg::MemDescType type);
  tl::expected<TensorPlacesRef, std::string> tensorPlaces(ttg::MemDescType type);
  // A region as a function of its block's arguments.
  uint32_t function(mlir::Region& region);
  uint32_t functionOf(llvm::StringRef symbol) const;

private:
  friend class FunctionTranslator;
  KernelCode& code_;
  llvm::DenseMap<mlir::Type, PlacesRef> places_;
  llvm::DenseMap<mlir::Type, TensorPlacesRef> tensorPlaces_;
  llvm::StringMap<uint32_t> symbols_;
};

// Returns the places of the calls that an op was inlined through, outermost first.
std::vector<mlir::Location> callsOf(mlir::Location location);

// The program of the kernel in the module.
tl::expected<std::shared_ptr<const KernelCode>, std::string> translate(mlir::ModuleOp module);

} // namespace gluond::simulate
