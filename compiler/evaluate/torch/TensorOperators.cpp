// Operators of two tensors: dtypes that are promoted, shapes that are broadcast, products of
// matrices.
#include "evaluate/torch/Autograd.h"
#include "evaluate/torch/TensorArguments.h"

namespace gluond::evaluate {

using namespace tensors;

namespace tensors {

std::optional<Extents> broadcast(llvm::ArrayRef<Extent> a, llvm::ArrayRef<Extent> b,
                                 size_t* misfit) {
  Extents shape(std::max(a.size(), b.size()));
  for (size_t i = 0; i < shape.size(); ++i) {
    Extent x = i < a.size() ? a[a.size() - 1 - i] : Extent(1),
           y = i < b.size() ? b[b.size() - 1 - i] : Extent(1);
    size_t place = shape.size() - 1 - i;
    if (x && y && *x != *y && *x != 1 && *y != 1) {
      if (misfit) *misfit = place;
      return std::nullopt;
    }
    shape[place] = x == Extent(1) ? y : x;
  }
  return shape;
}

std::optional<Extents> broadcastOrRaise(Interpreter& in, llvm::ArrayRef<Extent> a,
                                        llvm::ArrayRef<Extent> b) {
  size_t misfit = 0;
  auto shape = broadcast(a, b, &misfit);
  if (shape) return shape;
  size_t fromEnd = std::max(a.size(), b.size()) - misfit;
  refuse(in, "The size of tensor a (" + llvm::Twine(*a[a.size() - fromEnd]) +
                 ") must match the size of tensor b (" + llvm::Twine(*b[b.size() - fromEnd]) +
                 ") at non-singleton dimension " + llvm::Twine(misfit));
  return std::nullopt;
}

Value combine(Interpreter& in, Value left, Value right) {
  auto *a = hostAs<TensorObject>(left, tensorClass), *b = hostAs<TensorObject>(right, tensorClass);
  bool fits = !a || !b ||
              ((!a->hasShape || !b->hasShape || broadcast(a->shape, b->shape)) &&
               !areOnTwoDevices(*a, *b) && !areOnTwoDevices(*b, *a));
  return fits ? tensorBinary(in, 0, false, left, right) : unknownLike(in, *a);
}

} // namespace tensors

// "32x64"
static std::string matrixText(llvm::ArrayRef<Extent> shape) {
  std::string text;
  for (Extent size : shape)
    text += (text.empty() ? "" : "x") + (size ? std::to_string(*size) : std::string("?"));
  return text;
}

Value tensorMatmul(Interpreter& in, const CallArguments& arguments) {
  auto& a = self(arguments);
  auto* b = hostAs<TensorObject>(at(arguments, 0), tensorClass);
  if (!b || !a.hasShape || !b->hasShape || a.shape.empty() || b->shape.empty())
    return unknownLike(in, a);
  if (refusesDevices(in, a, *b)) return Value::absent();
  llvm::ArrayRef<Extent> x = a.shape, y = b->shape;
  Extent inner = x.back(), outer = y.size() == 1 ? y[0] : y[y.size() - 2];
  if (inner && outer && *inner != *outer)
    return refuse(in, "mat1 and mat2 shapes cannot be multiplied (" + matrixText(x) + " and " +
                          matrixText(y) + ")");
  Extents shape;
  if (y.size() == 1)
    shape.assign(x.begin(), x.end() - 1);
  else if (x.size() == 1) {
    shape.assign(y.begin(), y.end() - 2);
    shape.push_back(y.back());
  } else {
    auto batches = broadcastOrRaise(in, x.drop_back(2), y.drop_back(2));
    if (!batches) return Value::absent();
    shape = *batches;
    shape.push_back(x[x.size() - 2]);
    shape.push_back(y.back());
  }
  return resultOf(in, a, a.dtype, shape);
}

// The dtype of an operator of two tensors: floats before integers before bools, then tensors with
// dimensions before those without, then the wider one.
static const TorchDtype* promoted(const TensorObject& a, const TensorObject& b) {
  if (!a.dtype || !b.dtype) return nullptr;
  auto category = [](const TensorObject& of) {
    return of.dtype->isComplex ? 3 : of.dtype->isFloat ? 2 : of.dtype->name == "bool" ? 0 : 1;
  };
  auto hasDimensions = [](const TensorObject& of) { return !of.hasShape || !of.shape.empty(); };
  if (category(a) != category(b)) return category(a) > category(b) ? a.dtype : b.dtype;
  if (hasDimensions(a) != hasDimensions(b)) return hasDimensions(a) ? a.dtype : b.dtype;
  if (a.dtype == b.dtype) return a.dtype;
  if (a.dtype->bytes != b.dtype->bytes) return a.dtype->bytes > b.dtype->bytes ? a.dtype : b.dtype;
  return a.dtype->bytes == 2 && a.dtype->isFloat ? findTorchDtype("float32") : nullptr;
}

// Where the result of an operation is. Tensors of the CPU without dimensions are numbers, which are
// wherever the other operand is.
static TensorPlace placeOfResult(const TensorObject& a, const TensorObject& b) {
  auto isNumber = [](const TensorObject& each) { return each.hasShape && each.shape.empty(); };
  if (a.place == b.place) return a.place;
  if (a.place == TensorPlace::Gpu || b.place == TensorPlace::Gpu) return TensorPlace::Gpu;
  const TensorObject& onCpu = a.place == TensorPlace::Cpu ? a : b;
  return isNumber(onCpu) ? TensorPlace::Unknown : TensorPlace::Cpu;
}

Value tensorBinary(Interpreter& in, int op, bool isCompare, Value left, Value right) {
  if (!isCompare && static_cast<syntax::BinaryOp>(op) == syntax::BinaryOp::MatMult &&
      hostAs<TensorObject>(left, tensorClass)) {
    Value positional[] = {left, right};
    return tensorMatmul(in, {positional, {}});
  }
  auto *a = hostAs<TensorObject>(left, tensorClass), *b = hostAs<TensorObject>(right, tensorClass);
  auto isOperand = [&](Value value) {
    return value.isIntegral() || value.is(ValueKind::Float) || value.is(ValueKind::BigInt) ||
           hostAs<TensorObject>(value, tensorClass);
  };
  // Objects of other classes may be tensors of their own.
  Value with = a ? right : left;
  bool isPlain = with.isNone() || with.is(ValueKind::Str) || with.is(ValueKind::Tuple) ||
                 with.is(ValueKind::List);
  if (isCompare && !isOperand(with) && !isPlain) return Value::unknown();
  if (isCompare && !isOperand(with))
    return Value::boolean(static_cast<syntax::CompareOp>(op) == syntax::CompareOp::NotEq);
  const TensorObject* first = a ? a : b;
  Value other = a ? right : left;
  const TorchDtype* dtype = a && b ? promoted(*a, *b) : first->dtype;
  bool divides = !isCompare && static_cast<syntax::BinaryOp>(op) == syntax::BinaryOp::Div;
  if ((other.is(ValueKind::Float) || divides) && dtype && !dtype->isFloat && !dtype->isComplex)
    dtype = findTorchDtype("float32");
  if (other.isUnknown()) return unknownTensor(in, dtype);
  if (isCompare) dtype = findTorchDtype("bool");
  Value operands[] = {left, right};
  auto placed = [&](Value made) {
    if (TensorObject* tensor = in.writable(hostAs<TensorObject>(made, tensorClass)))
      tensor->place = a && b ? placeOfResult(*a, *b) : first->place;
    return withOrigins(in, operands, made);
  };
  if (!first->hasShape || (a && b && !b->hasShape)) return placed(unknownTensor(in, dtype));
  if (!a || !b) return placed(makeTensor(in, dtype, first->shape));
  if (refusesDevices(in, *a, *b)) return Value::absent();
  auto shape = broadcastOrRaise(in, a->shape, b->shape);
  return shape ? placed(makeTensor(in, dtype, *shape)) : Value::absent();
}

} // namespace gluond::evaluate
