// AMD: tensors in registers.
#include "ir/amdg/Ops.h"
#include "simulate/operations/Buffers.h"
#include "simulate/operations/StridedWalk.h"
#include "simulate/operations/elementwise/Elementwise.h"

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

// Tensors of numbers, of pairs of fp4 (the lower half of each byte first) and of scales, of which
// each may serve several neighbours along the axis.
struct ScaledAxis {
  size_t inner = 1, along = 1, perScale = 1; // elements after one along the axis; of the axis
  size_t of(size_t i) const { return i / inner % along; }
  size_t scale(size_t i) const {
    return (i / inner / along * (along / perScale) + of(i) / perScale) * inner + i % inner;
  }
  size_t byte(size_t i) const {
    return (i / inner / along * (along / 2) + of(i) / 2) * inner + i % inner;
  }
};
ScaledAxis scaledAxis(ArrayRef<int64_t> numbers, mlir::Value scales, size_t axis) {
  ScaledAxis result;
  for (size_t d = axis + 1; d < numbers.size(); ++d)
    result.inner *= static_cast<size_t>(numbers[d]);
  result.along = static_cast<size_t>(numbers[axis]);
  result.perScale =
      result.along / static_cast<size_t>(cast<RankedTensorType>(scales.getType()).getShape()[axis]);
  return result;
}

template <class Op> Made upcast(Operation* op, Translator&) {
  auto element = elementOf(op->getResult(0).getType());
  Shape shape = shapeOf(op->getResult(0));
  constexpr bool isFp4 = std::is_same_v<Op, amdg::ScaledUpcastFp4Op>;
  size_t dim = 0;
  if constexpr (isFp4) dim = cast<Op>(op).getAxis();
  ScaledAxis axis = scaledAxis(shape, op->getOperand(1), dim);
  return Action([element = *element, shape, axis](Execution& x) {
    const Tensor &input = x.tensor(0), &scales = x.tensor(1);
    auto result = std::make_shared<Tensor>(element, shape);
    for (size_t i = 0; i < result->count(); ++i) {
      double number;
      if constexpr (isFp4) {
        unsigned byte = input.as<uint8_t>()[axis.byte(i)];
        number = static_cast<double>(fp4ToFloat(axis.of(i) & 1 ? byte >> 4 : byte & 15u));
      } else {
        number = numberAt(input.element(), input.data() + i);
      }
      storeNumber(element, number * static_cast<double>(scaleAt(scales, axis.scale(i))),
                  result->data() + i * bytesOf(element));
    }
    x.set(0, std::move(result));
    return Step::Next;
  });
}

// Divides by the scales, and rounds once.
template <class Op> Made downcast(Operation* op, Translator&) {
  auto element = elementOf(op->getResult(0).getType());
  constexpr bool isFp4 = std::is_same_v<Op, amdg::ScaledDowncastFp4Op>;
  ScaledAxis axis =
      scaledAxis(shapeOf(op->getOperand(0)), op->getOperand(1), cast<Op>(op).getAxis());
  return Action([element = *element, shape = shapeOf(op->getResult(0)), axis](Execution& x) {
    const Tensor &input = x.tensor(0), &scales = x.tensor(1);
    auto result = std::make_shared<Tensor>(element, shape);
    std::memset(result->data(), 0, result->bytes());
    unsigned bytes = bytesOf(input.element());
    for (size_t i = 0; i < input.count(); ++i) {
      double number = numberAt(input.element(), input.data() + i * bytes) /
                      static_cast<double>(scaleAt(scales, axis.scale(i)));
      if constexpr (isFp4)
        result->as<uint8_t>()[axis.byte(i)] |= static_cast<uint8_t>(
            floatToFp4(static_cast<float>(number)) << (axis.of(i) & 1 ? 4 : 0));
      else
        storeNumber(element, number, result->data() + i);
    }
    x.set(0, std::move(result));
    return Step::Next;
  });
}

// The same elements in other registers.
Made same(Operation*, Translator&) {
  return Action([](Execution& x) {
    x.set(0, x.in(0));
    return Step::Next;
  });
}

// Pairs of fp4 that are neighbours along one of the last two dimensions in shared memory, and along
// the other one in the result: along K, the last dimension of a left operand.
Made loadTransposedPairs(Operation* op, Translator& t) {
  auto load = cast<amdg::LocalLoadPackedTransposedOp>(op);
  auto places = t.places(load.getSrc().getType());
  if (!places) return tl::unexpected(places.error());
  Shape shape = shapeOf(op->getResult(0));
  size_t rank = shape.size();
  bool packsRows = places.value()->shape()[rank - 2] < shape[rank - 2]; // in memory
  return Action([places = *places, shape, rank, packsRows](Execution& x) {
    std::shared_ptr<Tensor> source;
    if (Step step = loadBuffer(x, *places, x.view(0), source); step != Step::Next) return step;
    auto result = std::make_shared<Tensor>(Element::I8, shape);
    std::memset(result->data(), 0, result->bytes());
    // Sizes in fp4.
    auto rows = static_cast<size_t>(shape[rank - 2]) * (packsRows ? 1 : 2),
         columns = static_cast<size_t>(shape[rank - 1]) * (packsRows ? 2 : 1);
    size_t each = rows * columns / 2, batches = result->count() / each;
    auto byteAt = [&](size_t batch, size_t row, size_t column, bool areRows) {
      return batch * each +
             (areRows ? row / 2 * columns + column : row * (columns / 2) + column / 2);
    };
    for (size_t batch = 0; batch < batches; ++batch)
      for (size_t row = 0; row < rows; ++row)
        for (size_t column = 0; column < columns; ++column) {
          unsigned byte = source->as<uint8_t>()[byteAt(batch, row, column, packsRows)];
          unsigned code = (packsRows ? row : column) & 1 ? byte >> 4 : byte & 15u;
          result->as<uint8_t>()[byteAt(batch, row, column, !packsRows)] |=
              static_cast<uint8_t>(code << ((packsRows ? column : row) & 1 ? 4 : 0));
        }
    x.set(0, std::move(result));
    return Step::Next;
  });
}

} // namespace

void addAmdTensors(OperationTable& table) {
  table["amdg.extract_slice"] = extractSlice;
  table["amdg.concat"] = concatenate;
  table["amdg.scaled_upcast_fp8"] = upcast<amdg::ScaledUpcastFp8Op>;
  table["amdg.scaled_upcast_fp4"] = upcast<amdg::ScaledUpcastFp4Op>;
  table["amdg.scaled_downcast_fp8"] = downcast<amdg::ScaledDowncastFp8Op>;
  table["amdg.scaled_downcast_fp4"] = downcast<amdg::ScaledDowncastFp4Op>;
  table["amdg.in_thread_transpose"] = same;
  table["amdg.local_load_packed_transposed"] = loadTransposedPairs;
}

} // namespace gluond::simulate
