// torch.Tensor: shape, strides, dtype and alignment, without values; its attributes.
#include "evaluate/interpreter/Gluon.h"
#include "evaluate/interpreter/NativeArguments.h"
#include "evaluate/interpreter/Rebinding.h"
#include "evaluate/torch/Autograd.h"
#include "evaluate/torch/Torch.h"
#include "evaluate/torch/TorchNames.h"
#include "evaluate/values/Classes.h"
#include "language/parameters/SpecializedDivisor.h"
#include "language/types/Builtin.h"

namespace gluond::evaluate {

Value torchArgument(const CallArguments& arguments, size_t index) {
  return at(arguments, index).unwrapped();
}
Value torchKeyword(Interpreter& in, const CallArguments& arguments, llvm::StringRef name) {
  return keyword(in, arguments, name).unwrapped();
}
Value torchArgument(Interpreter& in, const CallArguments& arguments, size_t index,
                    llvm::StringRef name) {
  return given(in, arguments, index, name).unwrapped();
}

llvm::SmallVector<Extent, 4> denseStrides(llvm::ArrayRef<Extent> shape) {
  llvm::SmallVector<Extent, 4> strides(shape.size());
  Extent next = 1;
  for (size_t i = shape.size(); i-- > 0;) {
    strides[i] = next;
    int64_t product;
    if (!next || !shape[i] ||
        __builtin_mul_overflow(*next, std::max<int64_t>(*shape[i], 1), &product))
      next.reset();
    else
      next = product;
  }
  return strides;
}

Value makeTensor(Interpreter& in, const TorchDtype* dtype, llvm::ArrayRef<Extent> shape) {
  if (shape.size() > mostDimensions) return unknownTensor(in, dtype);
  auto* tensor = in.heap().make<TensorObject>();
  tensor->cls = &tensorClass;
  tensor->dtype = dtype;
  tensor->shape = sizesOf(shape);
  tensor->strides = denseStrides(tensor->shape);
  tensor->known = tensor->origin = Value::absent();
  tensor->contents = {};
  Extent bytes = dtype ? Extent(dtype->bytes) : std::nullopt;
  for (Extent size : tensor->shape) {
    int64_t product;
    if (!bytes || !size || __builtin_mul_overflow(*bytes, *size, &product))
      bytes.reset();
    else
      bytes = product;
  }
  tensor->storage = bytes;
  return Value::object(ValueKind::Host, tensor);
}

Value movedTo(Interpreter& in, const TensorObject& tensor, TensorPlace place) {
  auto* moved = in.heap().make<TensorObject>(tensor);
  moved->place = place;
  return Value::object(ValueKind::Host, moved);
}

Value unknownTensor(Interpreter& in, const TorchDtype* dtype) {
  Value value = makeTensor(in, dtype, {});
  TensorObject* tensor = in.writable(hostAs<TensorObject>(value, tensorClass));
  if (!tensor) return value;
  tensor->hasShape = false;
  tensor->offset.reset();
  tensor->storage.reset();
  return value;
}

std::optional<llvm::SmallVector<Extent, 4>> shapeOf(Interpreter& in, Values arguments) {
  llvm::SmallVector<Value> items;
  Value first = arguments.empty() ? Value::absent() : arguments[0].unwrapped();
  if (arguments.size() == 1 && !first.isIntegral()) {
    if (!in.unpack(first, items)) {
      if (!in.isExhausted()) in.dropError();
      return std::nullopt;
    }
  } else {
    items.append(arguments.begin(), arguments.end());
  }
  llvm::SmallVector<Extent, 4> shape;
  for (Value item : items) {
    item = item.unwrapped();
    if (auto* tensor = hostAs<TensorObject>(item, tensorClass)) item = tensor->known;
    shape.push_back(item.isIntegral() ? Extent(item.asInt()) : std::nullopt);
  }
  if (shape.size() > 16) return std::nullopt;
  return shape;
}

bool isContiguous(const TensorObject& tensor) {
  if (!tensor.hasShape) return false;
  auto dense = denseStrides(tensor.shape);
  for (size_t i = 0; i < dense.size(); ++i)
    if (tensor.shape[i] != Extent(1) && dense[i] != tensor.strides[i]) return false;
  return true;
}

std::optional<bool> isAligned(const TensorObject& tensor) {
  if (!tensor.offset) return std::nullopt;
  if (*tensor.offset == 0) return true;
  if (!tensor.dtype) return std::nullopt;
  constexpr int64_t divisor = language::specializedDivisor;
  return *tensor.offset % divisor * tensor.dtype->bytes % divisor == 0;
}

static Value sizes(Interpreter& in, llvm::ArrayRef<Extent> extents) {
  llvm::SmallVector<Value, 4> items;
  for (Extent extent : extents)
    items.push_back(extent ? Value::integer(*extent) : Value::unknown());
  return in.tupleOf(items);
}

// Attributes that are neither methods nor modelled.
static bool isPlainAttribute(llvm::StringRef name) {
  static constexpr llvm::StringLiteral names[] = {
      "dense_dim",     "grad_fn",      "imag",      "is_cpu",       "is_leaf",   "is_meta",
      "is_mkldnn",     "is_mps",       "is_nested", "is_quantized", "is_sparse", "is_sparse_csr",
      "is_xpu",        "layout",       "name",      "names",        "output_nr", "real",
      "requires_grad", "retains_grad", "volatile"};
  return llvm::is_contained(names, name);
}

static Value tensorAttribute(Interpreter& in, Value self, Name name) {
  auto* tensor = hostAs<TensorObject>(self, tensorClass);
  llvm::StringRef text = in.text(name);
  if (name == in.names().shape)
    return tensor->hasShape ? sizes(in, tensor->shape) : Value::unknown();
  if (name == in.names().dtype)
    return tensor->dtype ? dtypeValue(in, *tensor->dtype) : Value::unknown();
  for (llvm::ArrayRef<NativeRow> rows : {tensorMethods(), viewMethods()})
    for (const NativeRow& row : rows) {
      llvm::StringRef method = row.name;
      if (method == text) {
        Value bound = in.function(row.name, row.function, self);
        if (auto* made = in.writable(hostAs<NativeFunctionObject>(bound, nativeFunctionClass)))
          made->isMethod = true;
        return withOrigin(in, self, bound);
      }
      // Properties are rows that start with '.'; methods are bound.
      if (method.consume_front(".") && method == text) return row.function(in, {self, {}});
    }
  if (text.starts_with("__")) return Value::absent();
  if (text == "ptr_range" || text == "tma_desc_cpu_ptr" || text == "_fields" || text == "mangle" ||
      text == "value")
    return Value::absent();
  if (text == "is_cuda")
    return tensor->place != TensorPlace::Cpu ? Value::boolean(true) : Value::unknown();
  if (text == "device") return deviceOf(in, *tensor);
  if (isPlainAttribute(text)) return Value::unknown();
  // x.half(), x.float()
  if (auto* dtype = isNameOfTriton(text) ? nullptr : findTorchDtype(text)) {
    return in.function(
        "to",
        [](Interpreter& i, const CallArguments& arguments) {
          auto* pair = arguments.positional[0].as<TupleObject>();
          return i.callMethod(pair->items[0], i.name("to"), {pair->items[1], {}});
        },
        in.tupleOf({self, dtypeValue(in, *dtype)}));
  }
  if (isMisspeltInTorch("torch.Tensor", text))
    return in.raise({ErrorKind::TensorMember, text.str(), "torch.Tensor"}, "AttributeError",
                    "'Tensor' object has no attribute '" + text + "'");
  return torchHas("torch.Tensor", text) ? withOrigin(in, self, methodByOutcome(in, self, text))
                                        : Value::unknown();
}

static bool tensorUnpack(Interpreter& in, Value self, llvm::SmallVectorImpl<Value>& out) {
  auto* tensor = hostAs<TensorObject>(self, tensorClass);
  if (!tensor->hasShape || (!tensor->shape.empty() && !tensor->shape[0])) return false;
  if (tensor->shape.empty()) {
    in.raise("TypeError", "iteration over a 0-d tensor");
    return false;
  }
  if (!in.charge(static_cast<size_t>(std::max<int64_t>(*tensor->shape[0], 0)),
                 sizeof(TensorObject)))
    return false;
  for (int64_t i = 0; i < *tensor->shape[0] && in.spend(1); ++i)
    out.push_back(tensorItem(in, self, Value::integer(i)));
  return !in.failed();
}

static std::optional<int64_t> tensorLength(Interpreter&, Value self) {
  auto* tensor = hostAs<TensorObject>(self, tensorClass);
  if (!tensor->hasShape || tensor->shape.empty() || !tensor->shape[0]) return std::nullopt;
  return tensor->shape[0];
}

static std::string tensorRepr(Interpreter& in, Value) {
  in.notePrintedUnknown();
  return "tensor(...)";
}

const HostClass tensorClass = {.name = "Tensor",
                               .attribute = tensorAttribute,
                               .item = tensorItem,
                               .repr = tensorRepr,
                               .unpack = tensorUnpack,
                               .binary = tensorBinary,
                               .length = tensorLength,
                               .rebinding = &sharedHost};

// ---------------------------------------------------------------- what isinstance and type ask

Value hostType(Interpreter& in, Value value) {
  if (hostAs<TensorObject>(value, tensorClass)) return in.moduleMember("torch", in.name("Tensor"));
  if (hostAs<DtypeObject>(value, dtypeClass)) return in.moduleMember("torch", in.names().dtype);
  if (auto* descriptor = hostAs<HostDescriptorObject>(value, tensorDescriptorClass)) {
    bool isIm2Col = descriptor->flavour == HostDescriptorObject::Flavour::Im2Col;
    return Value::builtin(&language::builtin(isIm2Col
                                                 ? language::BuiltinId::host_TensorDescriptorIm2Col
                                                 : language::BuiltinId::host_TensorDescriptor));
  }
  return Value::unknown();
}

std::optional<bool> hostIsInstance(Interpreter& in, Value value, Value cls) {
  if (cls.is(ValueKind::Builtin)) {
    auto* descriptor = hostAs<HostDescriptorObject>(value, tensorDescriptorClass);
    auto id = cls.asBuiltin()->id;
    if (id == language::BuiltinId::host_TensorDescriptor ||
        id == language::BuiltinId::host_cdna5_TensorDescriptor)
      return descriptor && descriptor->flavour != HostDescriptorObject::Flavour::Im2Col;
    if (id == language::BuiltinId::host_TensorDescriptorIm2Col)
      return descriptor && descriptor->flavour == HostDescriptorObject::Flavour::Im2Col;
    return false;
  }
  auto* space = hostAs<NamespaceObject>(cls, namespaceClass);
  if (!space) return std::nullopt;
  (void)in;
  bool isTensor = hostAs<TensorObject>(value, tensorClass),
       isDtype = hostAs<DtypeObject>(value, dtypeClass);
  if (space->name == "torch.Tensor") return isTensor;
  if (space->name == "torch.dtype") return isDtype;
  if (space->name == "TensorDescriptor")
    return hostAs<HostDescriptorObject>(value, tensorDescriptorClass) != nullptr;
  if (space->name == semanticClassName) {
    auto* object = value.as<HostObject>();
    return object && object->cls->name == semanticClassName;
  }
  if (space->name == descriptorClassName) {
    // A class of the program may derive from it.
    auto* instance = value.as<language::InstanceObject>();
    bool isOpen = instance && instance->cls->flavour != language::ClassObject::Flavour::Aggregate;
    return isOpen ? std::nullopt : std::optional(false);
  }
  return std::nullopt;
}

} // namespace gluond::evaluate
