#include "driver/inspect/KernelBuffers.h"

#include "ir/layouts/Layouts.h"
#include "ir/tt/Ops.h"
#include "ir/ttg/Ops.h"
#include "layout/tolinear/ToLinearLayout.h"

namespace gluond::driver {

using namespace mlir;

KernelBuffers::KernelBuffers(ModuleOp module) {
  module.walk([&](tt::FuncOp function) {
    if (!function.isDeclaration())
      functions_.push_back(std::make_unique<passes::SharedMemory>(
          function, [](Operation*) -> int64_t { return 0; }));
  });
}

llvm::SmallVector<Operation*, 2> KernelBuffers::of(Value memory) const {
  llvm::SmallVector<Operation*, 2> found;
  for (const auto& function : functions_)
    for (unsigned index : function->pointedBy(memory)) {
      if (function->buffers()[index].isCallers()) return {};
      found.push_back(function->buffers()[index].op);
    }
  return found;
}

layout::ShapeVector KernelBuffers::shapeOf(Value memory) const {
  auto type = cast<ttg::MemDescType>(memory.getType());
  layout::Shape alloc = type.getAllocShape();
  layout::Shape own = layout::withoutPipelineDims(ir::toLayout(type.getEncoding()), alloc);
  layout::ShapeVector slots(alloc.drop_back(own.size()));
  if (slots.empty())
    for (auto [i, op] : llvm::enumerate(of(memory))) {
      auto whole = cast<ttg::MemDescType>(op->getResult(0).getType());
      size_t rank =
          layout::withoutPipelineDims(ir::toLayout(whole.getEncoding()), whole.getShape()).size();
      layout::ShapeVector leading(whole.getShape().drop_back(rank));
      if (i && leading != slots) return layout::ShapeVector(own); // of one or the other
      slots = std::move(leading);
    }
  slots.append(own.begin(), own.end());
  return slots;
}

} // namespace gluond::driver
