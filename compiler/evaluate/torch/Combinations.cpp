#include "evaluate/torch/Combinations.h"

#include "evaluate/torch/TensorArguments.h"

#include <array>

namespace gluond::evaluate {

namespace {

template <bool isStack> Value joined(Interpreter& in, const CallArguments& arguments) {
  llvm::SmallVector<Value> parts;
  Value dim = torchArgument(in, arguments, 1, "dim");
  if (dim.isAbsent()) dim = Value::integer(0);
  Value list = torchArgument(in, arguments, 0, "tensors");
  if (list.isAbsent() || !in.unpack(list, parts) || parts.empty() || !dim.isIntegral()) {
    if (in.isExhausted()) return Value::absent();
    in.dropError();
    return Value::unknown();
  }
  auto* first = hostAs<TensorObject>(parts[0], tensorClass);
  if (!first) return Value::unknown();
  if (!first->hasShape) return tensors::unknownResultOf(in, *first, first->dtype);
  Extents shape = first->shape;
  int64_t rank = static_cast<int64_t>(shape.size()) + isStack,
          d = dim.asInt() < 0 ? dim.asInt() + rank : dim.asInt();
  if (d < 0 || d >= rank) return tensors::unknownResultOf(in, *first, first->dtype);
  for (auto [i, part] : llvm::enumerate(parts)) {
    auto* one = hostAs<TensorObject>(part, tensorClass);
    // An empty one may have any number of dimensions where they are concatenated.
    if (!one || !one->hasShape || (!isStack && one->shape.size() != first->shape.size())) continue;
    for (size_t k = 0; k < std::min(one->shape.size(), first->shape.size()); ++k) {
      Extent expected = first->shape[k], now = one->shape[k];
      if (!expected || !now || *expected == *now) continue;
      if (isStack)
        return tensors::refuse(in, "stack expects each tensor to be equal size, but got " +
                                       tensors::shapeText(first->shape) + " at entry 0 and " +
                                       tensors::shapeText(one->shape) + " at entry " +
                                       llvm::Twine(i));
      if (static_cast<int64_t>(k) != d)
        return tensors::refuse(
            in, "Sizes of tensors must match except in dimension " + llvm::Twine(d) +
                    ". Expected size " + llvm::Twine(*expected) + " but got size " +
                    llvm::Twine(*now) + " for tensor number " + llvm::Twine(i) + " in the list.");
    }
  }
  if (isStack) {
    shape.insert(shape.begin() + d, static_cast<int64_t>(parts.size()));
  } else {
    Extent total = 0;
    for (Value part : parts) {
      auto* one = hostAs<TensorObject>(part, tensorClass);
      Extent size = one && one->hasShape && static_cast<int64_t>(one->shape.size()) > d
                        ? one->shape[static_cast<size_t>(d)]
                        : std::nullopt;
      total = plus(total, size);
    }
    shape[static_cast<size_t>(d)] = total;
  }
  return tensors::resultOf(in, *first, first->dtype, shape);
}
} // namespace

Value concatenate(Interpreter& in, const CallArguments& arguments) {
  return joined<false>(in, arguments);
}
Value stack(Interpreter& in, const CallArguments& arguments) {
  return joined<true>(in, arguments);
}
Value where(Interpreter& in, const CallArguments& arguments) {
  if (arguments.positional.size() != 3) return Value::unknown();
  auto *a = hostAs<TensorObject>(torchArgument(arguments, 1), tensorClass),
       *b = hostAs<TensorObject>(torchArgument(arguments, 2), tensorClass);
  Value shaped = torchArgument(arguments, 0);
  if (!hostAs<TensorObject>(shaped, tensorClass)) return Value::unknown();
  for (size_t i : {1, 2})
    if (hostAs<TensorObject>(torchArgument(arguments, i), tensorClass))
      shaped = tensorBinary(in, 0, false, shaped, torchArgument(arguments, i));
  auto* result = hostAs<TensorObject>(shaped, tensorClass);
  if (!result) return Value::absent();
  const TorchDtype* dtype = a ? a->dtype : b ? b->dtype : nullptr;
  return tensors::shaped(in, *result, dtype);
}
Value einsum(Interpreter& in, const CallArguments& arguments) {
  auto* spec = torchArgument(arguments, 0).as<StrObject>();
  llvm::SmallVector<Value> tensors(
      arguments.positional.drop_front(arguments.positional.empty() ? 0 : 1));
  if (!spec || tensors.empty()) return Value::unknown();
  std::string clean;
  for (char c : spec->text)
    if (c != ' ') clean += c;
  auto [inputs, output] = llvm::StringRef(clean).split("->");
  llvm::SmallVector<llvm::StringRef> names;
  inputs.split(names, ',');
  std::array<Extent, 256> sizes; // by the letter
  auto* first = hostAs<TensorObject>(tensors[0], tensorClass);
  for (size_t i = 0; i < names.size() && i < tensors.size(); ++i) {
    auto* one = hostAs<TensorObject>(tensors[i], tensorClass);
    if (!one || !one->hasShape || one->shape.size() != names[i].size()) return Value::unknown();
    for (size_t k = 0; k < names[i].size(); ++k) {
      Extent& size = sizes[static_cast<unsigned char>(names[i][k])];
      Extent now = one->shape[k];
      if (size && now && *size != *now && *size != 1 && *now != 1)
        return tensors::refuse(in, "einsum(): subscript " + names[i].substr(k, 1) + " has size " +
                                       llvm::Twine(*now) + " for operand " + llvm::Twine(i) +
                                       " which does not broadcast with previously seen size " +
                                       llvm::Twine(*size));
      if (!size || *size == 1) size = now;
    }
  }
  Extents shape;
  for (char c : output.take_front(mostDimensions + 1)) // more are no tensor
    shape.push_back(sizes[static_cast<unsigned char>(c)]);
  return first ? tensors::resultOf(in, *first, first->dtype, shape) : Value::unknown();
}
Value linear(Interpreter& in, const CallArguments& arguments) {
  auto *x = hostAs<TensorObject>(torchArgument(arguments, 0), tensorClass),
       *w = hostAs<TensorObject>(torchArgument(arguments, 1), tensorClass);
  if (!x || !w || !x->hasShape || !w->hasShape || x->shape.empty() || w->shape.empty())
    return Value::unknown();
  Extent inner = x->shape.back(), of = w->shape.back();
  if (w->shape.size() == 2 && inner && of && *inner != *of)
    return tensors::refuse(in, "mat1 and mat2 shapes cannot be multiplied (" +
                                   tensors::shapeText(x->shape) + " and the transpose of " +
                                   tensors::shapeText(w->shape) + ")");
  Extents shape = x->shape;
  shape.back() = w->shape[0];
  return tensors::resultOf(in, *x, x->dtype, shape);
}

} // namespace gluond::evaluate
