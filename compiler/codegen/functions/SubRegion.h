// A stretch of code that may change names: Triton's enter_sub_region. Saves the names and the
// insertion point, and restores both when it is destroyed.
#pragma once

#include "codegen/functions/FunctionVisitor.h"

namespace gluond::codegen {

struct FunctionVisitor::SubRegion {
  explicit SubRegion(FunctionVisitor& visitor)
      : visitor(visitor), liveins(visitor.scope_), defs(std::move(visitor.defs_)),
        pending(visitor.pendingConstexpr_), place(visitor.emit_.opBuilder().saveInsertionPoint()) {
    visitor.defs_.clear();
    visitor.enterRegion();
    visitor.unit_.spend(liveins.size()); // for copying
  }
  ~SubRegion() {
    visitor.leaveRegion();
    visitor.emit_.opBuilder().restoreInsertionPoint(place);
    visitor.scope_ = std::move(liveins);
    visitor.defs_ = std::move(defs);
    visitor.pendingConstexpr_ = std::move(pending);
  }
  SubRegion(const SubRegion&) = delete;

  FunctionVisitor& visitor;
  LocalScope liveins;
  LocalScope defs;
  llvm::SmallVector<Name, 2> pending;
  mlir::OpBuilder::InsertPoint place;
};

// While one of these lives, the visited code may not be compiled in reality (its condition is
// unknown), so nothing is reported about it.
struct Uncertain {
  explicit Uncertain(Unit& unit) : unit(unit) {
    if (unit.suppressed++ == 0) unit.builder.opBuilder().setListener(&unit.uncertainOperations);
  }
  ~Uncertain() {
    if (--unit.suppressed == 0) unit.builder.opBuilder().setListener(nullptr);
  }
  Unit& unit;
};

// Moves the block's operations to the front of `into` and erases the block.
inline void mergeBefore(mlir::Block* block, mlir::Block* into) {
  into->getOperations().splice(into->begin(), block->getOperations());
  block->dropAllUses();
  block->erase();
}

} // namespace gluond::codegen
