// Reductions and scans, with any combiner.
//
// The combiner is run on whole tensors: one call combines all pairs of a level at once. A reduction
// is a tree over neighbours, so that an order-sensitive combiner sees its operands in order; a scan
// doubles its distance each time. Sums of floats are therefore rounded in that order, which is not
// the order of any layout's threads.
#include "ir/tt/Ops.h"
#include "simulate/operations/RegisterOrder.h"
#include "simulate/operations/StridedWalk.h"
#include "simulate/operations/elementwise/Elementwise.h"

#include <mlir/Interfaces/SideEffectInterfaces.h>

namespace gluond::simulate {
using namespace mlir;

namespace {

// A tensor as [before, along, inner].
struct Axis {
  size_t before = 1, along = 1, inner = 1;
};
Axis axisOf(llvm::ArrayRef<int64_t> shape, size_t axis) {
  Axis result;
  for (size_t d = 0; d < shape.size(); ++d)
    (d < axis    ? result.before
     : d == axis ? result.along
                 : result.inner) *= static_cast<size_t>(shape[d]);
  return result;
}

// Every `step`-th of the pieces along the axis, from `first` on, `count` of them.
TensorRef pick(const Tensor& from, const Axis& axis, size_t first, size_t step, size_t count) {
  auto result = std::make_shared<Tensor>(
      from.element(),
      llvm::ArrayRef<int64_t>{static_cast<int64_t>(axis.before * count * axis.inner)});
  size_t bytes = axis.inner * bytesOf(from.element());
  auto copy = [&](auto sizeOfPiece) {
    std::byte* to = result->data();
    for (size_t b = 0; b < axis.before; ++b) {
      const std::byte* at = from.data() + (b * axis.along + first) * bytes;
      for (size_t i = 0; i < count; ++i, to += sizeOfPiece, at += step * sizeOfPiece)
        std::memcpy(to, at, sizeOfPiece);
    }
  };
  switch (bytes) { // pieces of one element, whose size the compiler knows
  case 1:
    copy(std::integral_constant<size_t, 1>());
    break;
  case 2:
    copy(std::integral_constant<size_t, 2>());
    break;
  case 4:
    copy(std::integral_constant<size_t, 4>());
    break;
  case 8:
    copy(std::integral_constant<size_t, 8>());
    break;
  default:
    copy(bytes);
  }
  return result;
}

// Results that are numbers stand for tensors of equal elements.
TensorRef asTensor(const Value& value, size_t count) {
  if (const auto* tensor = std::get_if<TensorRef>(&value)) return *tensor;
  const auto& scalar = std::get<Scalar>(value);
  auto result = std::make_shared<Tensor>(scalar.element,
                                         llvm::ArrayRef<int64_t>{static_cast<int64_t>(count)});
  unsigned bytes = bytesOf(scalar.element);
  for (size_t i = 0; i < count; ++i)
    std::memcpy(result->data() + i * bytes, &scalar.bits, bytes);
  return result;
}

// Combines two lists of tensors of `count` elements; nothing where the combiner could not run.
std::optional<std::vector<TensorRef>> combine(Execution& x, uint32_t function, bool isVectorized,
                                              const std::vector<TensorRef>& a,
                                              const std::vector<TensorRef>& b, size_t count) {
  if (isVectorized) {
    std::vector<Value> arguments(a.begin(), a.end());
    arguments.insert(arguments.end(), b.begin(), b.end());
    auto results = x.machine.call(x.state, function, std::move(arguments));
    if (!results) return std::nullopt;
    std::vector<TensorRef> tensors;
    for (const Value& each : *results)
      tensors.push_back(asTensor(each, count));
    return tensors;
  }
  std::vector<std::shared_ptr<Tensor>> results;
  for (const TensorRef& each : a)
    results.push_back(std::make_shared<Tensor>(
        each->element(), llvm::ArrayRef<int64_t>{static_cast<int64_t>(count)}));
  for (size_t i = 0; i < count; ++i) {
    std::vector<Value> arguments;
    for (const auto* list : {&a, &b})
      for (const TensorRef& each : *list) {
        Scalar number{0, each->element()};
        size_t bytes = bytesOf(number.element);
        std::memcpy(&number.bits, each->data() + i * bytes, bytes);
        arguments.push_back(number);
      }
    auto values = x.machine.call(x.state, function, std::move(arguments));
    if (!values) return std::nullopt;
    for (size_t k = 0; k < results.size(); ++k) {
      unsigned bytes = bytesOf(results[k]->element());
      std::memcpy(results[k]->data() + i * bytes, &std::get<Scalar>((*values)[k]).bits, bytes);
    }
  }
  return std::vector<TensorRef>(results.begin(), results.end());
}

// Returns whether the combiner does to whole tensors what it does to numbers. One that branches,
// has effects, makes tensors of its own or looks at a thread's registers is called for each pair.
bool isVectorizable(Region& region) {
  auto isOfNumbers = [](mlir::Value value) { return !isa<ShapedType>(value.getType()); };
  return region.hasOneBlock() &&
         llvm::all_of(region.front().without_terminator(), [&](Operation& op) {
           return op.getNumRegions() == 0 && isMemoryEffectFree(&op) &&
                  (op.hasTrait<OpTrait::Elementwise>() || op.hasTrait<OpTrait::ConstantLike>()) &&
                  !isa<tt::ElementwiseInlineAsmOp>(op) &&
                  llvm::all_of(op.getOperands(), isOfNumbers) &&
                  llvm::all_of(op.getResults(), isOfNumbers);
         });
}

Made reduce(Operation* op, Translator& t) {
  auto reduce = cast<tt::ReduceOp>(op);
  uint32_t function = t.function(reduce.getCombineOp());
  bool isVectorized = isVectorizable(reduce.getCombineOp());
  size_t axis = reduce.getAxis();
  Shape shape;
  auto result = dyn_cast<RankedTensorType>(op->getResult(0).getType());
  if (result) shape.assign(result.getShape().begin(), result.getShape().end());
  return Action([=, isNumber = !result](Execution& x) {
    unsigned count = x.instruction.operands;
    Axis at = axisOf(x.tensor(0).shape(), axis);
    std::vector<TensorRef> values;
    for (unsigned i = 0; i < count; ++i)
      values.push_back(std::get<TensorRef>(x.in(i)));
    while (at.along > 1) {
      std::vector<TensorRef> left, right;
      size_t half = at.along / 2;
      for (const TensorRef& each : values) {
        left.push_back(pick(*each, at, 0, 2, half));
        right.push_back(pick(*each, at, 1, 2, half));
      }
      auto combined = combine(x, function, isVectorized, left, right, at.before * half * at.inner);
      if (!combined) return Step::Failed;
      values = std::move(*combined);
      at.along = half;
    }
    for (unsigned i = 0; i < count; ++i) {
      const Tensor& each = *values[i];
      if (isNumber) {
        Scalar number{0, each.element()};
        std::memcpy(&number.bits, each.data(), bytesOf(number.element));
        x.set(i, number);
        continue;
      }
      auto shaped = std::make_shared<Tensor>(each.element(), shape);
      std::memcpy(shaped->data(), each.data(), shaped->bytes());
      x.set(i, std::move(shaped));
    }
    return Step::Next;
  });
}

// From the other end.
TensorRef reversed(const Tensor& from, const Axis& axis) {
  size_t bytes = axis.inner * bytesOf(from.element());
  auto result = std::make_shared<Tensor>(from.element(), from.shape());
  for (size_t b = 0; b < axis.before; ++b)
    for (size_t i = 0; i < axis.along; ++i)
      std::memcpy(result->data() + (b * axis.along + i) * bytes,
                  from.data() + (b * axis.along + axis.along - 1 - i) * bytes, bytes);
  return result;
}

Made scan(Operation* op, Translator& t) {
  auto scan = cast<tt::ScanOp>(op);
  uint32_t function = t.function(scan.getCombineOp());
  bool isVectorized = isVectorizable(scan.getCombineOp()), isReversed = scan.getReverse();
  size_t axis = scan.getAxis();
  return Action([=](Execution& x) {
    unsigned count = x.instruction.operands;
    Axis at = axisOf(x.tensor(0).shape(), axis);
    std::vector<TensorRef> values;
    for (unsigned i = 0; i < count; ++i)
      values.push_back(isReversed ? reversed(x.tensor(i), at) : std::get<TensorRef>(x.in(i)));
    for (size_t distance = 1; distance < at.along; distance *= 2) {
      std::vector<TensorRef> before, after;
      size_t pieces = at.along - distance;
      for (const TensorRef& each : values) {
        before.push_back(pick(*each, at, 0, 1, pieces));
        after.push_back(pick(*each, at, distance, 1, pieces));
      }
      auto combined =
          combine(x, function, isVectorized, before, after, at.before * pieces * at.inner);
      if (!combined) return Step::Failed;
      for (unsigned i = 0; i < count; ++i) {
        const Tensor &old = *values[i], &fresh = *(*combined)[i];
        auto next = std::make_shared<Tensor>(old.element(), x.tensor(i).shape());
        std::memcpy(next->data(), old.data(), old.bytes());
        size_t bytes = at.inner * bytesOf(old.element());
        for (size_t b = 0; b < at.before; ++b)
          std::memcpy(next->data() + (b * at.along + distance) * bytes,
                      fresh.data() + b * pieces * bytes, pieces * bytes);
        values[i] = std::move(next);
      }
    }
    for (unsigned i = 0; i < count; ++i)
      x.set(i, isReversed ? reversed(*values[i], at) : values[i]);
    return Step::Next;
  });
}

// `pack` registers of a thread at a time.
Made map(Operation* op, Translator& t) {
  auto map = cast<tt::MapElementwiseOp>(op);
  uint32_t function = t.function(map.getScalarOp());
  size_t pack = map.getPack(), sources = map.getSrcs().size();
  RegisterOrder order = registerOrder(cast<RankedTensorType>(map.getSrcs().front().getType()));
  if (order.registers % pack)
    return tl::unexpected<std::string>("a thread has no whole number of packs");
  std::vector<Element> elements;
  for (mlir::Value result : op->getResults()) {
    auto element = elementOf(result.getType());
    if (!element) return tl::unexpected<std::string>("its element type is not known");
    elements.push_back(*element);
  }
  return Action([=](Execution& x) {
    std::vector<std::shared_ptr<Tensor>> results;
    for (Element element : elements)
      results.push_back(std::make_shared<Tensor>(element, x.tensor(0).shape()));
    for (size_t i = 0; i < order.elements.size(); i += pack) {
      std::vector<Value> arguments;
      for (size_t s = 0; s < sources; ++s)
        for (size_t k = 0; k < pack; ++k) {
          const Tensor& from = x.tensor(static_cast<unsigned>(s));
          Scalar number{0, from.element()};
          size_t bytes = bytesOf(number.element);
          std::memcpy(&number.bits, from.data() + order.elements[i + k] * bytes, bytes);
          arguments.push_back(number);
        }
      auto values = x.machine.call(x.state, function, std::move(arguments));
      if (!values) return Step::Failed;
      for (size_t r = 0; r < results.size(); ++r)
        for (size_t k = 0; k < pack; ++k) {
          size_t bytes = bytesOf(elements[r]);
          std::memcpy(results[r]->data() + order.elements[i + k] * bytes,
                      &std::get<Scalar>((*values)[r * pack + k]).bits, bytes);
        }
    }
    for (size_t r = 0; r < results.size(); ++r)
      x.set(static_cast<unsigned>(r), std::move(results[r]));
    return Step::Next;
  });
}

} // namespace

void addReductions(OperationTable& table) {
  table["tt.reduce"] = reduce;
  table["tt.scan"] = scan;
  table["tt.map_elementwise"] = map;
}

} // namespace gluond::simulate
