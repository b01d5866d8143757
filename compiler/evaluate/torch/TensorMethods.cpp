// The methods of tensors without values: sizes, conversions, reductions. Views are in
// ViewMethods.cpp.
#include "evaluate/torch/Autograd.h"
#include "evaluate/torch/LibraryClasses.h"
#include "evaluate/torch/TensorArguments.h"
#include "evaluate/values/Containers.h"
#include "language/values/Integers.h"

namespace gluond::evaluate {

using namespace tensors;

namespace {

// ---------------------------------------------------------------- facts

Value size(Interpreter& in, const CallArguments& arguments) {
  auto& tensor = self(arguments);
  Value dim = given(in, arguments, 0, "dim");
  if (!tensor.hasShape) return Value::unknown();
  if (dim.isAbsent()) return numbers(in, tensor.shape);
  auto d = dimension(in, tensor, dim);
  return d ? number(tensor.shape[*d]) : unknownOrRaised(in);
}
Value stride(Interpreter& in, const CallArguments& arguments) {
  auto& tensor = self(arguments);
  Value dim = given(in, arguments, 0, "dim");
  if (!tensor.hasShape) return Value::unknown();
  if (dim.isAbsent()) return numbers(in, tensor.strides);
  auto d = dimension(in, tensor, dim);
  return d ? number(tensor.strides[*d]) : unknownOrRaised(in);
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
  return movedTo(in, self(arguments), TensorPlace::Cpu);
}
Value toGpu(Interpreter& in, const CallArguments& arguments) {
  return self(arguments).place == TensorPlace::Gpu ? arguments.positional[0]
                                                   : movedTo(in, self(arguments), TensorPlace::Gpu);
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
// The source has the tensor's shape, or one that is broadcast to it.
Value copyInto(Interpreter& in, const CallArguments& arguments) {
  auto& tensor = self(arguments);
  auto* source = hostAs<TensorObject>(given(in, arguments, 0, "src"), tensorClass);
  if (!source || !isWhollyKnown(tensor) || !isWhollyKnown(*source)) return arguments.positional[0];
  auto shape = broadcastOrRaise(in, tensor.shape, source->shape);
  if (!shape) return Value::absent();
  if (*shape != tensor.shape)
    return refuse(in, "output with shape " + shapeText(tensor.shape) +
                          " doesn't match the broadcast shape " + shapeText(*shape));
  return arguments.positional[0];
}
Value getDevice(Interpreter&, const CallArguments&) {
  return Value::integer(0);
}
Value none(Interpreter&, const CallArguments&) {
  return Value::none();
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
  Value result = shaped(in, source, dtype);
  if (!source.hasShape) return result;
  TensorObject* made = in.writable(hostAs<TensorObject>(result, tensorClass));
  if (!made) return result;
  if (isDense(source)) made->strides = source.strides;
  made->contents = source.contents;
  return result;
}

Value to(Interpreter& in, const CallArguments& arguments) {
  auto& tensor = self(arguments);
  const TorchDtype* dtype = nullptr;
  std::optional<TensorPlace> place; // where the tensor is to go
  bool isUnknown = false;
  auto consider = [&](Value value) {
    if (value.isAbsent() || value.isNone() || value.is(ValueKind::Bool)) return;
    if (auto* other = hostAs<TensorObject>(value, tensorClass)) {
      dtype = other->dtype;
      place = other->place;
    } else if (value.isUnknown()) {
      isUnknown = true;
    } else if (value.is(ValueKind::Str) && refusesDevice(in, kindOfDevice(value))) {
      return;
    } else if (auto* found = asDtype(in, value)) {
      dtype = found;
    } else {
      place = value.isIntegral() ? TensorPlace::Gpu : placeOfDevice(value);
    }
  };
  for (Value value : arguments.positional.drop_front())
    consider(value.unwrapped());
  consider(torchKeyword(in, arguments, "dtype"));
  if (in.failed()) return Value::absent();
  if (Value device = torchKeyword(in, arguments, "device"); !device.isAbsent() && !device.isNone())
    place = placeOfDevice(device);
  if (isUnknown && !place) place = TensorPlace::Unknown;
  bool isConverted = (isUnknown && !dtype) || (dtype && dtype != tensor.dtype);
  Value result = isConverted ? like(in, tensor, dtype) : arguments.positional[0];
  return place && *place != tensor.place
             ? movedTo(in, *hostAs<TensorObject>(result, tensorClass), *place)
             : result;
}
Value type(Interpreter& in, const CallArguments& arguments) {
  if (arguments.positional.size() > 1) {
    auto* asked = asDtype(in, at(arguments, 0)); // "torch.float16", too
    if (!asked) return unknownLike(in, self(arguments));
    Value positional[] = {arguments.positional[0], dtypeValue(in, *asked)};
    return to(in, {positional, {}});
  }
  auto* dtype = self(arguments).dtype;
  return dtype ? in.string("torch." + dtype->name) : Value::unknown();
}

enum class Reduced : uint8_t { Alike, Means, Sums, Flags, Indices, WithIndices };

// The positional arguments of a reduction from `dimAt` on are the dimension and, unless there is a
// `correction` between them, keepdim.
template <Reduced kind, size_t dimAt = 0, bool hasCorrection = false>
Value reduce(Interpreter& in, const CallArguments& arguments) {
  constexpr bool withIndices = kind == Reduced::WithIndices;
  auto& tensor = self(arguments);
  const TorchDtype* dtype = kind == Reduced::Sums      ? dtypeOfSums(tensor.dtype)
                            : kind == Reduced::Flags   ? findTorchDtype("bool")
                            : kind == Reduced::Indices ? findTorchDtype("int64")
                                                       : tensor.dtype;
  if (auto* asked = asDtype(in, torchKeyword(in, arguments, "dtype"))) dtype = asked;
  Value dim = torchKeyword(in, arguments, "dim");
  if (dim.isAbsent()) dim = torchKeyword(in, arguments, "axis");
  if (hostAs<TensorObject>(at(arguments, 0), tensorClass))
    return tensorBinary(in, 0, false, arguments.positional[0], at(arguments, 0));
  if (dim.isAbsent()) dim = at(arguments, dimAt);
  if (hasCorrection && dim.is(ValueKind::Bool)) dim = Value::absent(); // x.std(False)
  if (kind == Reduced::Means && dtype && !dtype->isFloat && dtype == tensor.dtype)
    return refuse(in, "mean(): could not infer output dtype. Input dtype must be either a floating "
                      "point or complex dtype. Got: " +
                          dtype->name);
  Value keep = torchKeyword(in, arguments, "keepdim");
  if (keep.isAbsent()) keep = at(arguments, dimAt + (hasCorrection ? 2 : 1));
  bool keeps = !keep.isAbsent() && in.truth(keep).value_or(false);
  if (dim.isAbsent() || dim.isNone()) return resultOf(in, tensor, dtype, {});
  auto made = [&](const Extents* shape) {
    auto tensorOf = [&](const TorchDtype* of) {
      return shape ? resultOf(in, tensor, of, *shape) : unknownResultOf(in, tensor, of);
    };
    if (!withIndices) return tensorOf(dtype);
    return valuesAndIndices(in, tensorOf(dtype), tensorOf(findTorchDtype("int64")));
  };
  auto dims = shapeOf(in, dim);
  if (!dims || !tensor.hasShape) return made(nullptr);
  llvm::SmallVector<size_t> gone;
  for (Extent one : *dims) {
    auto d = one ? dimension(in, tensor, Value::integer(*one)) : std::nullopt;
    if (in.failed()) return Value::absent();
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
  auto d = dimension(in, tensor, dim.isAbsent() ? Value::integer(-1) : dim);
  if (in.failed()) return Value::absent();
  Extents shape = tensor.shape;
  if (d) shape[*d] = toIndex(given(in, arguments, 0, "k"));
  auto tensorOf = [&](const TorchDtype* dtype) {
    return d ? resultOf(in, tensor, dtype, shape) : unknownResultOf(in, tensor, dtype);
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
  return valuesAndIndices(in, fresh(in, tensor), shaped(in, tensor, findTorchDtype("int64")));
}

Value newEmpty(Interpreter& in, const CallArguments& arguments) {
  auto& tensor = self(arguments);
  auto* dtype = asDtype(in, torchKeyword(in, arguments, "dtype"));
  if (!dtype) dtype = tensor.dtype;
  auto shape = shapeOf(in, arguments.positional.drop_front());
  Value made = shape ? resultOf(in, tensor, dtype, *shape) : unknownResultOf(in, tensor, dtype);
  Value device = torchKeyword(in, arguments, "device");
  if (device.isAbsent() || device.isNone()) return made;
  return movedTo(in, *hostAs<TensorObject>(made, tensorClass), placeOfDevice(device));
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
    {"backward", tensorBackward},
    {"bmm", tensorMatmul},
    {"clone", clone},
    {"contiguous", contiguous},
    {"copy_", copyInto},
    {"cpu", toCpu},
    {"cuda", toGpu},
    {"data_ptr", dataPointer},
    {"detach", same},
    {"dim", rank},
    {"element_size", elementSize},
    {"fill_", same},
    {"get_device", getDevice},
    {"is_contiguous", contiguousTest},
    {"is_floating_point", isFloating},
    {"item", item},
    {"kthvalue", oneOfRow<1>},
    {"logsumexp", reduce<Reduced::Alike>},
    {"matmul", tensorMatmul},
    {"max", reduce<Reduced::WithIndices>},
    {"mean", reduce<Reduced::Means>},
    {"median", reduce<Reduced::WithIndices>},
    {"min", reduce<Reduced::WithIndices>},
    {"mm", tensorMatmul},
    {"mode", oneOfRow<0>},
    {"nanmedian", reduce<Reduced::WithIndices>},
    {"ndimension", rank},
    {"nelement", count},
    {"new_empty", newEmpty},
    {"new_full", newFull},
    {"new_ones", newEmpty},
    {"new_zeros", newEmpty},
    {"norm", reduce<Reduced::Alike, 1>},
    {"numel", count},
    {"numpy", [](Interpreter& in, const CallArguments&) { return makeArray(in); }},
    {"pin_memory", toGpu},
    {"prod", reduce<Reduced::Sums>},
    {"requires_grad_", same},
    {"retain_grad", none},
    {"size", size},
    {"sort", sortBoth},
    {"std", reduce<Reduced::Alike, 0, true>},
    {"storage", storage},
    {"storage_offset", storageOffset},
    {"stride", stride},
    {"sum", reduce<Reduced::Sums>},
    {"to", to},
    {"tolist", toList},
    {"topk", topValues},
    {"type", type},
    {"untyped_storage", storage},
    {"var", reduce<Reduced::Alike, 0, true>},
    {"zero_", same},
};

} // namespace

llvm::ArrayRef<NativeRow> tensorMethods() {
  return rows;
}

} // namespace gluond::evaluate
