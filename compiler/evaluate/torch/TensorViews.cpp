// Views of tensors: what tensor[index] gives.
#include "evaluate/torch/TensorArguments.h"
#include "evaluate/values/Containers.h"
#include "language/values/Integers.h"

namespace gluond::evaluate {

Value alias(Interpreter& in, const TensorObject& source, Extents shape, Extents strides,
            Extent offset) {
  if (shape.size() > mostDimensions) return tensors::unknownResultOf(in, source, source.dtype);
  auto* tensor = in.heap().make<TensorObject>(source);
  tensor->shape = sizesOf(shape);
  tensor->strides = std::move(strides);
  tensor->offset = offset;
  tensor->hasShape = true;
  tensor->known = Value::absent();
  return Value::object(ValueKind::Host, tensor);
}
Value unknownLike(Interpreter& in, const TensorObject& source) {
  if (in.failed()) return Value::absent();
  return tensors::unknownResultOf(in, source, source.dtype);
}

// An integer that picks one element of a dimension.
static bool isPlace(Value index) {
  return index.isIntegral() && !index.is(ValueKind::Bool);
}

Value tensorItem(Interpreter& in, Value value, Value index) {
  auto& tensor = *hostAs<TensorObject>(value, tensorClass);
  if (!tensor.hasShape) return unknownLike(in, tensor);
  llvm::SmallVector<Value> indices;
  if (auto* tuple = index.as<TupleObject>())
    indices.append(tuple->items.begin(), tuple->items.end());
  else
    indices.push_back(index);
  size_t real = 0;
  for (Value& one : indices) {
    one = one.unwrapped();
    if (!one.is(ValueKind::Ellipsis) && !one.isNone()) ++real;
    // A tensor or a list as an index gathers: a new tensor of a shape that depends on values.
    if (auto* mask = hostAs<TensorObject>(one, tensorClass)) {
      if (!mask->hasShape || !mask->dtype || mask->dtype->name == "bool" || indices.size() > 1)
        return unknownLike(in, tensor);
      Extents shape = mask->shape;
      shape.append(tensor.shape.begin() +
                       std::min<ptrdiff_t>(1, static_cast<ptrdiff_t>(tensor.shape.size())),
                   tensor.shape.end());
      return tensors::resultOf(in, tensor, tensor.dtype, shape);
    }
    if (auto* list = one.as<ListObject>()) {
      // Lists of lists have more dimensions, and lists of bools are masks.
      bool areNumbers = llvm::all_of(list->items, [](Value item) { return isPlace(item); });
      if (indices.size() > 1 || !areNumbers) return unknownLike(in, tensor);
      Extents shape{static_cast<int64_t>(list->items.size())};
      shape.append(tensor.shape.begin() +
                       std::min<ptrdiff_t>(1, static_cast<ptrdiff_t>(tensor.shape.size())),
                   tensor.shape.end());
      return tensors::resultOf(in, tensor, tensor.dtype, shape);
    }
    // What is not known may be a list, a slice or a mask, too.
    if (!one.is(ValueKind::Ellipsis) && !one.isNone() && !one.as<SliceObject>() && !isPlace(one))
      return unknownLike(in, tensor);
  }
  size_t dims = tensor.shape.size();
  if (real > dims)
    return in.raise("IndexError", "too many indices for tensor of dimension " + llvm::Twine(dims));
  Extents shape, strides;
  Extent offset = tensor.offset;
  size_t dim = 0;
  auto whole = [&] {
    shape.push_back(tensor.shape[dim]);
    strides.push_back(tensor.strides[dim++]);
  };
  bool wasEllipsis = false;
  for (Value one : indices) {
    if (one.is(ValueKind::Ellipsis)) {
      for (size_t i = real; i < dims && !wasEllipsis; ++i)
        whole();
      wasEllipsis = true; // torch takes a second one for no dimensions
    } else if (one.isNone()) {
      shape.push_back(1);
      strides.push_back(0);
    } else if (auto* slice = one.as<SliceObject>()) {
      if (!tensor.shape[dim]) {
        bool all = slice->start.isNone() && slice->stop.isNone() && slice->step.isNone();
        if (all) {
          whole();
          continue;
        }
        shape.push_back(std::nullopt);
        strides.push_back(slice->step.isNone() ? tensor.strides[dim] : std::nullopt);
        bool fromStart =
            slice->start.isNone() || (slice->start.isIntegral() && slice->start.asInt() == 0);
        if (!fromStart)
          offset = slice->start.isIntegral() && slice->start.asInt() > 0
                       ? plus(offset, times(slice->start.asInt(), tensor.strides[dim]))
                       : std::nullopt;
        ++dim;
        continue;
      }
      auto bounds = sliceBounds(in, *slice, *tensor.shape[dim]);
      if (in.failed()) return Value::absent();
      shape.push_back(bounds ? Extent(bounds->count) : std::nullopt);
      strides.push_back(bounds                 ? times(tensor.strides[dim], bounds->step)
                        : slice->step.isNone() ? tensor.strides[dim]
                                               : std::nullopt);
      offset = bounds                  ? plus(offset, times(bounds->start, tensor.strides[dim]))
               : slice->start.isNone() ? offset
                                       : std::nullopt;
      ++dim;
    } else {
      Extent where = toIndex(one);
      if (where && *where < 0) where = plus(where, tensor.shape[dim]);
      if (where && tensor.shape[dim] && (*where < 0 || *where >= *tensor.shape[dim]))
        return in.raise("IndexError", "index " + llvm::Twine(*where) +
                                          " is out of bounds for dimension " + llvm::Twine(dim) +
                                          " with size " + llvm::Twine(*tensor.shape[dim]));
      offset = plus(offset, times(where, tensor.strides[dim++]));
    }
  }
  while (dim < dims)
    whole();
  return alias(in, tensor, shape, strides, offset);
}

} // namespace gluond::evaluate
