// Matrix products of registers and of shared memory.
#include "ir/tt/Ops.h"
#include "ir/ttng/Ops.h"
#include "simulate/operations/Buffers.h"
#include "simulate/operations/Matrix.h"
#include "simulate/operations/ScaledOperand.h"
#include "simulate/operations/elementwise/Elementwise.h"

namespace gluond::simulate {
using namespace mlir;

namespace {

// How the instruction reads fp32: threads that multiply by themselves, WMMA, and MFMA except that
// of xf32, which has twice the K, read all of it.
Precision precisionOf(tt::DotOp dot) {
  if (dot.getInputPrecision() != tt::InputPrecision::TF32) return Precision::Ieee;
  auto encoding = dot.getType().getEncoding();
  if (isa<ttg::NvidiaMmaEncodingAttr>(encoding)) return Precision::Tf32;
  auto mfma = dyn_cast<ttg::AMDMfmaEncodingAttr>(encoding);
  if (!mfma) return Precision::Ieee;
  auto shape = mfma.getInstrShape().take_back(3);
  return shape[0] * shape[2] == 128 ? Precision::Tf32 : Precision::Ieee;
}

Step setProduct(Execution& x, TensorRef product) {
  if (!product) return x.unsupported("products of these element types");
  x.set(0, std::move(product));
  return Step::Next;
}

Made dot(Operation* op, Translator&) {
  auto dot = cast<tt::DotOp>(op);
  auto element = elementOf(op->getResult(0).getType());
  if (!element) return tl::unexpected<std::string>("its element type is not known");
  return Action([element = *element, precision = precisionOf(dot)](Execution& x) {
    return setProduct(x, multiply(x.tensor(0), x.tensor(1), &x.tensor(2), element, precision));
  });
}

// All but the last `left` of the partition's products end.
Step finishProducts(Execution& x, size_t left) {
  Step step = Step::Next;
  ordering::InFlight::takeAllBut(x.thread.dots, left, [&](uint32_t product) {
    if (step == Step::Next) step = x.machine.await(x.state, x.thread, product);
  });
  return step;
}

// wgmma. It reads its operands when it is waited for, as late as the hardware may: what changes
// them before is seen in the result.
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
  Shape shape(cast<RankedTensorType>(op->getResult(0).getType()).getShape());
  // The matrix unit reads fp32 as tf32, whatever the op says.
  auto compute = [element = *element, places](Execution& x, const Product::Operands& operands,
                                              TensorRef& result) {
    TensorRef loaded[2];
    for (unsigned i = 0; i < 2; ++i) {
      if (!places[i]) {
        loaded[i] = std::get<TensorRef>(operands[i]);
        continue;
      }
      std::shared_ptr<Tensor> elements;
      if (Step step = loadBuffer(x, *places[i], std::get<View>(operands[i]), elements);
          step != Step::Next)
        return step;
      loaded[i] = std::move(elements);
    }
    const auto* c = std::get_if<TensorRef>(&operands[2]);
    result = multiply(*loaded[0], *loaded[1], c ? c->get() : nullptr, element, Precision::Tf32);
    return result ? Step::Next : x.unsupported("products of these element types");
  };
  return Action([compute, shape, element = *element, hasCondition = bool(dot.getUseC()),
                 isAsync = dot.getIsAsync()](Execution& x) {
    bool adds = !hasCondition || x.flag(3);
    auto promised = std::make_shared<Tensor>(element, shape);
    std::memset(promised->data(), static_cast<int>(SharedMemory::garbage), promised->bytes());
    x.thread.products.push_back({compute,
                                 {x.in(0), x.in(1), adds ? x.in(2) : simulate::Value()},
                                 promised,
                                 x.instruction.op});
    // Products of a partition end in the order in which they were issued.
    x.thread.dots.push_back(x.machine.issue(
        x.state, x.thread, x.machine.makeOperation(x.state, x.instruction, [](Execution& x) {
          return x.machine.finishProduct(x);
        })));
    x.set(0, TensorRef(std::move(promised)));
    return isAsync ? Step::Next : finishProducts(x, 0);
  });
}

Made waitForDots(Operation* op, Translator&) {
  return Action([left = size_t(cast<ttng::WarpGroupDotWaitOp>(op).getPendings())](Execution& x) {
    if (Step step = finishProducts(x, left); step != Step::Next) return step;
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
