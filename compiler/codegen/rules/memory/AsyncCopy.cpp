// Asynchronous copies between global and shared memory (cp.async and AMD's counterparts).
#include "codegen/rules/common/Memory.h"
#include "ir/layouts/Layouts.h"
#include "ir/ttg/Ops.h"
#include "layout/access/GlobalAccess.h"

namespace gluond::codegen {

// The most contiguous bytes in a thread's registers, whatever the pointers are.
static int64_t contiguousBytes(IrBuilder& emit, const Type* pointers) {
  mlir::Type type = emit.irType(pointers);
  auto tensor = llvm::dyn_cast_if_present<mlir::RankedTensorType>(type);
  if (!tensor || !tensor.getEncoding() || language::isUnresolved(pointers->layout())) return 16;
  const layout::LinearLayout& linear = ir::toLinearLayout(tensor);
  if (!linear.valid()) return 16;
  return layout::longestRun(linear) * pointers->scalar()->element()->bits() / 8;
}

namespace rules {

// Pointers of the buffer's shape; false after reporting.
static bool checkShapes(IrBuilder& emit, const Arguments& args, Memory smem, Tensor pointer,
                        size_t at) {
  if (smem.type->shape() == pointer.shape()) return true;
  emit.error(Id::SharedShapeMismatch, args.node(at), shapeText(pointer.shape()),
             shapeText(smem.type->shape()));
  return false;
}

Value asyncCopyLoad(IrBuilder& emit, const Arguments& args) {
  Memory smem = sharedArgument(emit, args, 0, "smem");
  Tensor pointer = smem ? tensorArgument(emit, args, 1, "pointer") : Tensor(), mask;
  if (!pointer) return Value::unknown();
  auto policy = cachePolicy(emit, args, 6, 3, 4);
  auto isVolatile = policy ? flagArgument(emit, args, 5, "volatile") : std::nullopt;
  if (!isVolatile) return Value::unknown();
  if (!booleanMask(emit, args, 2, mask)) return Value::unknown();
  if (mask && !broadcast(emit, pointer, mask, args.node(1), args.node(2))) return Value::unknown();
  if (!checkShapes(emit, args, smem, pointer, 1)) return Value::unknown();
  if (!pointer.scalar()->isPointer())
    return emit.error(Id::LoadNotAPointer, args.node(1), "async_load", args[1]);
  if (pointer.isBlock() && emit.target().isCuda())
    if (int64_t bytes = contiguousBytes(emit, pointer.type); bytes < 4)
      emit.warning(Id::AsyncCopyWidth, args.node(1), bytes);
  emit.create<ttg::AsyncCopyGlobalToLocalOp>(pointer.handle, smem.handle, mask.handle,
                                             mlir::Value(), *policy, *isVolatile);
  return Value::none();
}

// cdna4.global_load_to_shared, cdna5.global_to_shared: (buffer, pointer, mask, other,
// cache_modifier)
Value asyncCopyGlobalToShared(IrBuilder& emit, const Arguments& args) {
  Memory smem = sharedArgument(emit, args, 0, "dest");
  Tensor pointer = smem ? blockArgument(emit, args, 1, "pointer") : Tensor(), mask, other;
  if (!pointer || !checkShapes(emit, args, smem, pointer, 1)) return Value::unknown();
  if (!pointer.scalar()->isPointer())
    return emit.error(Id::LoadNotAPointer, args.node(1), "this copy", args[1]);
  if (!booleanMask(emit, args, 2, mask)) return Value::unknown();
  if (mask && !broadcast(emit, pointer, mask, args.node(1), args.node(2))) return Value::unknown();
  if (!isNone(args, 3)) {
    other = toTensorArgument(emit, args, 3);
    if (other) other = cast(emit, other, pointer.scalar()->element(), args.node(3));
    if (!other || !broadcast(emit, pointer, other, args.node(1), args.node(3)))
      return Value::unknown();
  }
  auto policy = cachePolicy(emit, args, -1, 4, -1);
  if (!policy) return Value::unknown();
  emit.create<ttg::AsyncCopyGlobalToLocalOp>(pointer.handle, smem.handle, mask.handle, other.handle,
                                             *policy, false);
  return Value::none();
}

Value asyncCommitGroup(IrBuilder& emit, const Arguments&) {
  emit.create<ttg::AsyncCommitGroupOp>(mlir::ValueRange());
  return Value::none();
}

Value asyncWaitGroup(IrBuilder& emit, const Arguments& args) {
  auto outstanding = intArgument(emit, args, 0, "num_outstanding");
  if (!outstanding) return Value::unknown();
  emit.create<ttg::AsyncWaitOp>(mlir::ValueRange(), static_cast<uint32_t>(*outstanding));
  return Value::none();
}

} // namespace rules

} // namespace gluond::codegen
