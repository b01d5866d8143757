#include "passes/layouts/EncodingFlow.h"

#include "ir/amdg/Ops.h"
#include "ir/tt/Ops.h"
#include "ir/ttg/Ops.h"
#include "ir/ttng/Ops.h"

#include <llvm/ADT/TypeSwitch.h>
#include <mlir/Dialect/SCF/IR/SCF.h>

namespace gluond::passes {
using namespace mlir;

namespace {

// Returns the result of the encoding's dialect, or null if it has none.
template <class Ask> Attribute ask(Attribute encoding, Ask question) {
  const tt::InferLayoutInterface* interface = tt::inferLayout(encoding);
  if (!interface) return {};
  FailureOr<Attribute> answer = question(*interface);
  return succeeded(answer) ? *answer : Attribute();
}

RankedTensorType tensor(Value value) {
  return cast<RankedTensorType>(value.getType());
}

// Every operand and result has the same one.
bool isUniform(Operation* op) {
  return op->hasTrait<tt::SameOperandsAndResultEncoding>() ||
         op->hasTrait<tt::SameLoadStoreOperandsAndResultEncoding>() ||
         op->hasTrait<OpTrait::Elementwise>() ||
         isa<scf::WhileOp, scf::YieldOp, scf::ConditionOp, ttng::WarpGroupDotWaitOp>(op);
}

// Whether the operands' layouts do not determine the results': upcasts with scales relate all their
// layouts.
bool choosesItself(Operation* op, Attribute encoding) {
  return (isa<tt::ScanOp>(op) && !isa<ttg::BlockedEncodingAttr>(encoding)) ||
         isa<amdg::ScaledUpcastFp4Op, amdg::ScaledUpcastFp8Op>(op);
}

Attribute slice(unsigned axis, Attribute encoding) {
  auto parent = dyn_cast<ttg::DistributedEncodingTrait>(encoding);
  return parent ? Attribute(ttg::SliceEncodingAttr::get(encoding.getContext(), axis, parent))
                : Attribute();
}
Attribute unslice(unsigned axis, Attribute encoding) {
  auto slice = dyn_cast<ttg::SliceEncodingAttr>(encoding);
  return slice && slice.getDim() == axis ? Attribute(slice.getParent()) : Attribute();
}

Attribute transposed(Attribute encoding, ArrayRef<int64_t> shape, ArrayRef<int32_t> order) {
  return ask(encoding,
             [&](auto& dialect) { return dialect.trans(encoding, shape, order, std::nullopt); });
}
SmallVector<int32_t> inverse(ArrayRef<int32_t> order) {
  SmallVector<int32_t> result(order.size());
  for (auto [i, axis] : llvm::enumerate(order))
    result[axis] = static_cast<int32_t>(i);
  return result;
}

Attribute reshaped(tt::ReshapeOp op, Attribute encoding, RankedTensorType from,
                   RankedTensorType to) {
  return ask(encoding, [&](auto& dialect) {
    return dialect.reshape(from.getShape(), encoding, to.getShape(), to.getEncoding(),
                           op.getAllowReorder(), std::nullopt);
  });
}
Attribute joined(Attribute encoding, RankedTensorType part) {
  return ask(encoding,
             [&](auto& dialect) { return dialect.join(encoding, part.getShape(), std::nullopt); });
}
Attribute halved(Attribute encoding, RankedTensorType whole) {
  return ask(encoding, [&](auto& dialect) {
    return dialect.split(encoding, whole.getShape(), std::nullopt);
  });
}
Attribute unpacked(ttg::Fp4ToFpOp op, Attribute encoding, RankedTensorType from, bool forward) {
  return ask(encoding, [&](auto& dialect) {
    return dialect.fp4ToFp(from.getShape(), op.getAxis(), encoding, forward, std::nullopt);
  });
}

} // namespace

Attribute resultEncoding(Operation* op, Attribute encoding) {
  if (choosesItself(op, encoding)) return {};
  if (isUniform(op) || isa<scf::ForOp>(op)) return encoding;
  return TypeSwitch<Operation*, Attribute>(op)
      .Case([&](tt::ReduceOp reduce) -> Attribute {
        auto layout = dyn_cast<ttg::LayoutEncodingTrait>(encoding);
        if (!layout || layout.getRank() == 1) return {}; // a scalar
        return slice(reduce.getAxis(), encoding);
      })
      .Case([&](tt::ExpandDimsOp expand) { return unslice(expand.getAxis(), encoding); })
      .Case([&](tt::JoinOp join) { return joined(encoding, tensor(join.getLhs())); })
      .Case([&](tt::SplitOp split) { return halved(encoding, tensor(split.getSrc())); })
      .Case([&](tt::TransposeOpInterface trans) {
        return transposed(encoding, tensor(trans.getSrc()).getShape(), trans.getOrder());
      })
      .Case([&](tt::ReshapeOp reshape) {
        return reshaped(reshape, encoding, tensor(reshape.getSrc()), reshape.getType());
      })
      .Case<tt::GatherOp, tt::BroadcastOp>([&](auto) { return encoding; })
      .Case([&](ttg::Fp4ToFpOp op) { return unpacked(op, encoding, tensor(op.getSrc()), true); })
      .Default([](Operation*) { return Attribute(); });
}

Attribute operandEncoding(Operation* op, Attribute encoding) {
  if (choosesItself(op, encoding)) return {};
  if (isUniform(op)) return encoding;
  return TypeSwitch<Operation*, Attribute>(op)
      .Case([&](tt::ReduceOp reduce) { return unslice(reduce.getAxis(), encoding); })
      .Case([&](tt::ExpandDimsOp expand) { return slice(expand.getAxis(), encoding); })
      .Case([&](tt::JoinOp join) { return halved(encoding, join.getType()); })
      .Case([&](tt::SplitOp split) { return joined(encoding, tensor(split.getOutLHS())); })
      .Case([&](tt::TransposeOpInterface trans) {
        return transposed(encoding, tensor(trans->getResult(0)).getShape(),
                          inverse(trans.getOrder()));
      })
      .Case([&](tt::ReshapeOp reshape) {
        return reshaped(reshape, encoding, reshape.getType(), tensor(reshape.getSrc()));
      })
      .Case<tt::GatherOp, tt::BroadcastOp>([&](auto) { return encoding; })
      .Case([&](ttg::Fp4ToFpOp op) { return unpacked(op, encoding, op.getType(), false); })
      .Default([](Operation*) { return Attribute(); });
}

bool encodingMayVary(Operation* op) {
  return isa<tt::JoinOp, tt::SplitOp, tt::ReshapeOp, tt::TransOp>(op);
}

} // namespace gluond::passes
