// Matrix products of registers and of shared memory.
#include "ir/tt/Ops.h"
#include "ir/ttng/Ops.h"
#include "simulate/operations/Buffers.h"
#include "simulate/operations/Elementwise.h"
#include "simulate/operations/Matrix.h"
#include "simulate/operations/ScaledOperand.h"

namespace gluond::simulate {
using namespace mlir;

namespace {

Precision precisionOf(tt::InputPrecision precision) {
  return precision == tt::InputPrecision::TF32 ? Precision::Tf32 : Precision::Ieee;
}

Step setProduct(Execution& x, TensorRef product) {
  if (!product) return x.unsupported("a product of these element types");
  x.set(0, std::move(product));
  return Step::Next;
}

Made dot(Operation* op, Translator&) {
  auto dot = cast<tt::DotOp>(op);
  auto element = elementOf(op->getResult(0).getType());
  if (!element) return tl::unexpected<std::string>("its element type is not known");
  return Action(
      [element = *element, precision = precisionOf(dot.getInputPrecision())](Execution& x) {
        return setProduct(x, multiply(x.tensor(0), x.tensor(1), &x.tensor(2), element, precision));
      });
}

// wgmma. It is computed when it is issued: a kernel that changes an operand before it waits is told
// so by `gluond check`.
Made warpGroupDot(Operation* op, Translator& t) {
  auto dot = cast<ttng::WarpGroupDotOp>(op);
  auto element = elementOf(op->getResult(0).getType());
  if (!element) return tl::unexpected<std::string>("its element type is not known");
  std::array<PlacesRef, 2> places; // of operands in shared memory
  for (unsigned i = 0; i < 2; ++i)
    if (auto memory = dyn_cast<ttg::MemDescType>(op->getOperand(i).getType())) {
      auto found = t.places(memory);
      if (!found) return tl::unexpected(found.error());
      places[i] = *found;
    }
  // The matrix unit reads fp32 as tf32, whatever the op says.
  return Action([element = *element, places, hasCondition = bool(dot.getUseC())](Execution& x) {
    TensorRef operands[2];
    for (unsigned i = 0; i < 2; ++i) {
      if (!places[i]) {
        operands[i] = std::get<TensorRef>(x.in(i));
        continue;
      }
      std::shared_ptr<Tensor> loaded;
      if (Step step = loadBuffer(x, *places[i], x.view(i), loaded); step != Step::Next) return step;
      operands[i] = std::move(loaded);
    }
    const Tensor* c = !hasCondition || x.flag(3) ? &x.tensor(2) : nullptr;
    return setProduct(x, multiply(*operands[0], *operands[1], c, element, Precision::Tf32));
  });
}

Made waitForDots(Operation*, Translator&) {
  return Action([](Execution& x) {
    for (unsigned i = 0; i < x.instruction.results; ++i)
      x.set(i, x.in(i));
    return Step::Next;
  });
}

// ---------------------------------------------------------------- with scales

Made scaledDot(Operation* op, Translator&) {
  auto dot = cast<tt::DotScaledOp>(op);
  auto element = elementOf(op->getResult(0).getType());
  if (!element) return tl::unexpected<std::string>("its element type is not known");
  ScaledOperand a{dot.getAElemType(), dot.getLhsKPack(), false},
      b{dot.getBElemType(), dot.getRhsKPack(), true};
  int aScale = dot.getAScale() ? 3 : -1, bScale = dot.getBScale() ? (dot.getAScale() ? 4 : 3) : -1;
  return Action([=, element = *element](Execution& x) {
    auto left = unpacked(a, x.tensor(0)), right = unpacked(b, x.tensor(1));
    if (aScale >= 0) applyScales(a, *left, x.tensor(static_cast<unsigned>(aScale)));
    if (bScale >= 0) applyScales(b, *right, x.tensor(static_cast<unsigned>(bScale)));
    return setProduct(x, multiply(*left, *right, &x.tensor(2), element, Precision::Ieee));
  });
}

} // namespace

void addDots(OperationTable& table) {
  table["tt.dot"] = dot;
  table["tt.dot_scaled"] = scaledDot;
  table["ttng.warp_group_dot"] = warpGroupDot;
  table["ttng.warp_group_dot_wait"] = waitForDots;
}

} // namespace gluond::simulate
