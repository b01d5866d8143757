// Ops that make, reshape, combine and take apart tensors: the order of elements, and nothing else.
#include "ir/tt/Ops.h"
#include "ir/ttg/Ops.h"
#include "simulate/operations/StridedWalk.h"
#include "simulate/operations/elementwise/Elementwise.h"

namespace gluond::simulate {
using namespace mlir;

namespace {

Shape shapeOfResult(Operation* op, unsigned i = 0) {
  auto type = cast<RankedTensorType>(op->getResult(i).getType());
  return Shape(type.getShape().begin(), type.getShape().end());
}

Made makeRange(Operation* op, Translator&) {
  auto range = cast<tt::MakeRangeOp>(op);
  auto tensor = std::make_shared<Tensor>(Element::I32, shapeOfResult(op));
  for (size_t i = 0; i < tensor->count(); ++i)
    tensor->as<uint32_t>()[i] = range.getStart() + static_cast<uint32_t>(i);
  return Action([tensor = TensorRef(std::move(tensor))](Execution& x) {
    x.set(0, tensor);
    return Step::Next;
  });
}

TensorRef splatOf(const Scalar& value, ArrayRef<int64_t> shape) {
  auto tensor = std::make_shared<Tensor>(value.element, shape);
  switch (bytesOf(value.element)) {
  case 1:
    std::memset(tensor->data(), static_cast<int>(value.bits & 0xff), tensor->count());
    break;
  case 2:
    std::fill_n(tensor->as<uint16_t>(), tensor->count(), static_cast<uint16_t>(value.bits));
    break;
  case 4:
    std::fill_n(tensor->as<uint32_t>(), tensor->count(), static_cast<uint32_t>(value.bits));
    break;
  default:
    std::fill_n(tensor->as<uint64_t>(), tensor->count(), value.bits);
  }
  return tensor;
}

Made splat(Operation* op, Translator&) {
  return Action([shape = shapeOfResult(op)](Execution& x) {
    x.set(0, splatOf(x.scalar(0), shape));
    return Step::Next;
  });
}

Made unsplat(Operation*, Translator&) {
  return Action([](Execution& x) {
    Scalar value{0, x.tensor(0).element()};
    std::memcpy(&value.bits, x.tensor(0).data(), bytesOf(value.element));
    x.set(0, value);
    return Step::Next;
  });
}

// The same elements in the same order.
Made reshape(Operation* op, Translator&) {
  return Action([shape = shapeOfResult(op)](Execution& x) {
    auto result = std::make_shared<Tensor>(x.tensor(0).element(), shape);
    std::memcpy(result->data(), x.tensor(0).data(), result->bytes());
    x.set(0, std::move(result));
    return Step::Next;
  });
}

Made same(Operation*, Translator&) {
  return Action([](Execution& x) {
    x.set(0, x.in(0));
    return Step::Next;
  });
}

Made broadcast(Operation* op, Translator&) {
  auto from = cast<RankedTensorType>(op->getOperand(0).getType()).getShape();
  Shape shape = shapeOfResult(op);
  Shape strides = rowMajor(from);
  for (size_t d = 0; d < shape.size(); ++d)
    if (from[d] == 1) strides[d] = 0;
  return Action([shape, strides](Execution& x) {
    const Tensor& source = x.tensor(0);
    auto result = std::make_shared<Tensor>(source.element(), shape);
    gather(source.data(), strides, *result);
    x.set(0, std::move(result));
    return Step::Next;
  });
}

Made transpose(Operation* op, Translator&) {
  Shape from = rowMajor(cast<RankedTensorType>(op->getOperand(0).getType()).getShape());
  Shape strides;
  for (int32_t each : cast<tt::TransOp>(op).getOrder())
    strides.push_back(from[static_cast<size_t>(each)]);
  return Action([shape = shapeOfResult(op), strides](Execution& x) {
    const Tensor& source = x.tensor(0);
    auto result = std::make_shared<Tensor>(source.element(), shape);
    gather(source.data(), strides, *result);
    x.set(0, std::move(result));
    return Step::Next;
  });
}

Made join(Operation* op, Translator&) {
  return Action([shape = shapeOfResult(op)](Execution& x) {
    const Tensor &a = x.tensor(0), &b = x.tensor(1);
    auto result = std::make_shared<Tensor>(a.element(), shape);
    size_t bytes = bytesOf(a.element());
    for (size_t i = 0; i < a.count(); ++i) {
      std::memcpy(result->data() + 2 * i * bytes, a.data() + i * bytes, bytes);
      std::memcpy(result->data() + (2 * i + 1) * bytes, b.data() + i * bytes, bytes);
    }
    x.set(0, std::move(result));
    return Step::Next;
  });
}

Made split(Operation* op, Translator&) {
  return Action([shape = shapeOfResult(op)](Execution& x) {
    const Tensor& source = x.tensor(0);
    size_t bytes = bytesOf(source.element());
    for (unsigned half = 0; half < 2; ++half) {
      auto result = std::make_shared<Tensor>(source.element(), shape);
      for (size_t i = 0; i < result->count(); ++i)
        std::memcpy(result->data() + i * bytes, source.data() + (2 * i + half) * bytes, bytes);
      x.set(half, std::move(result));
    }
    return Step::Next;
  });
}

Made concatenate(Operation* op, Translator&) {
  return Action([shape = shapeOfResult(op)](Execution& x) {
    const Tensor &a = x.tensor(0), &b = x.tensor(1);
    auto result = std::make_shared<Tensor>(a.element(), shape);
    std::memcpy(result->data(), a.data(), a.bytes());
    std::memcpy(result->data() + a.bytes(), b.data(), b.bytes());
    x.set(0, std::move(result));
    return Step::Next;
  });
}

// result[i][j] = source[index[i][j]][j], along an axis.
Made gatherAlong(Operation* op, Translator&) {
  auto gather = cast<tt::GatherOp>(op);
  size_t axis = gather.getAxis();
  Shape from(gather.getSrc().getType().getShape());
  return Action([shape = shapeOfResult(op), from, axis](Execution& x) {
    const Tensor &source = x.tensor(0), &indices = x.tensor(1);
    auto result = std::make_shared<Tensor>(source.element(), shape);
    size_t bytes = bytesOf(source.element()), indexBytes = bytesOf(indices.element());
    Shape strides = rowMajor(from), own = rowMajor(shape);
    for (size_t i = 0; i < result->count(); ++i) {
      int64_t index = integerAt(indices.element(), indices.data() + i * indexBytes);
      if (index < 0 || index >= from[axis])
        return x.fail(Id::SimulatedIndexOutOfBounds, index, from[axis]);
      int64_t at = index * strides[axis];
      for (size_t d = 0; d < shape.size(); ++d)
        if (d != axis) at += static_cast<int64_t>(i) / own[d] % shape[d] * strides[d];
      std::memcpy(result->data() + i * bytes, source.data() + static_cast<size_t>(at) * bytes,
                  bytes);
    }
    x.set(0, std::move(result));
    return Step::Next;
  });
}

Made histogram(Operation* op, Translator&) {
  bool hasMask = cast<tt::HistogramOp>(op).getMask() != nullptr;
  auto element = elementOf(op->getResult(0).getType());
  return Action([shape = shapeOfResult(op), hasMask, element = *element](Execution& x) {
    const Tensor& source = x.tensor(0);
    std::vector<int64_t> counts(static_cast<size_t>(shape[0]), 0);
    size_t bytes = bytesOf(source.element());
    for (size_t i = 0; i < source.count(); ++i) {
      if (hasMask && !(x.tensor(1).as<uint8_t>()[i] & 1)) continue;
      int64_t bin = integerAt(source.element(), source.data() + i * bytes);
      if (bin >= 0 && bin < shape[0]) ++counts[static_cast<size_t>(bin)];
    }
    auto result = std::make_shared<Tensor>(element, shape);
    for (size_t i = 0; i < counts.size(); ++i)
      std::memcpy(result->data() + i * bytesOf(element), &counts[i], bytesOf(element));
    x.set(0, std::move(result));
    return Step::Next;
  });
}

// Pairs of fp4 along an axis, the lower half of each byte first.
Made unpackFp4(Operation* op, Translator&) {
  auto convert = cast<ttg::Fp4ToFpOp>(op);
  auto element = elementOf(op->getResult(0).getType());
  size_t axis = convert.getAxis();
  return Action([shape = shapeOfResult(op), axis, element = *element](Execution& x) {
    const Tensor& source = x.tensor(0);
    auto result = std::make_shared<Tensor>(element, shape);
    Shape own = rowMajor(shape);
    auto inner = static_cast<size_t>(own[axis]), along = static_cast<size_t>(shape[axis]);
    for (size_t i = 0; i < result->count(); ++i) {
      size_t at = i / inner % along, before = i / inner / along;
      unsigned byte = source.as<uint8_t>()[(before * (along / 2) + at / 2) * inner + i % inner];
      storeNumber(element, fp4ToFloat(at & 1 ? byte >> 4 : byte & 15),
                  result->data() + i * bytesOf(element));
    }
    x.set(0, std::move(result));
    return Step::Next;
  });
}

} // namespace

void addShapes(OperationTable& table) {
  table["tt.make_range"] = makeRange;
  table["tt.splat"] = splat;
  table["tt.unsplat"] = unsplat;
  table["tt.expand_dims"] = reshape;
  table["tt.reshape"] = reshape;
  table["tt.broadcast"] = broadcast;
  table["tt.trans"] = transpose;
  table["tt.join"] = join;
  table["tt.split"] = split;
  table["tt.cat"] = concatenate;
  table["tt.gather"] = gatherAlong;
  table["tt.histogram"] = histogram;
  table["ttg.convert_layout"] = same;
  table["ttg.fp4_to_fp"] = unpackFp4;
}

} // namespace gluond::simulate
