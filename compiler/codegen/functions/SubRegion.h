// A stretch of code whose names may come back changed: Triton's enter_sub_region. Remembers the
// names as they are and the insertion point; puts both back when it goes.
#pragma once

#include "codegen/functions/FunctionVisitor.h"

namespace gluond::codegen {

struct FunctionVisitor::SubRegion {
  explicit SubRegion(FunctionVisitor& visitor)
      : visitor(visitor), liveins(visitor.scope_), defs(std::move(visitor.defs_)),
        pending(visitor.pendingConstexpr_), place(visitor.emit_.builder().saveInsertionPoint()) {
    visitor.defs_.clear();
    visitor.enterRegion();
    visitor.unit_.spend(liveins.size()); // copied
  }
  ~SubRegion() {
    visitor.leaveRegion();
    visitor.emit_.builder().restoreInsertionPoint(place);
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

// What is visited while one of these lives may not be compiled in reality (its condition is
// unknown): nothing is reported about it.
struct Uncertain {
  explicit Uncertain(Unit& unit) : unit(unit) {
    if (unit.suppressed++ == 0) unit.emitter.builder().setListener(&unit.uncertainOperations);
  }
  ~Uncertain() {
    if (--unit.suppressed == 0) unit.emitter.builder().setListener(nullptr);
  }
  Unit& unit;
};

// The block's operations go to the front of `into`, and the block goes.
inline void mergeBefore(mlir::Block* block, mlir::Block* into) {
  into->getOperations().splice(into->begin(), block->getOperations());
  block->dropAllUses();
  block->erase();
}

} // namespace gluond::codegen
