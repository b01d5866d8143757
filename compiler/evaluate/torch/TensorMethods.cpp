// The methods of tensors without values: shapes, strides, views, reductions, conversions.
#include "evaluate/torch/LibraryClasses.h"
#include "evaluate/torch/Torch.h"
#include "evaluate/values/Containers.h"

namespace gluond::evaluate {

namespace {

const TensorObject& self(const CallArguments& arguments) {
  return *hostAs<TensorObject>(arguments.positional[0], tensorClass);
}
// Returns an argument other than self.
Value at(const CallArguments& arguments, size_t index) {
  return torchArgument(arguments, index + 1);
}
Value given(Interpreter& in, const CallArguments& arguments, size_t index, llvm::StringRef name) {
  return torchArgument(in, arguments, index + 1, name);
}
Value number(Extent extent) {
  return extent ? Value::integer(*extent) : Value::unknown();
}
Value numbers(Interpreter& in, llvm::ArrayRef<Extent> extents) {
  llvm::SmallVector<Value, 4> items;
  for (Extent extent : extents)
    items.push_back(number(extent));
  return in.tupleOf(items);
}
Extent numel(const TensorObject& tensor) {
  Extent product = 1;
  if (!tensor.hasShape) return std::nullopt;
  for (Extent size : tensor.shape)
    product = times(product, size);
  return product;
}

Value fresh(Interpreter& in, const TensorObject& source) {
  return source.hasShape ? makeTensor(in, source.dtype, source.shape)
                         : unknownTensor(in, source.dtype);
}
// Reads a dimension, with negative ones counted from the end; nullopt if it is not known.
std::optional<size_t> dimension(const TensorObject& tensor, Value value, int64_t extra = 0) {
  if (!tensor.hasShape || !value.isIntegral()) return std::nullopt;
  int64_t rank = static_cast<int64_t>(tensor.shape.size()) + extra, dim = value.asInt();
  if (dim < 0) dim += rank;
  if (dim < 0 || dim >= rank) return std::nullopt;
  return static_cast<size_t>(dim);
}

// ---------------------------------------------------------------- facts

Value size(Interpreter& in, const CallArguments& arguments) {
  auto& tensor = self(arguments);
  Value dim = given(in, arguments, 0, "dim");
  if (!tensor.hasShape) return Value::unknown();
  if (dim.isAbsent()) return numbers(in, tensor.shape);
  auto d = dimension(tensor, dim);
  return d ? number(tensor.shape[*d]) : Value::unknown();
}
Value stride(Interpreter& in, const CallArguments& arguments) {
  auto& tensor = self(arguments);
  Value dim = given(in, arguments, 0, "dim");
  if (!tensor.hasShape) return Value::unknown();
  if (dim.isAbsent()) return numbers(in, tensor.strides);
  auto d = dimension(tensor, dim);
  return d ? number(tensor.strides[*d]) : Value::unknown();
}
Value rank(Interpreter&, const CallArguments& arguments) {
  auto& tensor = self(arguments);
  return tensor.hasShape ? Value::integer(static_cast<int64_t>(tensor.shape.size()))
                         : Value::unknown();
}
Value count(Interpreter&, const CallArguments& arguments) {
  return number(numel(self(arguments)));
}
Value elementSize(Interpreter&, const CallArguments& arguments) {
  auto* dtype = self(arguments).dtype;
  return dtype ? Value::integer(dtype->bytes) : Value::unknown();
}
Value nbytes(Interpreter&, const CallArguments& arguments) {
  auto& tensor = self(arguments);
  return tensor.dtype ? number(times(numel(tensor), tensor.dtype->bytes)) : Value::unknown();
}
Value dataPointer(Interpreter&, const CallArguments&) {
  return Value::unknown();
}
Value contiguousTest(Interpreter&, const CallArguments& arguments) {
  auto& tensor = self(arguments);
  if (!tensor.hasShape || llvm::is_contained(tensor.shape, Extent()) ||
      llvm::is_contained(tensor.strides, Extent()))
    return Value::unknown();
  return Value::boolean(isContiguous(tensor));
}
Value isFloating(Interpreter&, const CallArguments& arguments) {
  auto* dtype = self(arguments).dtype;
  return dtype ? Value::boolean(dtype->isFloat) : Value::unknown();
}
Value storageOffset(Interpreter&, const CallArguments& arguments) {
  return number(self(arguments).offset);
}
Value same(Interpreter&, const CallArguments& arguments) {
  return arguments.positional[0];
}
// cpu() and cuda(): the tensor itself where that changes nothing that is modelled.
Value toCpu(Interpreter& in, const CallArguments& arguments) {
  return movedTo(in, self(arguments), in.string("cpu"));
}
Value toGpu(Interpreter& in, const CallArguments& arguments) {
  return self(arguments).device.isAbsent() ? arguments.positional[0]
                                           : movedTo(in, self(arguments), Value::absent());
}
Value clone(Interpreter& in, const CallArguments& arguments) {
  return fresh(in, self(arguments));
}
Value contiguous(Interpreter& in, const CallArguments& arguments) {
  auto& tensor = self(arguments);
  return isContiguous(tensor) ? arguments.positional[0] : fresh(in, tensor);
}
Value item(Interpreter&, const CallArguments& arguments) {
  Value known = self(arguments).known;
  if (auto* list = known.as<ListObject>(); list && list->items.size() == 1) return list->items[0];
  return known.isIntegral() || known.is(ValueKind::Float) ? known : Value::unknown();
}
Value toList(Interpreter& in, const CallArguments& arguments) {
  const TensorObject& tensor = self(arguments);
  if (!tensor.known.isAbsent()) return tensor.known;
  constexpr int64_t mostMembers = 1 << 16;
  auto length = tensor.shape.size() == 1 ? tensor.shape[0] : std::nullopt;
  if (!length || *length < 0 || *length > mostMembers) return Value::unknown();
  llvm::SmallVector<Value> members(static_cast<size_t>(*length), Value::unknown());
  return in.charge(members.size(), sizeof(Value)) ? in.heap().list(members) : Value::absent();
}
Value getDevice(Interpreter&, const CallArguments&) {
  return Value::integer(0);
}
Value none(Interpreter&, const CallArguments&) {
  return Value::none();
}

// ---------------------------------------------------------------- views

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
  return alias(in, tensor, *shape, *strides, offset.isAbsent() ? Extent(0) : toIndex(offset));
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

// ---------------------------------------------------------------- conversions and reductions

bool isDense(const TensorObject& tensor) {
  Extent last = 0;
  for (size_t i = 0; i < tensor.shape.size(); ++i)
    last = plus(last, times(plus(tensor.shape[i], -1), tensor.strides[i]));
  Extent total = numel(tensor);
  return last && total && plus(last, 1) == total;
}

// A new tensor of that dtype laid out as the source is (like torch's preserve_format).
Value like(Interpreter& in, const TensorObject& source, const TorchDtype* dtype) {
  if (!source.hasShape) return unknownTensor(in, dtype);
  Value result = makeTensor(in, dtype, source.shape);
  TensorObject* made = in.writable(hostAs<TensorObject>(result, tensorClass));
  if (isDense(source)) made->strides = source.strides;
  made->contents = source.contents;
  return result;
}

Value to(Interpreter& in, const CallArguments& arguments) {
  auto& tensor = self(arguments);
  const TorchDtype* dtype = nullptr;
  bool isUnknown = false, isToCpu = kindOfDevice(torchKeyword(in, arguments, "device")) == "cpu";
  auto consider = [&](Value value) {
    if (value.isAbsent()) return;
    if (auto* other = hostAs<TensorObject>(value, tensorClass))
      dtype = other->dtype;
    else if (value.isUnknown())
      isUnknown = true;
    else if (auto* found = asDtype(in, value))
      dtype = found;
    else
      isToCpu |= kindOfDevice(value) == "cpu";
  };
  for (Value value : arguments.positional.drop_front())
    consider(value.unwrapped());
  consider(torchKeyword(in, arguments, "dtype"));
  if (isUnknown && !dtype) return like(in, tensor, nullptr);
  if (isToCpu) {
    Value converted =
        dtype && dtype != tensor.dtype ? like(in, tensor, dtype) : arguments.positional[0];
    return movedTo(in, *hostAs<TensorObject>(converted, tensorClass), in.string("cpu"));
  }
  bool isMoved = !torchKeyword(in, arguments, "device").isAbsent() || !dtype;
  if (isMoved && !tensor.device.isAbsent() && (!dtype || dtype == tensor.dtype))
    return movedTo(in, tensor, Value::absent());
  if (!dtype || dtype == tensor.dtype) return arguments.positional[0];
  return like(in, tensor, dtype);
}
Value type(Interpreter& in, const CallArguments& arguments) {
  if (arguments.positional.size() > 1) return to(in, arguments);
  auto* dtype = self(arguments).dtype;
  return dtype ? in.string("torch." + dtype->name) : Value::unknown();
}

enum class Reduced : uint8_t { Alike, Sums, Flags, Indices, WithIndices };

template <Reduced kind> Value reduce(Interpreter& in, const CallArguments& arguments) {
  constexpr bool withIndices = kind == Reduced::WithIndices;
  auto& tensor = self(arguments);
  const TorchDtype* dtype = kind == Reduced::Sums      ? dtypeOfSums(tensor.dtype)
                            : kind == Reduced::Flags   ? findTorchDtype("bool")
                            : kind == Reduced::Indices ? findTorchDtype("int64")
                                                       : tensor.dtype;
  if (auto* asked = asDtype(in, torchKeyword(in, arguments, "dtype"))) dtype = asked;
  Value dim = torchKeyword(in, arguments, "dim");
  if (dim.isAbsent()) dim = torchKeyword(in, arguments, "axis");
  if (dim.isAbsent() && !hostAs<TensorObject>(at(arguments, 0), tensorClass))
    dim = at(arguments, 0);
  if (hostAs<TensorObject>(at(arguments, 0), tensorClass))
    return tensorBinary(in, 0, false, arguments.positional[0], at(arguments, 0));
  Value keep = torchKeyword(in, arguments, "keepdim");
  bool keeps = !keep.isAbsent() && in.truth(keep).value_or(false);
  if (dim.isAbsent() || dim.isNone()) return makeTensor(in, dtype, {});
  auto made = [&](const Extents* shape) {
    auto tensorOf = [&](const TorchDtype* of) {
      return shape ? makeTensor(in, of, *shape) : unknownTensor(in, of);
    };
    if (!withIndices) return tensorOf(dtype);
    return valuesAndIndices(in, tensorOf(dtype), tensorOf(findTorchDtype("int64")));
  };
  auto dims = shapeOf(in, dim);
  if (!dims || !tensor.hasShape) return made(nullptr);
  llvm::SmallVector<size_t> gone;
  for (Extent one : *dims) {
    auto d = one ? dimension(tensor, Value::integer(*one)) : std::nullopt;
    if (!d) return made(nullptr);
    gone.push_back(*d);
  }
  Extents shape;
  for (size_t i = 0; i < tensor.shape.size(); ++i) {
    if (!llvm::is_contained(gone, i))
      shape.push_back(tensor.shape[i]);
    else if (keeps)
      shape.push_back(1);
  }
  return made(&shape);
}
// topk(k, dim): `k` values of each row, and where they are.
Value topValues(Interpreter& in, const CallArguments& arguments) {
  auto& tensor = self(arguments);
  Value dim = given(in, arguments, 1, "dim");
  auto d = dimension(tensor, dim.isAbsent() ? Value::integer(-1) : dim);
  Extents shape = tensor.shape;
  if (d) shape[*d] = toIndex(given(in, arguments, 0, "k"));
  auto tensorOf = [&](const TorchDtype* dtype) {
    return d ? makeTensor(in, dtype, shape) : unknownTensor(in, dtype);
  };
  return valuesAndIndices(in, tensorOf(tensor.dtype), tensorOf(findTorchDtype("int64")));
}
// mode(), nanmedian() and kthvalue(k): one value of each row, of the last dimension if none is
// given, and where it is.
template <size_t place> Value oneOfRow(Interpreter& in, const CallArguments& arguments) {
  Value dim = given(in, arguments, place, "dim"), keep = given(in, arguments, place + 1, "keepdim");
  if (dim.isAbsent()) dim = Value::integer(-1);
  llvm::SmallVector<KeywordArgument, 2> keywords = {{in.name("dim"), dim}};
  if (!keep.isAbsent()) keywords.push_back({in.name("keepdim"), keep});
  return reduce<Reduced::WithIndices>(in, {arguments.positional.take_front(1), keywords});
}
Value sortBoth(Interpreter& in, const CallArguments& arguments) {
  auto& tensor = self(arguments);
  Value indices = tensor.hasShape ? makeTensor(in, findTorchDtype("int64"), tensor.shape)
                                  : unknownTensor(in, findTorchDtype("int64"));
  return valuesAndIndices(in, fresh(in, tensor), indices);
}

Extents broadcast(llvm::ArrayRef<Extent> a, llvm::ArrayRef<Extent> b) {
  Extents shape(std::max(a.size(), b.size()));
  for (size_t i = 0; i < shape.size(); ++i) {
    Extent x = i < a.size() ? a[a.size() - 1 - i] : Extent(1),
           y = i < b.size() ? b[b.size() - 1 - i] : Extent(1);
    shape[shape.size() - 1 - i] = x == Extent(1) ? y : x;
  }
  return shape;
}

Value matmul(Interpreter& in, const CallArguments& arguments) {
  auto& a = self(arguments);
  auto* b = hostAs<TensorObject>(at(arguments, 0), tensorClass);
  if (!b || !a.hasShape || !b->hasShape || a.shape.empty() || b->shape.empty())
    return unknownLike(in, a);
  llvm::ArrayRef<Extent> x = a.shape, y = b->shape;
  Extents shape;
  if (y.size() == 1)
    shape.assign(x.begin(), x.end() - 1);
  else if (x.size() == 1) {
    shape.assign(y.begin(), y.end() - 2);
    shape.push_back(y.back());
  } else {
    shape = broadcast(x.drop_back(2), y.drop_back(2));
    shape.push_back(x[x.size() - 2]);
    shape.push_back(y.back());
  }
  return makeTensor(in, a.dtype, shape);
}

Value newEmpty(Interpreter& in, const CallArguments& arguments) {
  auto& tensor = self(arguments);
  auto* dtype = asDtype(in, torchKeyword(in, arguments, "dtype"));
  auto shape = shapeOf(in, arguments.positional.drop_front());
  return shape ? makeTensor(in, dtype ? dtype : tensor.dtype, *shape)
               : unknownTensor(in, dtype ? dtype : tensor.dtype);
}
Value newFull(Interpreter& in, const CallArguments& arguments) {
  return newEmpty(in, {arguments.positional.take_front(2), arguments.keywords});
}

Value storage(Interpreter& in, const CallArguments& arguments) {
  Value bytes = number(self(arguments).storage);
  Native size = [](Interpreter&, const CallArguments& inner) { return inner.positional[0]; };
  return in.namespaceOf("torch.UntypedStorage", {{"size", in.function("size", size, bytes)},
                                                 {"nbytes", in.function("nbytes", size, bytes)}});
}

// Rows that start with '.' are properties.
constexpr NativeRow rows[] = {
    {".T", reversedDims},
    {".H", reversedDims},
    {".mT", matrixTranspose},
    {".data", same},
    {".grad", [](Interpreter&, const CallArguments&) { return Value::unknown(); }},
    {".itemsize", elementSize},
    {".nbytes", nbytes},
    {".ndim", rank},
    {"all", reduce<Reduced::Flags>},
    {"amax", reduce<Reduced::Alike>},
    {"amin", reduce<Reduced::Alike>},
    {"any", reduce<Reduced::Flags>},
    {"argmax", reduce<Reduced::Indices>},
    {"argmin", reduce<Reduced::Indices>},
    {"as_strided", asStrided},
    {"backward", none},
    {"bmm", matmul},
    {"broadcast_to", expand},
    {"chunk", chunk},
    {"clone", clone},
    {"contiguous", contiguous},
    {"copy_", same},
    {"cpu", toCpu},
    {"cuda", toGpu},
    {"data_ptr", dataPointer},
    {"detach", same},
    {"dim", rank},
    {"element_size", elementSize},
    {"expand", expand},
    {"expand_as", expandAs},
    {"fill_", same},
    {"flatten", flatten},
    {"get_device", getDevice},
    {"is_contiguous", contiguousTest},
    {"is_floating_point", isFloating},
    {"item", item},
    {"kthvalue", oneOfRow<1>},
    {"logsumexp", reduce<Reduced::Alike>},
    {"matmul", matmul},
    {"max", reduce<Reduced::WithIndices>},
    {"mean", reduce<Reduced::Alike>},
    {"median", reduce<Reduced::WithIndices>},
    {"min", reduce<Reduced::WithIndices>},
    {"mm", matmul},
    {"mode", oneOfRow<0>},
    {"movedim", movedim},
    {"nanmedian", reduce<Reduced::WithIndices>},
    {"narrow", narrow},
    {"ndimension", rank},
    {"nelement", count},
    {"new_empty", newEmpty},
    {"new_full", newFull},
    {"new_ones", newEmpty},
    {"new_zeros", newEmpty},
    {"norm", reduce<Reduced::Alike>},
    {"numel", count},
    {"numpy", [](Interpreter& in, const CallArguments&) { return makeArray(in); }},
    {"permute", permute},
    {"pin_memory", toGpu},
    {"prod", reduce<Reduced::Sums>},
    {"repeat", repeat},
    {"requires_grad_", same},
    {"reshape", reshape},
    {"reshape_as", viewAs},
    {"retain_grad", none},
    {"select", selectOne},
    {"size", size},
    {"sort", sortBoth},
    {"split", split},
    {"squeeze", squeeze},
    {"std", reduce<Reduced::Alike>},
    {"storage", storage},
    {"storage_offset", storageOffset},
    {"stride", stride},
    {"sum", reduce<Reduced::Sums>},
    {"swapaxes", transpose},
    {"t", matrixTranspose},
    {"to", to},
    {"tolist", toList},
    {"topk", topValues},
    {"transpose", transpose},
    {"type", type},
    {"unbind", unbind},
    {"unflatten", unflatten},
    {"unsqueeze", unsqueeze},
    {"untyped_storage", storage},
    {"var", reduce<Reduced::Alike>},
    {"view", view},
    {"view_as", viewAs},
    {"zero_", same},
};

} // namespace

llvm::ArrayRef<NativeRow> tensorMethods() {
  return rows;
}

// The dtype of an operator of two tensors: floats before integers before bools, then tensors with
// dimensions before those without, then the wider one.
static const TorchDtype* promoted(const TensorObject& a, const TensorObject& b) {
  if (!a.dtype || !b.dtype) return nullptr;
  auto category = [](const TensorObject& of) {
    return of.dtype->isFloat ? 2 : of.dtype->name == "bool" ? 0 : 1;
  };
  auto hasDimensions = [](const TensorObject& of) { return !of.hasShape || !of.shape.empty(); };
  if (category(a) != category(b)) return category(a) > category(b) ? a.dtype : b.dtype;
  if (hasDimensions(a) != hasDimensions(b)) return hasDimensions(a) ? a.dtype : b.dtype;
  if (a.dtype == b.dtype) return a.dtype;
  if (a.dtype->bytes != b.dtype->bytes) return a.dtype->bytes > b.dtype->bytes ? a.dtype : b.dtype;
  return a.dtype->bytes == 2 && a.dtype->isFloat ? findTorchDtype("float32") : nullptr;
}

Value tensorBinary(Interpreter& in, int op, bool isCompare, Value left, Value right) {
  if (!isCompare && static_cast<syntax::BinaryOp>(op) == syntax::BinaryOp::MatMult &&
      hostAs<TensorObject>(left, tensorClass)) {
    Value positional[] = {left, right};
    return matmul(in, {positional, {}});
  }
  auto *a = hostAs<TensorObject>(left, tensorClass), *b = hostAs<TensorObject>(right, tensorClass);
  auto isOperand = [&](Value value) {
    return value.isIntegral() || value.is(ValueKind::Float) || value.is(ValueKind::BigInt) ||
           hostAs<TensorObject>(value, tensorClass);
  };
  if (isCompare && (!isOperand(left) || !isOperand(right)))
    return Value::boolean(static_cast<syntax::CompareOp>(op) == syntax::CompareOp::NotEq);
  const TensorObject* first = a ? a : b;
  Value other = a ? right : left;
  const TorchDtype* dtype = a && b ? promoted(*a, *b) : first->dtype;
  bool divides = !isCompare && static_cast<syntax::BinaryOp>(op) == syntax::BinaryOp::Div;
  if ((other.is(ValueKind::Float) || divides) && dtype && !dtype->isFloat)
    dtype = findTorchDtype("float32");
  if (other.isUnknown()) return unknownTensor(in, dtype);
  if (isCompare) dtype = findTorchDtype("bool");
  if (!first->hasShape || (a && b && !b->hasShape)) return unknownTensor(in, dtype);
  return makeTensor(in, dtype,
                    a && b ? broadcast(a->shape, b->shape)
                           : Extents(first->shape.begin(), first->shape.end()));
}

} // namespace gluond::evaluate
