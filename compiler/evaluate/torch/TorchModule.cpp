// The modules torch, torch.cuda, torch.testing, torch.nn.functional, ...: factories and device
// queries.
#include "chips/GpuModels.h"
#include "chips/Target.h"
#include "chips/Vendor.h"
#include "evaluate/torch/Autograd.h"
#include "evaluate/torch/Combinations.h"
#include "evaluate/torch/FactoryArguments.h"
#include "evaluate/torch/LibraryClasses.h"
#include "evaluate/torch/TensorArguments.h"
#include "evaluate/values/Classes.h"
#include "language/types/Structure.h"
#include "language/values/Integers.h"

#include <cmath>
#include <numbers>

namespace gluond::evaluate {

namespace {

Value none(Interpreter&, const CallArguments&) {
  return Value::none();
}
Value notKnown(Interpreter&, const CallArguments&) {
  return Value::unknown();
}
Value yes(Interpreter&, const CallArguments&) {
  return Value::boolean(true);
}
Value setDefaultDevice(Interpreter& in, const CallArguments&) {
  in.setDefaultDevice();
  return Value::none();
}
Value identity(Interpreter&, const CallArguments& arguments) {
  return torchArgument(arguments, 0).isAbsent() ? Value::unknown() : torchArgument(arguments, 0);
}

// Returns the requested dtype; sets `unknown` if one is requested that is not known.
const TorchDtype* dtypeOf(Interpreter& in, const CallArguments& arguments,
                          llvm::StringRef missing) {
  Value asked = torchKeyword(in, arguments, "dtype");
  if (asked.isAbsent() || asked.isNone()) return findTorchDtype(missing);
  return asDtype(in, asked);
}
Value make(Interpreter& in, const TorchDtype* dtype, const std::optional<Extents>& shape) {
  return shape ? makeTensor(in, dtype, *shape) : unknownTensor(in, dtype);
}

llvm::StringRef nameOf(Native factory);

// Whether the factory refuses its sizes: torch takes integers that are not negative.
bool refusesSizes(Interpreter& in, llvm::StringRef factory, Value size, Values positional) {
  llvm::SmallVector<Value> items;
  if (!size.isAbsent()) positional = size;
  Value first = positional.empty() ? Value::absent() : positional[0].unwrapped();
  if (positional.size() == 1 && (first.is(ValueKind::Tuple) || first.is(ValueKind::List))) {
    if (auto* list = first.as<ListObject>(); list && list->uncertain) return false;
    language::Items members = language::itemsOf(first);
    for (size_t i = 0; i < members.size(); ++i)
      items.push_back(members[i].unwrapped());
  } else {
    for (Value each : positional)
      items.push_back(each.unwrapped());
  }
  for (auto [i, item] : llvm::enumerate(items)) {
    bool isWrong = item.is(ValueKind::Float) || item.is(ValueKind::Str) || item.isNone();
    if (isWrong)
      in.raise("TypeError", factory +
                                "(): argument 'size' must be tuple of ints, but found element "
                                "of type " +
                                in.className(in.typeOf(item)) + " at pos " + llvm::Twine(i));
    else if (item.isIntegral() && item.asInt() < 0)
      tensors::refuse(in, "Trying to create tensor with negative dimension " +
                              llvm::Twine(item.asInt()));
    else
      continue;
    return true;
  }
  return false;
}

// A factory whose tensors are where its source is.
template <Native factory> Value complete(Interpreter& in, const CallArguments& arguments) {
  return lacksArguments(in, nameOf(complete<factory>), arguments) ? Value::absent()
                                                                  : factory(in, arguments);
}

// A factory whose tensors are on the CPU unless its arguments say otherwise.
template <Native factory> Value placed(Interpreter& in, const CallArguments& arguments) {
  if (refusesKeywords(in, nameOf(placed<factory>), arguments) ||
      lacksArguments(in, nameOf(placed<factory>), arguments))
    return Value::absent();
  Value result = factory(in, arguments);
  TensorObject* tensor = in.writable(hostAs<TensorObject>(result, tensorClass));
  Value device = torchKeyword(in, arguments, "device");
  bool isDefault = device.isAbsent() || device.isNone();
  bool isCpu = isDefault ? !in.hasDefaultDevice() : kindOfDevice(device) == "cpu";
  Value pinned = torchKeyword(in, arguments, "pin_memory");
  if (tensor && isCpu && pinned.isAbsent() &&
      !hostAs<TensorObject>(torchArgument(arguments, 0), tensorClass))
    tensor->place = TensorPlace::Cpu;
  if (tensor && placeOfDevice(device) == TensorPlace::Gpu) tensor->place = TensorPlace::Gpu;
  return result;
}

using Contents = TensorContents::Kind;

// `result`, where it is a tensor, with these contents.
Value filled(Interpreter& in, Value result, Contents kind, double low = 0, double high = 1) {
  if (TensorObject* tensor = in.writable(hostAs<TensorObject>(result, tensorClass)))
    tensor->contents = {kind, low, high};
  return result;
}
Value filledWith(Interpreter& in, Value result, Value constant) {
  auto number = toDouble(constant);
  return number ? filled(in, result, Contents::Constant, *number) : result;
}

// empty, zeros, ones, rand, randn
template <Contents kind, int low = 0>
Value factory(Interpreter& in, const CallArguments& arguments) {
  Value size = torchKeyword(in, arguments, "size");
  if (refusesSizes(in, nameOf(placed<factory<kind, low>>), size, arguments.positional))
    return Value::absent();
  return filled(in,
                make(in, dtypeOf(in, arguments, "float32"),
                     shapeOf(in, size.isAbsent() ? Values(arguments.positional) : Values(size))),
                kind, low);
}
Value randint(Interpreter& in, const CallArguments& arguments) {
  Value size = torchKeyword(in, arguments, "size");
  llvm::SmallVector<double, 2> bounds;
  for (Value value : arguments.positional)
    if (size.isAbsent() && (value.is(ValueKind::Tuple) || value.is(ValueKind::List)))
      size = value;
    else if (auto bound = toDouble(value.unwrapped()); bound && size.isAbsent())
      bounds.push_back(*bound);
  if (size.isAbsent() && llvm::all_of(arguments.positional,
                                      [](Value each) { return each.unwrapped().isIntegral(); })) {
    return raiseMissing(in, "randint", "size");
  }
  for (llvm::StringRef name : {"low", "high"})
    if (auto bound = toDouble(torchKeyword(in, arguments, name))) bounds.push_back(*bound);
  Value result =
      make(in, dtypeOf(in, arguments, "int64"), size.isAbsent() ? std::nullopt : shapeOf(in, size));
  if (bounds.empty() || bounds.size() > 2) return result;
  return filled(in, result, Contents::Uniform, bounds.size() == 2 ? bounds[0] : 0, bounds.back());
}
Value full(Interpreter& in, const CallArguments& arguments) {
  Value value = torchArgument(in, arguments, 1, "fill_value");
  llvm::StringRef missing = value.is(ValueKind::Float)  ? "float32"
                            : value.is(ValueKind::Bool) ? "bool"
                                                        : "int64";
  return filledWith(in,
                    make(in, dtypeOf(in, arguments, missing),
                         shapeOf(in, torchArgument(in, arguments, 0, "size"))),
                    value);
}
// The result of a factory, which is where its source is unless the arguments say otherwise. The GPU
// reads pinned memory of the CPU.
Value placedLike(Interpreter& in, const CallArguments& arguments, const TensorObject& source,
                 Value made) {
  Value device = torchKeyword(in, arguments, "device");
  TensorPlace place = device.isAbsent() || device.isNone() ? source.place : placeOfDevice(device);
  bool isPinned = !torchKeyword(in, arguments, "pin_memory").isAbsent();
  if (TensorObject* tensor = in.writable(hostAs<TensorObject>(made, tensorClass)))
    tensor->place = isPinned && place == TensorPlace::Cpu ? TensorPlace::Unknown : place;
  return made;
}
Value like(Interpreter& in, const CallArguments& arguments) {
  auto* source = hostAs<TensorObject>(torchArgument(in, arguments, 0, "input"), tensorClass);
  if (!source) return Value::unknown();
  Value asked = torchKeyword(in, arguments, "dtype");
  const TorchDtype* dtype = asked.isAbsent() || asked.isNone() ? source->dtype : asDtype(in, asked);
  Value result = placedLike(in, arguments, *source, tensors::shaped(in, *source, dtype));
  if (!source->hasShape) return result;
  // Dense sources keep their strides.
  Extent last = 0, total = 1;
  for (size_t i = 0; i < source->shape.size(); ++i) {
    int64_t reach;
    last = last && source->shape[i] && source->strides[i] &&
                   !__builtin_mul_overflow(*source->shape[i] - 1, *source->strides[i], &reach)
               ? plus(last, reach)
               : std::nullopt;
    total = total && source->shape[i] && !__builtin_mul_overflow(*total, *source->shape[i], &reach)
                ? Extent(reach)
                : std::nullopt;
  }
  TensorObject* made = in.writable(hostAs<TensorObject>(result, tensorClass));
  if (made && last && total && plus(last, 1) == total) made->strides = source->strides;
  return result;
}
template <Contents kind, int low = 0>
Value likeOf(Interpreter& in, const CallArguments& arguments) {
  return filled(in, like(in, arguments), kind, low);
}
Value fullLike(Interpreter& in, const CallArguments& arguments) {
  return filledWith(in, like(in, arguments), torchArgument(in, arguments, 1, "fill_value"));
}
Value arange(Interpreter& in, const CallArguments& arguments) {
  Value start = Value::integer(0), end = torchArgument(arguments, 0),
        step = torchKeyword(in, arguments, "step");
  if (arguments.positional.size() > 1) {
    start = torchArgument(arguments, 0);
    end = torchArgument(arguments, 1);
  }
  if (arguments.positional.size() > 2) step = torchArgument(arguments, 2);
  if (Value named = torchKeyword(in, arguments, "end"); !named.isAbsent()) {
    if (arguments.positional.size() == 1) start = torchArgument(arguments, 0);
    end = named;
  }
  if (Value named = torchKeyword(in, arguments, "start"); !named.isAbsent()) start = named;
  if (step.isAbsent()) step = Value::integer(1);
  bool isFloat =
      start.is(ValueKind::Float) || end.is(ValueKind::Float) || step.is(ValueKind::Float);
  auto a = toDouble(start), b = toDouble(end), c = toDouble(step);
  Extent count;
  if (a && b && c && *c != 0 && std::fabs((*b - *a) / *c) < 1e15)
    count = std::max<int64_t>(0, static_cast<int64_t>(std::ceil((*b - *a) / *c)));
  Value result = makeTensor(in, dtypeOf(in, arguments, isFloat ? "float32" : "int64"), {count});
  return a == 0.0 && c == 1.0 ? filled(in, result, Contents::Range) : result;
}
Value linspace(Interpreter& in, const CallArguments& arguments) {
  return makeTensor(in, dtypeOf(in, arguments, "float32"),
                    {toIndex(torchArgument(in, arguments, 2, "steps"))});
}
Value randperm(Interpreter& in, const CallArguments& arguments) {
  return makeTensor(in, dtypeOf(in, arguments, "int64"), {toIndex(torchArgument(arguments, 0))});
}
Value eye(Interpreter& in, const CallArguments& arguments) {
  Extent n = toIndex(torchArgument(arguments, 0)),
         m = torchArgument(arguments, 1).isAbsent() ? n
                                                    : Extent(toIndex(torchArgument(arguments, 1)));
  return makeTensor(in, dtypeOf(in, arguments, "float32"), {n, m});
}
Value normal(Interpreter& in, const CallArguments& arguments) {
  Value size = torchArgument(in, arguments, 2, "size");
  return make(in, dtypeOf(in, arguments, "float32"),
              size.isAbsent() ? std::nullopt : shapeOf(in, size));
}
Value tensor(Interpreter& in, const CallArguments& arguments) {
  Value data = torchArgument(in, arguments, 0, "data");
  if (hostAs<TensorObject>(data, tensorClass)) return data;
  if (hostAs<HostObject>(data, arrayClass))
    return unknownTensor(in, dtypeOf(in, arguments, "float32"));
  Extents shape;
  Value element = data;
  while (element.is(ValueKind::List) || element.is(ValueKind::Tuple)) {
    language::Items items = language::itemsOf(element);
    shape.push_back(static_cast<int64_t>(items.size()));
    if (shape.size() > 16) return Value::unknown();
    if (auto* list = element.as<ListObject>(); list && list->uncertain) shape.back().reset();
    element = items.empty() ? Value::real(0) : items[0].unwrapped();
  }
  if (isRagged(in, data, shape)) return Value::absent();
  if (element.is(ValueKind::Str)) return in.raise("ValueError", "too many dimensions 'str'");
  llvm::StringRef guess = element.is(ValueKind::Bool)  ? "bool"
                          : element.is(ValueKind::Int) ? "int64"
                                                       : "float32";
  if (data.isUnknown() || data.isAbsent())
    return unknownTensor(in, dtypeOf(in, arguments, "float32"));
  if (auto* inner = hostAs<TensorObject>(element, tensorClass); inner && inner->dtype)
    guess = inner->dtype->name;
  Value result = makeTensor(in, dtypeOf(in, arguments, guess), shape);
  if (TensorObject* made = in.writable(hostAs<TensorObject>(result, tensorClass)))
    made->known = data;
  return result;
}
Value emptyStrided(Interpreter& in, const CallArguments& arguments) {
  auto shape = shapeOf(in, torchArgument(in, arguments, 0, "size")),
       strides = shapeOf(in, torchArgument(in, arguments, 1, "stride"));
  const TorchDtype* dtype = dtypeOf(in, arguments, "float32");
  if (!shape || !strides || shape->size() != strides->size()) return unknownTensor(in, dtype);
  Value result = makeTensor(in, dtype, *shape);
  if (TensorObject* made = in.writable(hostAs<TensorObject>(result, tensorClass)))
    made->strides = *strides;
  return result;
}
// torch.f(tensor, ...) is tensor.f(...)
template <const char* method> Value asMethod(Interpreter& in, const CallArguments& arguments) {
  Value self = torchArgument(in, arguments, 0, "input");
  if (!hostAs<TensorObject>(self, tensorClass)) return Value::unknown();
  llvm::SmallVector<KeywordArgument> keywords;
  for (auto& one : arguments.keywords)
    if (in.text(one.name) != "input") keywords.push_back(one);
  return in.callMethod(
      self, in.name(method),
      {arguments.positional.drop_front(std::min<size_t>(1, arguments.positional.size())),
       keywords});
}
// `isPair`: an operation of two tensors, whose sizes must fit.
template <bool isPair> Value elementwise(Interpreter& in, const CallArguments& arguments) {
  Value result = Value::absent();
  for (Value value : arguments.positional)
    if (hostAs<TensorObject>(value, tensorClass))
      result = result.isAbsent() ? value
               : isPair          ? tensorBinary(in, 0, false, result, value)
                                 : tensors::combine(in, result, value);
  if (in.failed()) return Value::absent();
  auto* source = hostAs<TensorObject>(result, tensorClass);
  if (!source) return Value::unknown();
  return tensors::fresh(in, *source);
}
// The places in one tensor of the values of another.
template <size_t values> Value places(Interpreter& in, const CallArguments& arguments) {
  auto* tensor = hostAs<TensorObject>(torchArgument(arguments, values), tensorClass);
  Value narrow = torchKeyword(in, arguments, "out_int32");
  bool isNarrow = !narrow.isAbsent() && in.truth(narrow).value_or(false);
  const TorchDtype* dtype = findTorchDtype(isNarrow ? "int32" : "int64");
  return tensor ? tensors::shaped(in, *tensor, dtype) : unknownTensor(in, dtype);
}
Value isTensor(Interpreter&, const CallArguments& arguments) {
  return torchArgument(arguments, 0).isUnknown()
             ? Value::unknown()
             : Value::boolean(hostAs<TensorObject>(torchArgument(arguments, 0), tensorClass) !=
                              nullptr);
}
Value compileDecorator(Interpreter& in, const CallArguments& arguments) {
  return torchArgument(arguments, 0).isAbsent() ? in.function("compile", identity)
                                                : torchArgument(arguments, 0);
}
Value getDefaultDtype(Interpreter& in, const CallArguments&) {
  return dtypeValue(in, *findTorchDtype("float32"));
}
// Factories are modelled with the usual default.
Value setDefaultDtype(Interpreter& in, const CallArguments&) {
  in.assume();
  return Value::none();
}
Value context(Interpreter& in, const CallArguments& arguments) {
  if (torchArgument(arguments, 0).is(ValueKind::Function))
    return torchArgument(arguments, 0); // @torch.no_grad
  return in.namespaceOf("torch.context", {});
}
Value size(Interpreter& in, const CallArguments& arguments) {
  return in.call(Value::object(ValueKind::Class, in.builtinClass("tuple")), arguments);
}

#define GLUOND_METHODS(X)                                                                          \
  X(matmul)                                                                                        \
  X(mm)                                                                                            \
  X(bmm)                                                                                           \
  X(sum)                                                                                           \
  X(mean)                                                                                          \
  X(amax)                                                                                          \
  X(amin)                                                                                          \
  X(max)                                                                                           \
  X(min)                                                                                           \
  X(argmax)                                                                                        \
  X(argmin)                                                                                        \
  X(all)                                                                                           \
  X(any)                                                                                           \
  X(prod)                                                                                          \
  X(sort)                                                                                          \
  X(topk)                                                                                          \
  X(kthvalue)                                                                                      \
  X(median)                                                                                        \
  X(mode)                                                                                          \
  X(nanmedian)                                                                                     \
  X(chunk) X(split) X(unbind) X(permute) X(transpose) X(squeeze) X(unsqueeze) X(flatten)           \
      X(reshape) X(clone) X(t) X(std) X(var) X(norm) X(narrow) X(logsumexp) X(broadcast_to)        \
          X(movedim) X(select) X(as_strided) X(repeat_interleave) X(index_select) X(gather) X(tile)
#define GLUOND_TEXT(name) constexpr char text_##name[] = #name;
GLUOND_METHODS(GLUOND_TEXT)
#undef GLUOND_TEXT

constexpr NativeRow torchRows[] = {
    {"Generator", context},
    {"Size", size},
    {"addmm",
     [](Interpreter& in, const CallArguments& arguments) {
       return asMethod<text_matmul>(
           in,
           {arguments.positional.drop_front(std::min<size_t>(1, arguments.positional.size())), {}});
     }},
    {"allclose", notKnown},
    {"arange", placed<arange>},
    {"as_tensor", placed<tensor>},
    {"autocast", context},
    {"bucketize", places<0>},
    {"cat", concatenate},
    {"compile", compileDecorator},
    {"concat", concatenate},
    {"device", torchDevice},
    {"einsum", einsum},
    {"empty", placed<factory<Contents::Unknown>>},
    {"empty_like", complete<like>},
    {"empty_strided", placed<emptyStrided>},
    {"enable_grad", context},
    {"equal", notKnown},
    {"eye", placed<eye>},
    {"finfo", typeInfo},
    {"from_numpy", placed<tensor>},
    {"full", placed<full>},
    {"full_like", complete<fullLike>},
    {"get_default_dtype", getDefaultDtype},
    {"iinfo", typeInfo},
    {"inference_mode", context},
    {"is_tensor", isTensor},
    {"linspace", placed<linspace>},
    {"logspace", placed<linspace>},
    {"manual_seed", none},
    {"maximum", elementwise<true>},
    {"minimum", elementwise<true>},
    {"no_grad", context},
    {"normal", placed<normal>},
    {"numel",
     [](Interpreter& in, const CallArguments& arguments) {
       return hostAs<TensorObject>(torchArgument(arguments, 0), tensorClass)
                  ? in.callMethod(torchArgument(arguments, 0), in.name("numel"), {})
                  : Value::unknown();
     }},
    {"ones", placed<factory<Contents::Constant, 1>>},
    {"ones_like", complete<likeOf<Contents::Constant, 1>>},
    {"rand", placed<factory<Contents::Uniform>>},
    {"rand_like", complete<likeOf<Contents::Uniform>>},
    {"randint", placed<randint>},
    {"randint_like", complete<likeOf<Contents::Unknown>>},
    {"randn", placed<factory<Contents::Normal>>},
    {"randn_like", complete<likeOf<Contents::Normal>>},
    {"randperm", placed<randperm>},
    {"searchsorted", places<1>},
    {"set_default_device", setDefaultDevice},
    {"set_default_dtype", setDefaultDtype},
    {"set_grad_enabled", context},
    {"stack", stack},
    {"tensor", placed<tensor>},
    {"where", where},
    {"zeros", placed<factory<Contents::Constant>>},
    {"zeros_like", complete<likeOf<Contents::Constant>>},
#define GLUOND_ROW(name) {#name, asMethod<text_##name>},
    GLUOND_METHODS(GLUOND_ROW)
#undef GLUOND_ROW
        {"abs", elementwise<false>},
    {"cos", elementwise<false>},
    {"exp", elementwise<false>},
    {"log", elementwise<false>},
    {"relu", elementwise<false>},
    {"sigmoid", elementwise<false>},
    {"sin", elementwise<false>},
    {"softmax", elementwise<false>},
    {"sqrt", elementwise<false>},
    {"square", elementwise<false>},
    {"tanh", elementwise<false>},
    {"add", elementwise<true>},
    {"mul", elementwise<true>},
    {"sub", elementwise<true>},
};

llvm::StringRef nameOf(Native factory) {
  return llvm::find_if(torchRows, [&](const NativeRow& row) { return row.function == factory; })
      ->name;
}

// torch.nn.Parameter(data)
Value parameter(Interpreter& in, const CallArguments& arguments) {
  Value data = torchArgument(in, arguments, 0, "data");
  // Moving its module moves it.
  if (auto* tensor = hostAs<TensorObject>(data, tensorClass))
    return movedTo(in, *tensor, TensorPlace::Unknown);
  return unknownTensor(in, nullptr);
}
constexpr NativeRow layerRows[] = {{"Parameter", parameter}};

Value torchMember(Interpreter& in, llvm::StringRef name) {
  if (isNameOfTriton(name)) // fp16, which torch calls float16
    return in.raise({ErrorKind::MissingMember, name.str(), "torch"}, "AttributeError",
                    "module 'torch' has no attribute '" + name + "'");
  if (auto* dtype = findTorchDtype(name)) return dtypeValue(in, *dtype);
  if (name == "Tensor" || name == "dtype")
    return in.namespaceOf(name == "Tensor" ? "torch.Tensor" : "torch.dtype", {});
  if (name == "inf") return Value::real(INFINITY);
  if (name == "nan") return Value::real(NAN);
  if (name == "pi") return Value::real(std::numbers::pi);
  if (name == "__version__") return in.string("2.9.0");
  return functionByOutcome(in, name); // else a submodule, or unknown
}

// ---------------------------------------------------------------- devices

Value deviceCapability(Interpreter& in, const CallArguments&) {
  if (in.target().empty()) return Value::unknown();
  auto [major, minor] = chips::reportedCapability(in.target());
  return in.tupleOf({Value::integer(major), Value::integer(minor)});
}

Value deviceProperties(Interpreter& in, const CallArguments&) {
  if (in.target().empty()) return Value::unknown();
  auto target = chips::Target::parse(in.target());
  auto [major, minor] = chips::reportedCapability(in.target());
  return in.namespaceOf(
      "torch.DeviceProperties",
      {{"multi_processor_count", Value::integer(chips::usualUnits(in.target()))},
       {"major", Value::integer(major)},
       {"minor", Value::integer(minor)},
       {"warp_size", Value::integer(target ? target->warpSize : 32)},
       {"gcnArchName",
        in.string(chips::isAmd(in.target()) ? in.target().split(':').second : llvm::StringRef())}});
}
Value zero(Interpreter&, const CallArguments&) {
  return Value::integer(0);
}
constexpr NativeRow cudaRows[] = {
    {"Event", context},
    {"Stream", context},
    {"current_device", zero},
    {"device_count", notKnown},
    {"empty_cache", none},
    {"get_device_capability", deviceCapability},
    {"get_device_properties", deviceProperties},
    {"is_available", yes},
    {"manual_seed", none},
    {"set_device", none},
    {"stream", context},
    {"synchronize", none},
    {"device", context},
};
// assert_close(actual, expected, ..., check_device=True)
Value assertClose(Interpreter& in, const CallArguments& arguments) {
  auto *actual = hostAs<TensorObject>(torchArgument(in, arguments, 0, "actual"), tensorClass),
       *expected = hostAs<TensorObject>(torchArgument(in, arguments, 1, "expected"), tensorClass);
  if (!actual || !expected || !torchKeyword(in, arguments, "check_device").isAbsent())
    return Value::none();
  for (bool isActualOnGpu : {true, false})
    if (tensors::areOnTwoDevices(isActualOnGpu ? *actual : *expected,
                                 isActualOnGpu ? *expected : *actual))
      return in.raise("AssertionError",
                      llvm::Twine("The values for attribute 'device' do not match: ") +
                          (isActualOnGpu ? "cuda:0 != cpu." : "cpu != cuda:0."));
  return Value::none();
}
constexpr NativeRow testingRows[] = {{"assert_allclose", none}, {"assert_close", assertClose}};
// pad(input, (left, right, top, bottom, ...)): pairs from the last dimension on.
Value pad(Interpreter& in, const CallArguments& arguments) {
  auto* tensor = hostAs<TensorObject>(torchArgument(in, arguments, 0, "input"), tensorClass);
  if (!tensor) return Value::unknown();
  auto amounts = shapeOf(in, torchArgument(in, arguments, 1, "pad"));
  if (in.failed()) return Value::absent();
  if (!tensor->hasShape || !amounts || amounts->size() > 2 * tensor->shape.size())
    return tensors::unknownResultOf(in, *tensor, tensor->dtype);
  Extents shape = tensor->shape;
  for (auto [i, amount] : llvm::enumerate(*amounts)) {
    Extent& size = shape[shape.size() - 1 - i / 2];
    size = plus(size, amount);
  }
  return tensors::resultOf(in, *tensor, tensor->dtype, sizesOf(shape));
}
constexpr NativeRow functionalRows[] = {
    {"dropout", elementwise<false>},     {"elu", elementwise<false>},
    {"gelu", elementwise<false>},        {"layer_norm", elementwise<false>},
    {"leaky_relu", elementwise<false>},  {"linear", linear},
    {"log_softmax", elementwise<false>}, {"mish", elementwise<false>},
    {"normalize", elementwise<false>},   {"pad", pad},
    {"relu", elementwise<false>},        {"rms_norm", elementwise<false>},
    {"sigmoid", elementwise<false>},     {"silu", elementwise<false>},
    {"softmax", elementwise<false>},     {"softplus", elementwise<false>},
    {"tanh", elementwise<false>}};

Value versionMember(Interpreter& in, llvm::StringRef name) {
  if ((name == "hip" || name == "cuda") && in.target().empty()) return Value::unknown();
  if (name == "hip") return chips::isAmd(in.target()) ? in.string("7.0") : Value::none();
  if (name == "cuda") return chips::isAmd(in.target()) ? Value::none() : in.string("13.0");
  return Value::unknown();
}

} // namespace

llvm::ArrayRef<NativeModule> torchModules() {
  static const NativeModule rows[] = {
      {"torch", torchRows, torchMember},
      {"torch.cuda", cudaRows},
      {"torch.testing", testingRows},
      {"torch.version", {}, versionMember},
      {"torch.nn", layerRows, layerModule},
      {"torch.nn.functional", functionalRows},
      {"torch.backends"},
      {"torch.utils"},
      {"torch.autograd", {}, autogradModule},
  };
  return rows;
}

} // namespace gluond::evaluate
