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
  if (!order || !tensor.hasShape || order->size() != tensor.shape.size())
    return unknownLike(in, tensor);
  llvm::SmallVector<size_t> dims;
  for (Extent dim : *order) {
    auto d = dim ? dimension(tensor, Value::integer(*dim)) : std::nullopt;
    if (!d) return unknownLike(in, tensor);
    dims.push_back(*d);
  }
  return permuteTo(in, tensor, dims);
}
Value transpose(Interpreter& in, const CallArguments& arguments) {
  auto& tensor = self(arguments);
  auto a = dimension(tensor, given(in, arguments, 0, "dim0")),
       b = dimension(tensor, given(in, arguments, 1, "dim1"));
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
Value matrixTranspose(Interpreter& in, const CallArguments& arguments) { // .mT, t()
  auto& tensor = self(arguments);
  if (!tensor.hasShape) return unknownLike(in, tensor);
  size_t n = tensor.shape.size();
  if (n < 2) return arguments.positional[0];
  llvm::SmallVector<size_t> dims;
  for (size_t i = 0; i < n; ++i)
    dims.push_back(i == n - 1 ? n - 2 : i == n - 2 ? n - 1 : i);
  return permuteTo(in, tensor, dims);
}

Value reshapeTo(Interpreter& in, Value value, Extents shape) {
  auto& tensor = *hostAs<TensorObject>(value, tensorClass);
  auto* inferred = llvm::find(shape, Extent(-1));
  if (inferred != shape.end()) {
    Extent rest = 1, total = numel(tensor);
    for (auto* extent = shape.begin(); extent != shape.end(); ++extent)
      if (extent != inferred) rest = times(rest, *extent);
    *inferred = total && rest && *rest > 0 ? Extent(*total / *rest) : std::nullopt;
  }
  if (isContiguous(tensor)) return alias(in, tensor, shape, denseStrides(shape), tensor.offset);
  return makeTensor(in, tensor.dtype, shape);
}
Value reshape(Interpreter& in, const CallArguments& arguments) {
  auto& tensor = self(arguments);
  Values sizes = arguments.positional.drop_front();
  Value named = torchKeyword(in, arguments, "shape");
  if (sizes.empty() && !named.isAbsent()) sizes = named;
  auto shape = shapeOf(in, sizes);
  return shape ? reshapeTo(in, arguments.positional[0], *shape) : unknownLike(in, tensor);
}
Value view(Interpreter& in, const CallArguments& arguments) {
  auto& tensor = self(arguments);
  Value first = given(in, arguments, 0, "dtype");
  if (!hostAs<DtypeObject>(first, dtypeClass)) return reshape(in, arguments);
  auto* dtype = hostAs<DtypeObject>(first, dtypeClass)->dtype;
  if (!tensor.dtype || !tensor.hasShape || tensor.shape.empty()) return unknownTensor(in, dtype);
  unsigned from = tensor.dtype->bytes, to = dtype->bytes;
  Extents shape = tensor.shape, strides = tensor.strides;
  Extent offset = tensor.offset;
  if (from != to) {
    auto scale = [&](Extent extent) {
      Extent bytes = times(extent, from);
      return bytes ? Extent(*bytes / to) : bytes;
    };
    shape.back() = scale(shape.back());
    for (size_t i = 0; i + 1 < strides.size(); ++i)
      strides[i] = scale(strides[i]);
    offset = scale(offset);
  }
  Value result = alias(in, tensor, shape, strides, offset);
  in.writable(hostAs<TensorObject>(result, tensorClass))->dtype = dtype;
  return result;
}
Value viewAs(Interpreter& in, const CallArguments& arguments) {
  auto* other = hostAs<TensorObject>(at(arguments, 0), tensorClass);
  if (!other || !other->hasShape) return unknownLike(in, self(arguments));
  return reshapeTo(in, arguments.positional[0], Extents(other->shape.begin(), other->shape.end()));
}
Value unsqueeze(Interpreter& in, const CallArguments& arguments) {
  auto& tensor = self(arguments);
  auto d = dimension(tensor, given(in, arguments, 0, "dim"), 1);
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
  auto d = dimension(tensor, which);
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
  if (!tensor.hasShape || sizes.size() < tensor.shape.size()) return unknownLike(in, tensor);
  size_t pad = sizes.size() - tensor.shape.size();
  Extents strides(sizes.size(), 0);
  for (size_t i = pad; i < sizes.size(); ++i) {
    Extent old = tensor.shape[i - pad];
    strides[i] = tensor.strides[i - pad];
    if (sizes[i] == Extent(-1))
      sizes[i] = old;
    else if (old == Extent(1) && sizes[i] != Extent(1))
      strides[i] = 0;
  }
  return alias(in, tensor, sizes, strides, tensor.offset);
}
Value expand(Interpreter& in, const CallArguments& arguments) {
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
  auto first = dimension(tensor, from.isAbsent() ? Value::integer(0) : from),
       last = dimension(tensor, to.isAbsent() ? Value::integer(-1) : to);
  if (!first || !last || *first > *last) return unknownLike(in, tensor);
  Extents shape(tensor.shape.begin(), tensor.shape.begin() + static_cast<ptrdiff_t>(*first));
  Extent product = 1;
  for (size_t i = *first; i <= *last; ++i)
    product = times(product, tensor.shape[i]);
  shape.push_back(product);
  shape.append(tensor.shape.begin() + static_cast<ptrdiff_t>(*last) + 1, tensor.shape.end());
  return reshapeTo(in, arguments.positional[0], shape);
}
Value unflatten(Interpreter& in, const CallArguments& arguments) {
  auto& tensor = self(arguments);
  auto d = dimension(tensor, given(in, arguments, 0, "dim"));
  auto sizes = shapeOf(in, given(in, arguments, 1, "sizes"));
  if (!d || !sizes) return unknownLike(in, tensor);
  Extents shape(tensor.shape.begin(), tensor.shape.begin() + static_cast<ptrdiff_t>(*d));
  shape.append(sizes->begin(), sizes->end());
  shape.append(tensor.shape.begin() + static_cast<ptrdiff_t>(*d) + 1, tensor.shape.end());
  return reshapeTo(in, arguments.positional[0], shape);
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
  auto d = dimension(tensor, given(in, arguments, 0, "dim"));
  if (!d) return unknownLike(in, tensor);
  return narrowBy(in, tensor, *d, toIndex(given(in, arguments, 1, "start")),
                  toIndex(given(in, arguments, 2, "length")));
}
Value selectOne(Interpreter& in, const CallArguments& arguments) {
  auto& tensor = self(arguments);
  auto d = dimension(tensor, given(in, arguments, 0, "dim"));
  if (!d) return unknownLike(in, tensor);
  Extent index = toIndex(given(in, arguments, 1, "index"));
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
  auto d = dimension(tensor, dim.isAbsent() ? Value::integer(0) : dim);
  if (!d) return Value::unknown();
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
  return splitBy(in, tensor, *d, lengths);
}
Value chunk(Interpreter& in, const CallArguments& arguments) {
  auto& tensor = self(arguments);
  Extent chunks = toIndex(given(in, arguments, 0, "chunks"));
  Value dim = given(in, arguments, 1, "dim");
  auto d = dimension(tensor, dim.isAbsent() ? Value::integer(0) : dim);
  if (!d || !chunks || *chunks <= 0 || !tensor.shape[*d]) return Value::unknown();
  int64_t total = *tensor.shape[*d];
  auto lengths = evenly(total, total / *chunks + (total % *chunks > 0));
  return lengths ? splitBy(in, tensor, *d, *lengths) : Value::unknown();
}
Value unbind(Interpreter& in, const CallArguments& arguments) {
  auto& tensor = self(arguments);
  Value dim = given(in, arguments, 0, "dim");
  if (dim.isAbsent()) dim = Value::integer(0);
  auto d = dimension(tensor, dim);
  if (!d || !tensor.shape[*d] || *tensor.shape[*d] > mostParts) return Value::unknown();
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
  return alias(in, tensor, *shape, *strides,
               offset.isAbsent() ? Extent(0) : Extent(toIndex(offset)));
}
Value movedim(Interpreter& in, const CallArguments& arguments) {
  auto& tensor = self(arguments);
  auto from = dimension(tensor, given(in, arguments, 0, "source")),
       to = dimension(tensor, given(in, arguments, 1, "destination"));
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
  if (!counts || !tensor.hasShape || counts->size() < tensor.shape.size())
    return unknownLike(in, tensor);
  size_t pad = counts->size() - tensor.shape.size();
  Extents shape;
  for (size_t i = 0; i < counts->size(); ++i)
    shape.push_back(times((*counts)[i], i < pad ? Extent(1) : tensor.shape[i - pad]));
  return makeTensor(in, tensor.dtype, shape);
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
    return makeTensor(in, tensor.dtype, sizesOf(count));
  }
  auto d = dimension(tensor, dim);
  if (!d) return unknownLike(in, tensor);
  Extents shape = tensor.shape;
  shape[*d] = times(shape[*d], count);
  return makeTensor(in, tensor.dtype, sizesOf(shape));
}
// x.index_select(dim, index): as many along `dim` as `index` has.
Value indexSelect(Interpreter& in, const CallArguments& arguments) {
  auto& tensor = self(arguments);
  auto d = dimension(tensor, given(in, arguments, 0, "dim"));
  auto* index = hostAs<TensorObject>(given(in, arguments, 1, "index"), tensorClass);
  if (!d || !index || !index->hasShape || index->shape.size() > 1) return unknownLike(in, tensor);
  Extents shape = tensor.shape;
  shape[*d] = index->shape.empty() ? Extent(1) : index->shape[0];
  return makeTensor(in, tensor.dtype, shape);
}
// x.gather(dim, index) has the shape of the index.
Value gather(Interpreter& in, const CallArguments& arguments) {
  auto& tensor = self(arguments);
  auto* index = hostAs<TensorObject>(given(in, arguments, 1, "index"), tensorClass);
  if (!index || !index->hasShape) return unknownLike(in, tensor);
  return makeTensor(in, tensor.dtype, index->shape);
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
    {".T", reversedDims},     {".H", reversedDims},
    {".mT", matrixTranspose}, {"as_strided", asStrided},
    {"broadcast_to", expand}, {"chunk", chunk},
    {"expand", expand},       {"expand_as", expandAs},
    {"flatten", flatten},     {"movedim", movedim},
    {"gather", gather},       {"index_select", indexSelect},
    {"tile", tile},           {"repeat_interleave", repeatInterleave},
    {"narrow", narrow},       {"permute", permute},
    {"repeat", repeat},       {"reshape", reshape},
    {"reshape_as", viewAs},   {"select", selectOne},
    {"split", split},         {"squeeze", squeeze},
    {"swapaxes", transpose},  {"t", matrixTranspose},
    {"transpose", transpose}, {"unbind", unbind},
    {"unflatten", unflatten}, {"unsqueeze", unsqueeze},
    {"view", view},           {"view_as", viewAs},
};

} // namespace

llvm::ArrayRef<NativeRow> viewMethods() {
  return rows;
}

} // namespace gluond::evaluate
