// Arithmetic on pairs and fours of elements (Blackwell). Operands are exact; the result is rounded
// once, towards zero where the instruction narrows fp32.
#include "ir/ttng/Ops.h"
#include "simulate/operations/elementwise/Elementwise.h"

namespace gluond::simulate {
using namespace mlir;

namespace {

using Kind = ttng::PackedArithOpKind;

double combine(Kind kind, double a, double b, double c) {
  switch (kind) {
  case Kind::ADD:
    return a + b;
  case Kind::SUB:
    return a - b;
  case Kind::MUL:
    return a * b;
  case Kind::FMA:
    return std::fma(a, b, c);
  case Kind::MIN: // a number beats NaN
    return std::fmin(a, b);
  case Kind::MAX:
    break;
  }
  return std::fmax(a, b);
}

// An operand: numbers, or pairs of fp4 along an axis, the lower half of each byte first.
struct Source {
  Element element;
  bool isFp4;
};

Made packed(Operation* op, Translator&) {
  auto arithmetic = cast<ttng::PackedArithOp>(op);
  auto type = cast<RankedTensorType>(op->getResult(0).getType());
  auto to = elementOf(type);
  std::vector<Source> sources;
  bool isNarrowed = false;
  for (mlir::Value operand : op->getOperands()) {
    auto element = elementOf(operand.getType());
    if (!element || !to) return tl::unexpected<std::string>("its element type is not known");
    sources.push_back({*element, *element == Element::I8});
    isNarrowed |= *element == Element::F32 && (*to == Element::F16 || *to == Element::BF16);
  }
  size_t axis = ttng::packedFp4Axis(arithmetic).value_or(0), inner = 1;
  for (size_t d = axis + 1; d < type.getShape().size(); ++d)
    inner *= static_cast<size_t>(type.getShape()[d]);
  Shape shape(type.getShape());
  return Action([=, kind = arithmetic.getOpKind(), to = *to](Execution& x) {
    auto result = std::make_shared<Tensor>(to, shape);
    auto along = static_cast<size_t>(shape[axis]);
    for (size_t i = 0; i < result->count(); ++i) {
      double numbers[3] = {};
      for (unsigned k = 0; k < sources.size(); ++k) {
        const Tensor& from = x.tensor(k);
        if (!sources[k].isFp4) {
          numbers[k] = numberAt(from.element(), from.data() + i * bytesOf(from.element()));
          continue;
        }
        size_t at = i / inner % along, before = i / inner / along;
        unsigned byte = from.as<uint8_t>()[(before * (along / 2) + at / 2) * inner + i % inner];
        numbers[k] = static_cast<double>(fp4ToFloat(at & 1 ? byte >> 4 : byte & 15u));
      }
      storeNumber(to, combine(kind, numbers[0], numbers[1], numbers[2]),
                  result->data() + i * bytesOf(to),
                  isNarrowed ? Rounding::TowardsZero : Rounding::Nearest);
    }
    x.set(0, std::move(result));
    return Step::Next;
  });
}

} // namespace

void addPackedArithmetic(OperationTable& table) {
  table["ttng.packed_arith"] = packed;
}

} // namespace gluond::simulate
