#include "passes/controlflow/SymbolDce.h"

#include <llvm/ADT/DenseSet.h>
#include <mlir/IR/SymbolTable.h>

namespace gluond::passes {
using namespace mlir;

void dropUnusedFunctions(ModuleOp module) {
  SmallVector<SymbolOpInterface> symbols(module.getOps<SymbolOpInterface>());
  if (llvm::none_of(symbols, [](SymbolOpInterface symbol) { return symbol.isPrivate(); })) return;
  SymbolTable table(module);
  llvm::DenseSet<Operation*> live;
  SmallVector<Operation*> pending;
  auto mark = [&](Operation* symbol) {
    if (symbol && live.insert(symbol).second) pending.push_back(symbol);
  };
  for (SymbolOpInterface symbol : symbols)
    if (!symbol.isPrivate() || !symbol.canDiscardOnUseEmpty()) mark(symbol);
  while (!pending.empty())
    if (auto uses = SymbolTable::getSymbolUses(pending.pop_back_val()))
      for (SymbolTable::SymbolUse use : *uses)
        mark(table.lookup(use.getSymbolRef().getRootReference()));
  for (SymbolOpInterface symbol : symbols)
    if (!live.contains(symbol)) symbol->erase();
}

} // namespace gluond::passes
