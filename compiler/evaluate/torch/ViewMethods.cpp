// The methods of tensors that give views: other shapes and strides over the same storage.
#include "evaluate/torch/TensorArguments.h"
#include "evaluate/values/Containers.h"
#include "language/values/Integers.h"

namespace gluond::evaluate {

using namespace tensors;

namespace {

Value permuteTo(Interpreter& in, const TensorObject& tensor, llvm::ArrayRef<size_t> order) {
  Extents shape, strides;
  for (size_t dim : order) {
    shape.push_back(tensor.shape[dim]);
    strides.push_back(tensor.strides[dim]);
  }
  return alias(in, tensor, shape, strides, tensor.offset);
}

Value permute(Interpreter& in, const CallArguments& arguments) {
  auto& tensor = self(arguments);
  auto order = shapeOf(in, arguments.positional.drop_front());
  if (arguments.positional.size() < 2 || !order || !tensor.hasShape) return unknownLike(in, tensor);
  if (order->size() != tensor.shape.size())
    return refuse(in,
                  "permute(sparse_coo): number of dimensions in the tensor input does not match "
                  "the length of the desired ordering of dimensions i.e. input.dim() = " +
                      llvm::Twine(tensor.shape.size()) +
                      " is not equal to len(dims) = " + llvm::Twine(order->size()));
  llvm::SmallVector<size_t> dims;
  for (Extent dim : *order) {
    auto d = dim ? dimension(in, tensor, Value::integer(*dim)) : std::nullopt;
    if (!d) return unknownLike(in, tensor);
    if (llvm::is_contained(dims, *d))
      return refuse(in, "permute(): duplicate dims are not allowed.");
    dims.push_back(*d);
  }
  return permuteTo(in, tensor, dims);
}
Value transpose(Interpreter& in, const CallArguments& arguments) {
  auto& tensor = self(arguments);
  auto a = dimension(in, tensor, given(in, arguments, 0, "dim0")),
       b = dimension(in, tensor, given(in, arguments, 1, "dim1"));
  if (!a || !b) return unknownLike(in, tensor);
  llvm::SmallVector<size_t> dims;
  for (size_t i = 0; i < tensor.shape.size(); ++i)
    dims.push_back(i == *a ? *b : i == *b ? *a : i);
  return permuteTo(in, tensor, dims);
}
Value reversedDims(Interpreter& in, const CallArguments& arguments) { // .T
  auto& tensor = self(arguments);
  if (!tensor.hasShape) return unknownLike(in, tensor);
  llvm::SmallVector<size_t> dims;
  for (size_t i = tensor.shape.size(); i-- > 0;)
    dims.push_back(i);
  return permuteTo(in, tensor, dims);
}
template <bool isOf2> // t(), and not .mT
Value matrixTranspose(Interpreter& in, const CallArguments& arguments) {
  auto& tensor = self(arguments);
  if (!tensor.hasShape) return unknownLike(in, tensor);
  size_t n = tensor.shape.size();
  if (isOf2 && n > 2)
    return refuse(in,
                  "t() expects a tensor with <= 2 dimensions, but self is " + llvm::Twine(n) + "D");
  if (n < 2) return arguments.positional[0];
  llvm::SmallVector<size_t> dims;
  for (size_t i = 0; i < n; ++i)
    dims.push_back(i == n - 1 ? n - 2 : i == n - 2 ? n - 1 : i);
  return permuteTo(in, tensor, dims);
}

// Whether a view of a known tensor may have that shape, of as many elements, without a copy; its
// strides are then `strides`. As in torch, each group of dimensions that lie one behind the other
// in memory is divided anew.
bool canView(const TensorObject& tensor, llvm::ArrayRef<Extent> shape, Extents& strides) {
  strides.assign(shape.size(), Extent(1));
  if (numel(tensor) == Extent(0)) {
    strides = denseStrides(shape);
    return true;
  }
  size_t next = shape.size();
  int64_t of = 1, taken = 1; // elements of the group, those of its new dimensions
  int64_t step = tensor.strides.empty() ? 1 : *tensor.strides.back();
  for (size_t i = tensor.shape.size(); i-- > 0;) {
    int64_t reach = 0;
    if (__builtin_mul_overflow(of, *tensor.shape[i], &of) ||
        __builtin_mul_overflow(of, step, &reach))
      return false;
    bool endsGroup = i == 0 || (*tensor.shape[i - 1] != 1 && *tensor.strides[i - 1] != reach);
    if (!endsGroup) continue;
    while (next > 0 && (taken < of || *shape[next - 1] == 1)) {
      strides[--next] = times(taken, step);
      if (!strides[next] || __builtin_mul_overflow(taken, *shape[next], &taken)) return false;
    }
    if (taken != of) return false;
    of = taken = 1;
    if (i > 0) step = *tensor.strides[i - 1];
  }
  return next == 0;
}

// `isView`: the result must share the storage.
Value reshapeTo(Interpreter& in, Value value, Extents shape, bool isView) {
  auto& tensor = *hostAs<TensorObject>(value, tensorClass);
  const Extents asked = shape;
  Extent total = numel(tensor), rest = 1;
  Extent* inferred = nullptr;
  for (Extent& extent : shape)
    if (extent != Extent(-1))
      rest = times(rest, extent);
    else if (inferred)
      return refuse(in, "only one dimension can be inferred");
    else
      inferred = &extent;
  if (inferred) {
    bool isDivisible = total && rest && *rest > 0;
    *inferred = isDivisible ? Extent(*total / *rest) : std::nullopt;
    if (isDivisible) rest = *total % *rest == 0 ? total : Extent(-1);
  }
  bool isFit = !total || !rest || *total == *rest || (inferred && !*inferred);
  if (!isFit)
    return refuse(in, "shape '" + shapeText(asked) + "' is invalid for input of size " +
                          llvm::Twine(*total));
  if (isContiguous(tensor)) return alias(in, tensor, shape, denseStrides(shape), tensor.offset);
  if (isWhollyKnown(tensor) && isKnown(tensor.strides) && isKnown(shape)) {
    Extents strides;
    if (canView(tensor, shape, strides)) return alias(in, tensor, shape, strides, tensor.offset);
    if (isView)
      return refuse(in, "view size is not compatible with input tensor's size and stride (at least "
                        "one dimension spans across two contiguous subspaces). Use .reshape(...) "
                        "instead.");
  }
  return resultOf(in, tensor, tensor.dtype, shape);
}
template <bool isView> Value reshape(Interpreter& in, const CallArguments& arguments) {
  auto& tensor = self(arguments);
  Values sizes = arguments.positional.drop_front();
  Value named = torchKeyword(in, arguments, isView ? "size" : "shape");
  if (sizes.empty() && named.isAbsent()) return unknownLike(in, tensor);
  if (sizes.empty()) sizes = named;
  auto shape = shapeOf(in, sizes);
  return shape ? reshapeTo(in, arguments.positional[0], *shape, isView) : unknownLike(in, tensor);
}
Value view(Interpreter& in, const CallArguments& arguments) {
  auto& tensor = self(arguments);
  Value first = given(in, arguments, 0, "dtype");
  if (!hostAs<DtypeObject>(first, dtypeClass)) return reshape<true>(in, arguments);
  auto* dtype = hostAs<DtypeObject>(first, dtypeClass)->dtype;
  if (!tensor.dtype || !tensor.hasShape || tensor.shape.empty())
    return unknownResultOf(in, tensor, dtype);
  unsigned from = tensor.dtype->bytes, to = dtype->bytes;
  Extents shape = tensor.shape, strides = tensor.strides;
  Extent offset = tensor.offset;
  if (from != to) {
    auto scale = [&](Extent extent) {
      Extent bytes = times(extent, from);
      return bytes ? Extent(*bytes / to) : bytes;
    };
    Extent last = times(shape.back(), from);
    if (last && *last % to)
      return refuse(in, "self.size(-1) must be divisible by " + llvm::Twine(to / from) +
                            " to view " + tensor.dtype->name + " as " + dtype->name +
                            " (different element sizes), but got " + llvm::Twine(*shape.back()));
    shape.back() = scale(shape.back());
    for (size_t i = 0; i + 1 < strides.size(); ++i)
      strides[i] = scale(strides[i]);
    offset = scale(offset);
  }
  Value result = alias(in, tensor, shape, strides, offset);
  if (TensorObject* made = in.writable(hostAs<TensorObject>(result, tensorClass)))
    made->dtype = dtype;
  return result;
}
template <bool isView> Value viewAs(Interpreter& in, const CallArguments& arguments) {
  auto* other = hostAs<TensorObject>(at(arguments, 0), tensorClass);
  if (!other || !other->hasShape) return unknownLike(in, self(arguments));
  return reshapeTo(in, arguments.positional[0], Extents(other->shape.begin(), other->shape.end()),
                   isView);
}
Value unsqueeze(Interpreter& in, const CallArguments& arguments) {
  auto& tensor = self(arguments);
  auto d = dimension(in, tensor, given(in, arguments, 0, "dim"), 1);
  if (!d) return unknownLike(in, tensor);
  Extents shape = tensor.shape, strides = tensor.strides;
  Extent step = *d < shape.size() ? times(strides[*d], shape[*d]) : Extent(1);
  shape.insert(shape.begin() + static_cast<ptrdiff_t>(*d), 1);
  strides.insert(strides.begin() + static_cast<ptrdiff_t>(*d), step);
  return alias(in, tensor, shape, strides, tensor.offset);
}
Value squeeze(Interpreter& in, const CallArguments& arguments) {
  auto& tensor = self(arguments);
  Value which = given(in, arguments, 0, "dim");
  auto d = dimension(in, tensor, which);
  if (!tensor.hasShape || (!which.isAbsent() && !d)) return unknownLike(in, tensor);
  Extents shape, strides;
  for (size_t i = 0; i < tensor.shape.size(); ++i) {
    if (!tensor.shape[i]) return unknownLike(in, tensor);
    if (*tensor.shape[i] == 1 && (!d || *d == i)) continue;
    shape.push_back(tensor.shape[i]);
    strides.push_back(tensor.strides[i]);
  }
  return alias(in, tensor, shape, strides, tensor.offset);
}
Value expandTo(Interpreter& in, const TensorObject& tensor, Extents sizes) {
  if (!tensor.hasShape) return unknownLike(in, tensor);
  if (sizes.size() < tensor.shape.size())
    return refuse(in, "expand(" + shapeText(tensor.shape) + ", size=" + shapeText(sizes) +
                          "): the number of sizes provided (" + llvm::Twine(sizes.size()) +
                          ") must be greater or equal to the number of dimensions in the tensor (" +
                          llvm::Twine(tensor.shape.size()) + ")");
  size_t pad = sizes.size() - tensor.shape.size();
  Extents strides(sizes.size(), 0);
  for (size_t i = pad; i < sizes.size(); ++i) {
    Extent old = tensor.shape[i - pad];
    strides[i] = tensor.strides[i - pad];
    bool isFit = !old || !sizes[i] || *sizes[i] == -1 || *old == 1 || *old == *sizes[i];
    if (!isFit)
      return refuse(in, "The expanded size of the tensor (" + llvm::Twine(*sizes[i]) +
                            ") must match the existing size (" + llvm::Twine(*old) +
                            ") at non-singleton dimension " + llvm::Twine(i) + ".  Target sizes: " +
                            shapeText(sizes) + ".  Tensor sizes: " + shapeText(tensor.shape));
    if (sizes[i] == Extent(-1))
      sizes[i] = old;
    else if (old == Extent(1) && sizes[i] != Extent(1))
      strides[i] = 0;
  }
  return alias(in, tensor, sizes, strides, tensor.offset);
}
Value expand(Interpreter& in, const CallArguments& arguments) {
  if (arguments.positional.size() < 2) return unknownLike(in, self(arguments));
  auto sizes = shapeOf(in, arguments.positional.drop_front());
  return sizes ? expandTo(in, self(arguments), *sizes) : unknownLike(in, self(arguments));
}
Value expandAs(Interpreter& in, const CallArguments& arguments) {
  auto* other = hostAs<TensorObject>(at(arguments, 0), tensorClass);
  if (!other || !other->hasShape) return unknownLike(in, self(arguments));
  return expandTo(in, self(arguments), Extents(other->shape.begin(), other->shape.end()));
}
Value flatten(Interpreter& in, const CallArguments& arguments) {
  auto& tensor = self(arguments);
  Value from = given(in, arguments, 0, "start_dim"), to = given(in, arguments, 1, "end_dim");
  auto first = dimension(in, tensor, from.isAbsent() ? Value::integer(0) : from),
       last = dimension(in, tensor, to.isAbsent() ? Value::integer(-1) : to);
  if (!first || !last || *first > *last) return unknownLike(in, tensor);
  Extents shape(tensor.shape.begin(), tensor.shape.begin() + static_cast<ptrdiff_t>(*first));
  Extent product = 1;
  for (size_t i = *first; i <= *last; ++i)
    product = times(product, tensor.shape[i]);
  shape.push_back(product);
  shape.append(tensor.shape.begin() + static_cast<ptrdiff_t>(*last) + 1, tensor.shape.end());
  return reshapeTo(in, arguments.positional[0], shape, false);
}
Value unflatten(Interpreter& in, const CallArguments& arguments) {
  auto& tensor = self(arguments);
  auto d = dimension(in, tensor, given(in, arguments, 0, "dim"));
  auto sizes = shapeOf(in, given(in, arguments, 1, "sizes"));
  if (!d || !sizes) return unknownLike(in, tensor);
  Extent product = 1;
  for (Extent size : *sizes)
    product = times(product, size);
  if (product && tensor.shape[*d] && !llvm::is_contained(*sizes, Extent(-1)) &&
      *product != *tensor.shape[*d])
    return refuse(in, "unflatten: Provided sizes " + shapeText(*sizes) +
                          " don't multiply up to the size of dim " + llvm::Twine(*d) + " (" +
                          llvm::Twine(*tensor.shape[*d]) + ") in the input tensor");
  Extents shape(tensor.shape.begin(), tensor.shape.begin() + static_cast<ptrdiff_t>(*d));
  shape.append(sizes->begin(), sizes->end());
  shape.append(tensor.shape.begin() + static_cast<ptrdiff_t>(*d) + 1, tensor.shape.end());
  return reshapeTo(in, arguments.positional[0], shape, true);
}
Value narrowBy(Interpreter& in, const TensorObject& tensor, size_t dim, Extent start,
               Extent length) {
  Extents shape = tensor.shape;
  shape[dim] = length;
  return alias(in, tensor, shape, tensor.strides,
               plus(tensor.offset, times(start, tensor.strides[dim])));
}
Value narrow(Interpreter& in, const CallArguments& arguments) {
  auto& tensor = self(arguments);
  auto d = dimension(in, tensor, given(in, arguments, 0, "dim"));
  if (!d) return unknownLike(in, tensor);
  Extent start = toIndex(given(in, arguments, 1, "start")),
         length = toIndex(given(in, arguments, 2, "length")), size = tensor.shape[*d];
  if (start && length && size && *start >= 0 && *length >= 0 && *start + *length > *size)
    return refuse(in, "start (" + llvm::Twine(*start) + ") + length (" + llvm::Twine(*length) +
                          ") exceeds dimension size (" + llvm::Twine(*size) + ").");
  return narrowBy(in, tensor, *d, start, length);
}
Value selectOne(Interpreter& in, const CallArguments& arguments) {
  auto& tensor = self(arguments);
  auto d = dimension(in, tensor, given(in, arguments, 0, "dim"));
  if (!d) return unknownLike(in, tensor);
  Extent index = toIndex(given(in, arguments, 1, "index"));
  if (Extent size = tensor.shape[*d]; index && size && (*index >= *size || *index < -*size))
    return in.raise("IndexError", "select(): index " + llvm::Twine(*index) +
                                      " out of range for tensor of size " +
                                      shapeText(tensor.shape) + " at dimension " + llvm::Twine(*d));
  if (index && *index < 0) index = plus(index, tensor.shape[*d]);
  Extents shape = tensor.shape, strides = tensor.strides;
  Extent offset = plus(tensor.offset, times(index, strides[*d]));
  shape.erase(shape.begin() + static_cast<ptrdiff_t>(*d));
  strides.erase(strides.begin() + static_cast<ptrdiff_t>(*d));
  return alias(in, tensor, shape, strides, offset);
}
constexpr int64_t mostParts = 4096;
Value splitBy(Interpreter& in, const TensorObject& tensor, size_t dim,
              llvm::ArrayRef<int64_t> lengths) {
  llvm::SmallVector<Value> parts;
  Extent start = 0;
  if (!in.spend(lengths.size())) return Value::absent();
  for (int64_t length : lengths) {
    parts.push_back(narrowBy(in, tensor, dim, start, length));
    start = plus(start, length);
  }
  return in.tupleOf(parts);
}
std::optional<llvm::SmallVector<int64_t>> evenly(Extent total, Extent size) {
  if (!total || !size || *size <= 0 || *total / *size > mostParts) return std::nullopt;
  llvm::SmallVector<int64_t> lengths;
  for (int64_t left = *total; left > 0; left -= lengths.back())
    lengths.push_back(std::min(*size, left));
  return lengths;
}
Value split(Interpreter& in, const CallArguments& arguments) {
  auto& tensor = self(arguments);
  Value by = given(in, arguments, 0, "split_size"), dim = given(in, arguments, 1, "dim");
  auto d = dimension(in, tensor, dim.isAbsent() ? Value::integer(0) : dim);
  if (!d || by.isAbsent()) return unknownOrRaised(in);
  if (by.isIntegral()) {
    auto lengths = evenly(tensor.shape[*d], by.asInt());
    return lengths ? splitBy(in, tensor, *d, *lengths) : Value::unknown();
  }
  auto sizes = shapeOf(in, by);
  llvm::SmallVector<int64_t> lengths;
  if (!sizes) return Value::unknown();
  for (Extent size : *sizes) {
    if (!size) return Value::unknown();
    lengths.push_back(*size);
  }
  Extent sum = 0, whole = tensor.shape[*d];
  for (int64_t length : lengths)
    sum = plus(sum, length);
  if (sum && whole && *sum != *whole)
    return refuse(in, "split_with_sizes expects split_sizes to sum exactly to " +
                          llvm::Twine(*whole) + " (input tensor's size at dimension " +
                          llvm::Twine(*d) + "), but got split_sizes=" + shapeText(*sizes));
  return splitBy(in, tensor, *d, lengths);
}
Value chunk(Interpreter& in, const CallArguments& arguments) {
  auto& tensor = self(arguments);
  Extent chunks = toIndex(given(in, arguments, 0, "chunks"));
  Value dim = given(in, arguments, 1, "dim");
  auto d = dimension(in, tensor, dim.isAbsent() ? Value::integer(0) : dim);
  if (!d || !chunks || *chunks <= 0 || !tensor.shape[*d]) return unknownOrRaised(in);
  int64_t total = *tensor.shape[*d];
  auto lengths = evenly(total, total / *chunks + (total % *chunks > 0));
  return lengths ? splitBy(in, tensor, *d, *lengths) : Value::unknown();
}
Value unbind(Interpreter& in, const CallArguments& arguments) {
  auto& tensor = self(arguments);
  Value dim = given(in, arguments, 0, "dim");
  if (dim.isAbsent()) dim = Value::integer(0);
  auto d = dimension(in, tensor, dim);
  if (!d || !tensor.shape[*d] || *tensor.shape[*d] > mostParts) return unknownOrRaised(in);
  llvm::SmallVector<Value> parts;
  for (int64_t i = 0; i < *tensor.shape[*d]; ++i) {
    if (!in.spend(1)) return Value::absent();
    Value positional[] = {arguments.positional[0], dim, Value::integer(i)};
    parts.push_back(selectOne(in, {positional, {}}));
  }
  return in.tupleOf(parts);
}
Value asStrided(Interpreter& in, const CallArguments& arguments) {
  auto& tensor = self(arguments);
  auto shape = shapeOf(in, given(in, arguments, 0, "size")),
       strides = shapeOf(in, given(in, arguments, 1, "stride"));
  Value offset = given(in, arguments, 2, "storage_offset");
  if (!shape || !strides) return unknownLike(in, tensor);
  Extent last = offset.isAbsent() || offset.isNone() ? Extent(0) : Extent(toIndex(offset));
  for (auto [size, stride] : llvm::zip(*shape, *strides))
    last = plus(last, times(plus(size, -1), stride));
  Extent held = tensor.dtype ? tensor.storage : Extent();
  if (last && held && shape->size() == strides->size() && !llvm::is_contained(*shape, Extent(0)) &&
      (*last + 1) * tensor.dtype->bytes > *held)
    return refuse(in, "setStorage: sizes " + shapeText(*shape) + ", strides " +
                          shapeText(*strides) + " requiring a storage size of " +
                          llvm::Twine((*last + 1) * tensor.dtype->bytes) +
                          " are out of bounds for storage of size " + llvm::Twine(*held));
  return alias(in, tensor, *shape, *strides,
               offset.isAbsent() ? Extent(0) : Extent(toIndex(offset)));
}
Value movedim(Interpreter& in, const CallArguments& arguments) {
  auto& tensor = self(arguments);
  auto from = dimension(in, tensor, given(in, arguments, 0, "source")),
       to = dimension(in, tensor, given(in, arguments, 1, "destination"));
  if (!from || !to) return unknownLike(in, tensor);
  llvm::SmallVector<size_t> dims;
  for (size_t i = 0; i < tensor.shape.size(); ++i)
    if (i != *from) dims.push_back(i);
  dims.insert(dims.begin() + static_cast<ptrdiff_t>(*to), *from);
  return permuteTo(in, tensor, dims);
}
Value repeat(Interpreter& in, const CallArguments& arguments) {
  auto& tensor = self(arguments);
  auto counts = shapeOf(in, arguments.positional.drop_front());
  if (arguments.positional.size() < 2 || !counts || !tensor.hasShape)
    return unknownLike(in, tensor);
  if (counts->size() < tensor.shape.size())
    return refuse(in, "Number of dimensions of repeat dims can not be smaller than number of "
                      "dimensions of tensor");
  size_t pad = counts->size() - tensor.shape.size();
  Extents shape;
  for (size_t i = 0; i < counts->size(); ++i)
    shape.push_back(times((*counts)[i], i < pad ? Extent(1) : tensor.shape[i - pad]));
  return resultOf(in, tensor, tensor.dtype, shape);
}

// x.repeat_interleave(4, dim=1): each element several times; of the flattened tensor without `dim`.
Value repeatInterleave(Interpreter& in, const CallArguments& arguments) {
  auto& tensor = self(arguments);
  Value dim = given(in, arguments, 1, "dim");
  Extent count = toIndex(given(in, arguments, 0, "repeats"));
  if (!tensor.hasShape) return unknownLike(in, tensor);
  if (dim.isAbsent() || dim.isNone()) {
    for (Extent size : tensor.shape)
      count = times(count, size);
    return resultOf(in, tensor, tensor.dtype, sizesOf(count));
  }
  auto d = dimension(in, tensor, dim);
  if (!d) return unknownLike(in, tensor);
  Extents shape = tensor.shape;
  shape[*d] = times(shape[*d], count);
  return resultOf(in, tensor, tensor.dtype, sizesOf(shape));
}
// x.index_select(dim, index): as many along `dim` as `index` has.
Value indexSelect(Interpreter& in, const CallArguments& arguments) {
  auto& tensor = self(arguments);
  auto d = dimension(in, tensor, given(in, arguments, 0, "dim"));
  auto* index = hostAs<TensorObject>(given(in, arguments, 1, "index"), tensorClass);
  if (!d || !index || !index->hasShape || index->shape.size() > 1) return unknownLike(in, tensor);
  Extents shape = tensor.shape;
  shape[*d] = index->shape.empty() ? Extent(1) : index->shape[0];
  return resultOf(in, tensor, tensor.dtype, shape);
}
// x.gather(dim, index) has the shape of the index.
Value gather(Interpreter& in, const CallArguments& arguments) {
  auto& tensor = self(arguments);
  auto* index = hostAs<TensorObject>(given(in, arguments, 1, "index"), tensorClass);
  if (!index || !index->hasShape) return unknownLike(in, tensor);
  return resultOf(in, tensor, tensor.dtype, index->shape);
}
// x.tile(2, 3): like repeat(), with a factor of 1 for dimensions that are left out.
Value tile(Interpreter& in, const CallArguments& arguments) {
  auto& tensor = self(arguments);
  auto counts = shapeOf(in, arguments.positional.drop_front());
  if (!counts || !tensor.hasShape) return unknownLike(in, tensor);
  while (counts->size() < tensor.shape.size())
    counts->insert(counts->begin(), Extent(1));
  llvm::SmallVector<Value> all{arguments.positional[0]};
  for (Extent count : *counts)
    all.push_back(count ? Value::integer(*count) : Value::unknown());
  return repeat(in, {all, {}});
}

// Rows that start with '.' are properties.
constexpr NativeRow rows[] = {
    {".T", reversedDims},
    {".H", reversedDims},
    {".mT", matrixTranspose<false>},
    {"as_strided", asStrided},
    {"broadcast_to", expand},
    {"chunk", chunk},
    {"expand", expand},
    {"expand_as", expandAs},
    {"flatten", flatten},
    {"movedim", movedim},
    {"gather", gather},
    {"index_select", indexSelect},
    {"tile", tile},
    {"repeat_interleave", repeatInterleave},
    {"narrow", narrow},
    {"permute", permute},
    {"repeat", repeat},
    {"reshape", reshape<false>},
    {"reshape_as", viewAs<false>},
    {"select", selectOne},
    {"split", split},
    {"squeeze", squeeze},
    {"swapaxes", transpose},
    {"t", matrixTranspose<true>},
    {"transpose", transpose},
    {"unbind", unbind},
    {"unflatten", unflatten},
    {"unsqueeze", unsqueeze},
    {"view", view},
    {"view_as", viewAs<true>},
};

} // namespace

llvm::ArrayRef<NativeRow> viewMethods() {
  return rows;
}

} // namespace gluond::evaluate
