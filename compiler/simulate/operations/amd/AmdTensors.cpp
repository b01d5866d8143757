// AMD: tensors in registers.
#include "ir/amdg/Ops.h"
#include "simulate/operations/Elementwise.h"
#include "simulate/operations/Strided.h"

namespace gluond::simulate {
using namespace mlir;

namespace {

Shape shapeOf(mlir::Value value) {
  auto shape = cast<RankedTensorType>(value.getType()).getShape();
  return Shape(shape.begin(), shape.end());
}

Made extractSlice(Operation* op, Translator&) {
  auto slice = cast<amdg::ExtractSliceOp>(op);
  Shape shape = shapeOf(op->getResult(0)), strides = rowMajor(shapeOf(slice.getSource()));
  int64_t first = 0;
  for (auto [offset, stride] : llvm::zip(slice.getStaticOffsets(), strides))
    first += offset * stride;
  return Action([shape, strides, first](Execution& x) {
    const Tensor& source = x.tensor(0);
    auto result = std::make_shared<Tensor>(source.element(), shape);
    gather(source.data() + static_cast<size_t>(first) * bytesOf(source.element()), strides,
           *result);
    x.set(0, std::move(result));
    return Step::Next;
  });
}

// Tiles in row-major order.
Made concatenate(Operation* op, Translator&) {
  Shape shape = shapeOf(op->getResult(0)), tile = shapeOf(op->getOperand(0));
  return Action([shape, tile](Execution& x) {
    auto result = std::make_shared<Tensor>(x.tensor(0).element(), shape);
    size_t bytes = bytesOf(result->element()), rank = shape.size();
    Shape strides = rowMajor(shape), at(rank, 0);
    for (unsigned i = 0; i < x.instruction.operands; ++i) {
      int64_t first = 0;
      for (size_t d = 0; d < rank; ++d)
        first += at[d] * tile[d] * strides[d];
      const std::byte* from = x.tensor(i).data();
      forEachRow(tile, strides, [&](int64_t offset, size_t element, size_t count, int64_t) {
        std::memcpy(result->data() + static_cast<size_t>(first + offset) * bytes,
                    from + element * bytes, count * bytes);
      });
      for (size_t d = rank; d-- > 0;) {
        if (++at[d] < shape[d] / tile[d]) break;
        at[d] = 0;
      }
    }
    x.set(0, std::move(result));
    return Step::Next;
  });
}

float scaleAt(const Tensor& scales, size_t i) {
  if (scales.element() == Element::BF16) return bfloatToFloat(scales.as<uint16_t>()[i]);
  return smallFloats(Element::E8M0)[scales.as<uint8_t>()[i]];
}

Made upcastFp8(Operation* op, Translator&) {
  auto element = elementOf(op->getResult(0).getType());
  return Action([element = *element](Execution& x) {
    const Tensor &input = x.tensor(0), &scales = x.tensor(1);
    auto result = std::make_shared<Tensor>(element, input.shape());
    for (size_t i = 0; i < result->count(); ++i)
      storeNumber(element,
                  numberAt(input.element(), input.data() + i) *
                      static_cast<double>(scaleAt(scales, i)),
                  result->data() + i * bytesOf(element));
    x.set(0, std::move(result));
    return Step::Next;
  });
}

// Pairs along an axis; a scale for each number.
Made upcastFp4(Operation* op, Translator&) {
  auto upcast = cast<amdg::ScaledUpcastFp4Op>(op);
  auto element = elementOf(op->getResult(0).getType());
  Shape shape = shapeOf(op->getResult(0));
  size_t axis = upcast.getAxis();
  return Action([element = *element, shape, axis](Execution& x) {
    const Tensor &input = x.tensor(0), &scales = x.tensor(1);
    auto result = std::make_shared<Tensor>(element, shape);
    Shape own = rowMajor(shape);
    auto inner = static_cast<size_t>(own[axis]), along = static_cast<size_t>(shape[axis]);
    if (scales.count() != result->count())
      return x.unsupported("scales of another shape than the result");
    for (size_t i = 0; i < result->count(); ++i) {
      size_t at = i / inner % along, before = i / inner / along;
      unsigned byte = input.as<uint8_t>()[(before * (along / 2) + at / 2) * inner + i % inner];
      storeNumber(element,
                  static_cast<double>(fp4ToFloat(at & 1 ? byte >> 4 : byte & 15u)) *
                      static_cast<double>(scaleAt(scales, i)),
                  result->data() + i * bytesOf(element));
    }
    x.set(0, std::move(result));
    return Step::Next;
  });
}

} // namespace

void addAmdTensors(OperationTable& table) {
  table["amdg.extract_slice"] = extractSlice;
  table["amdg.concat"] = concatenate;
  table["amdg.scaled_upcast_fp8"] = upcastFp8;
  table["amdg.scaled_upcast_fp4"] = upcastFp4;
}

} // namespace gluond::simulate
