// triton.tools.mxfp: the tensors of microscaling formats that tests and examples make. Values are
// not modelled; shapes and dtypes are.
#include "evaluate/interpreter/NativeArguments.h"
#include "evaluate/torch/Torch.h"
#include "evaluate/triton/LibraryModules.h"

namespace gluond::evaluate {

namespace {

Value member(Interpreter& in, Value self, llvm::StringRef name) {
  return hostAs<NamespaceObject>(self, namespaceClass)->attributes->get(in.name(name));
}
const TensorObject* dataOf(Interpreter& in, Value self) {
  return hostAs<TensorObject>(member(in, self, "data"), tensorClass);
}

// A tensor with a byte, or with a number of `dtype`, for each element of a shape.
Value tensorOf(Interpreter& in, llvm::StringRef dtype, llvm::ArrayRef<Extent> shape, Value device) {
  Value made = makeTensor(in, findTorchDtype(dtype), shape);
  auto* tensor = hostAs<TensorObject>(made, tensorClass);
  bool isOnCpu = device.isAbsent() || device.isNone();
  return tensor && isOnCpu ? movedTo(in, *tensor, TensorPlace::Cpu) : made;
}

Value like(Interpreter& in, llvm::StringRef dtype, const TensorObject& tensor) {
  if (!tensor.hasShape) return unknownTensor(in, findTorchDtype(dtype));
  return tensorOf(in, dtype, tensor.shape,
                  tensor.place != TensorPlace::Cpu ? in.string("cuda") : Value::none());
}

// Sets self.data and returns self.
Value random(Interpreter& in, const CallArguments& arguments) {
  Value self = at(arguments, 0), size = member(in, self, "size");
  if (size.isAbsent())
    return in.raise("AttributeError", "the tensor was made from data and has no attribute 'size'");
  auto shape = shapeOf(in, size);
  if (in.failed()) return Value::absent();
  Scope* attributes = in.writable(hostAs<NamespaceObject>(self, namespaceClass)->attributes);
  if (!attributes) return Value::absent();
  attributes->set(in.name("data"), shape ? tensorOf(in, "uint8", *shape, member(in, self, "device"))
                                         : unknownTensor(in, findTorchDtype("uint8")));
  return self;
}

Value toFloat(Interpreter& in, const CallArguments& arguments) {
  const TensorObject* data = dataOf(in, at(arguments, 0));
  return data ? like(in, "float32", *data) : Value::unknown();
}

// Two elements in a byte along a dimension.
Value toPacked(Interpreter& in, const CallArguments& arguments) {
  const TensorObject* data = dataOf(in, at(arguments, 0));
  Value dim = given(in, arguments, 1, "dim").unwrapped();
  if (!data || !data->hasShape || !dim.isIntegral())
    return unknownTensor(in, findTorchDtype("uint8"));
  if (dim.asInt() < 0 || dim.asInt() >= static_cast<int64_t>(data->shape.size()))
    return in.raise("AssertionError", "The dimension to pack along is not within the range of "
                                      "tensor dimensions");
  llvm::SmallVector<Extent, 4> shape(data->shape);
  if (Extent& size = shape[static_cast<size_t>(dim.asInt())]) size = *size / 2 + *size % 2;
  return tensorOf(in, "uint8", shape,
                  data->place != TensorPlace::Cpu ? in.string("cuda") : Value::none());
}

constexpr NativeRow scaleRows[] = {{"random", random}, {"to", toFloat}};
constexpr NativeRow fp4Rows[] = {{"random", random},
                                 {"to", toFloat},
                                 {"to_packed_tensor", toPacked},
                                 {"unpack_packed_tensor", unknown}};

Value make(Interpreter& in, const CallArguments& arguments, llvm::StringRef name,
           llvm::ArrayRef<NativeRow> methods) {
  Value data = given(in, arguments, 0, "data"), size = given(in, arguments, 1, "size"),
        device = given(in, arguments, 2, "device");
  Value made = in.namespaceOf(name, {{"device", device.isAbsent() ? Value::none() : device}});
  Scope* attributes = in.writable(hostAs<NamespaceObject>(made, namespaceClass)->attributes);
  if (!attributes) return Value::absent();
  if (!data.isAbsent() && !data.isNone()) {
    auto* tensor = hostAs<TensorObject>(data, tensorClass);
    if (!tensor) return Value::unknown();
    attributes->set(in.name("data"), like(in, "uint8", *tensor));
  } else if (!size.isAbsent() && !size.isNone()) {
    attributes->set(in.name("size"),
                    size.is(ValueKind::Tuple) || size.isUnknown() ? size : in.tupleOf({size}));
  } else {
    return in.raise("ValueError", "Either parameter data or size must be provided");
  }
  for (const NativeRow& row : methods)
    attributes->set(in.name(row.name), in.function(row.name, row.function, made));
  return made;
}

Value mxfp4(Interpreter& in, const CallArguments& arguments) {
  return make(in, arguments, "triton.tools.mxfp.MXFP4Tensor", fp4Rows);
}
Value mxScale(Interpreter& in, const CallArguments& arguments) {
  return make(in, arguments, "triton.tools.mxfp.MXScaleTensor", scaleRows);
}
constexpr NativeRow mxfpRows[] = {{"MXFP4Tensor", mxfp4}, {"MXScaleTensor", mxScale}};

} // namespace

llvm::ArrayRef<NativeRow> mxfpFunctions() {
  return mxfpRows;
}

} // namespace gluond::evaluate
