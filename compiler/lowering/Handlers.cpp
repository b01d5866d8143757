#include "lowering/Handlers.h"

#include "lowering/Scratch.h"

namespace gluond::lowering {

HandlerTable withSharedHandlers(llvm::ArrayRef<llvm::ArrayRef<OpRow>> own) {
  HandlerTable table;
  for (auto family : {arithmeticOps, conversionOps, mathOps, sanitizerOps, controlOps, shapeOps,
                      globalMemoryOps, atomicOps, sharedMemoryOps, convertLayoutOps, reduceOps,
                      scanOps, gatherOps, assemblyOps, messageOps, warpSpecializeOps})
    for (const OpRow& row : family())
      table.insert({row.op, row});
  for (llvm::ArrayRef<OpRow> family : own)
    for (const OpRow& row : family)
      table.insert_or_assign(row.op, row);
  return table;
}

const HandlerTable& sharedHandlers() {
  static const HandlerTable table = withSharedHandlers({});
  return table;
}

bool lowerAsShared(FunctionEmitter& e, mlir::Operation* op) {
  return sharedHandlers().find(op->getName().getStringRef())->second.handler(e, op);
}

int64_t scratchBytesAsShared(mlir::Operation* op) {
  return scratchBytes(sharedHandlers(), op);
}

} // namespace gluond::lowering
