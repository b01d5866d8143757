// What is known of the results of torch's functions and methods that have no row of their own: most
// of them take a tensor and give a new one, whose shape and dtype follow from a few rules.
#include "evaluate/torch/TensorArguments.h"

namespace gluond::evaluate {

namespace {

enum class Outcome : uint8_t {
  Nothing,      // no tensor, several, or one of an unknown dtype
  Alike,        // a tensor of the broadcast shape
  Flags,        // likewise, of bool
  AlikeIndices, // likewise, of int64
  Sums,         // likewise; sums of integers are int64
  Pair,         // likewise, with indices
  SameDtype,    // a tensor of another shape
  Indices       // likewise, of int64
};

struct NamedOutcome {
  llvm::StringLiteral name;
  Outcome outcome;
};

// Names that methods and functions of torch share, except those with the outcome Alike.
constexpr NamedOutcome others[] = {
    {"addbmm", Outcome::SameDtype},
    {"addmm", Outcome::SameDtype},
    {"addmv", Outcome::SameDtype},
    {"addr", Outcome::SameDtype},
    {"adjoint", Outcome::SameDtype},
    {"align_as", Outcome::SameDtype},
    {"align_to", Outcome::SameDtype},
    {"allclose", Outcome::Nothing},
    {"aminmax", Outcome::Nothing},
    {"argsort", Outcome::AlikeIndices},
    {"argwhere", Outcome::Indices},
    {"as_subclass", Outcome::Nothing},
    {"baddbmm", Outcome::SameDtype},
    {"bincount", Outcome::Indices},
    {"ccol_indices", Outcome::Nothing},
    {"cdist", Outcome::SameDtype},
    {"cholesky_solve", Outcome::SameDtype},
    {"col_indices", Outcome::Nothing},
    {"corrcoef", Outcome::SameDtype},
    {"count_nonzero", Outcome::Indices},
    {"cov", Outcome::SameDtype},
    {"cross", Outcome::SameDtype},
    {"crow_indices", Outcome::Nothing},
    {"cummax", Outcome::Pair},
    {"cummin", Outcome::Pair},
    {"cumprod", Outcome::Sums},
    {"cumsum", Outcome::Sums},
    {"dequantize", Outcome::Nothing},
    {"det", Outcome::SameDtype},
    {"diag", Outcome::SameDtype},
    {"diag_embed", Outcome::SameDtype},
    {"diagflat", Outcome::SameDtype},
    {"diagonal", Outcome::SameDtype},
    {"diff", Outcome::SameDtype},
    {"dist", Outcome::SameDtype},
    {"dot", Outcome::SameDtype},
    {"dsplit", Outcome::Nothing},
    {"eig", Outcome::Nothing},
    {"eq", Outcome::Flags},
    {"equal", Outcome::Nothing},
    {"frexp", Outcome::Nothing},
    {"ge", Outcome::Flags},
    {"geqrf", Outcome::Nothing},
    {"ger", Outcome::SameDtype},
    {"greater", Outcome::Flags},
    {"greater_equal", Outcome::Flags},
    {"gt", Outcome::Flags},
    {"histc", Outcome::SameDtype},
    {"histogram", Outcome::Nothing},
    {"hsplit", Outcome::Nothing},
    {"index", Outcome::SameDtype},
    {"indices", Outcome::Nothing},
    {"inner", Outcome::SameDtype},
    {"int_repr", Outcome::Nothing},
    {"inverse", Outcome::SameDtype},
    {"isclose", Outcome::Flags},
    {"isfinite", Outcome::Flags},
    {"isinf", Outcome::Flags},
    {"isnan", Outcome::Flags},
    {"isneginf", Outcome::Flags},
    {"isposinf", Outcome::Flags},
    {"isreal", Outcome::Flags},
    {"istft", Outcome::Nothing},
    {"kron", Outcome::SameDtype},
    {"le", Outcome::Flags},
    {"less", Outcome::Flags},
    {"less_equal", Outcome::Flags},
    {"logdet", Outcome::SameDtype},
    {"logical_and", Outcome::Flags},
    {"logical_not", Outcome::Flags},
    {"logical_or", Outcome::Flags},
    {"logical_xor", Outcome::Flags},
    {"lstsq", Outcome::Nothing},
    {"lt", Outcome::Flags},
    {"lu", Outcome::Nothing},
    {"lu_solve", Outcome::SameDtype},
    {"mH", Outcome::Nothing},
    {"map_", Outcome::Nothing},
    {"masked_select", Outcome::SameDtype},
    {"moveaxis", Outcome::SameDtype},
    {"multinomial", Outcome::Indices},
    {"mv", Outcome::SameDtype},
    {"nanmean", Outcome::SameDtype},
    {"nanquantile", Outcome::SameDtype},
    {"nansum", Outcome::SameDtype},
    {"narrow_copy", Outcome::SameDtype},
    {"ne", Outcome::Flags},
    {"new", Outcome::SameDtype},
    {"new_empty_strided", Outcome::SameDtype},
    {"new_tensor", Outcome::SameDtype},
    {"nonzero", Outcome::Nothing},
    {"nonzero_static", Outcome::Indices},
    {"not_equal", Outcome::Flags},
    {"orgqr", Outcome::SameDtype},
    {"ormqr", Outcome::SameDtype},
    {"outer", Outcome::SameDtype},
    {"pinverse", Outcome::SameDtype},
    {"qr", Outcome::Nothing},
    {"quantile", Outcome::SameDtype},
    {"ravel", Outcome::SameDtype},
    {"resize", Outcome::SameDtype},
    {"resize_as", Outcome::SameDtype},
    {"rot90", Outcome::SameDtype},
    {"row_indices", Outcome::Nothing},
    {"scatter_reduce", Outcome::SameDtype},
    {"signbit", Outcome::Flags},
    {"slogdet", Outcome::Nothing},
    {"smm", Outcome::SameDtype},
    {"solve", Outcome::Nothing},
    {"sparse_mask", Outcome::Nothing},
    {"split_with_sizes", Outcome::Nothing},
    {"sspaddmm", Outcome::SameDtype},
    {"std_mean", Outcome::Nothing},
    {"stft", Outcome::Nothing},
    {"sum_to_size", Outcome::SameDtype},
    {"svd", Outcome::Nothing},
    {"swapdims", Outcome::SameDtype},
    {"symeig", Outcome::Nothing},
    {"take", Outcome::SameDtype},
    {"take_along_dim", Outcome::SameDtype},
    {"tensor_split", Outcome::Nothing},
    {"to_dense", Outcome::Nothing},
    {"to_padded_tensor", Outcome::SameDtype},
    {"to_sparse", Outcome::Nothing},
    {"trace", Outcome::SameDtype},
    {"trapz", Outcome::SameDtype},
    {"triangular_solve", Outcome::Nothing},
    {"tril_indices", Outcome::Indices},
    {"type_as", Outcome::Nothing},
    {"unfold", Outcome::SameDtype},
    {"unique", Outcome::Nothing},
    {"unique_consecutive", Outcome::Nothing},
    {"unsafe_chunk", Outcome::Nothing},
    {"unsafe_split", Outcome::Nothing},
    {"unsafe_split_with_sizes", Outcome::Nothing},
    {"values", Outcome::Nothing},
    {"vander", Outcome::SameDtype},
    {"var_mean", Outcome::Nothing},
    {"vdot", Outcome::SameDtype},
    {"view_as_complex", Outcome::Nothing},
    {"view_as_real", Outcome::Nothing},
    {"vsplit", Outcome::Nothing},
};

// Functions of torch that are methods as well and give a tensor of the broadcast shape.
constexpr llvm::StringLiteral alikes[] = {"abs",
                                          "absolute",
                                          "addcdiv",
                                          "addcmul",
                                          "atan2",
                                          "bitwise_and",
                                          "bitwise_left_shift",
                                          "bitwise_not",
                                          "bitwise_or",
                                          "bitwise_right_shift",
                                          "bitwise_xor",
                                          "ceil",
                                          "clamp",
                                          "clamp_max",
                                          "clamp_min",
                                          "clip",
                                          "copysign",
                                          "cos",
                                          "cosh",
                                          "div",
                                          "divide",
                                          "erf",
                                          "erfc",
                                          "exp",
                                          "exp2",
                                          "expm1",
                                          "fix",
                                          "flip",
                                          "fliplr",
                                          "flipud",
                                          "floor",
                                          "floor_divide",
                                          "fmax",
                                          "fmin",
                                          "fmod",
                                          "frac",
                                          "hypot",
                                          "lerp",
                                          "lgamma",
                                          "log",
                                          "log10",
                                          "log1p",
                                          "log2",
                                          "log_softmax",
                                          "logaddexp",
                                          "logit",
                                          "masked_fill",
                                          "mul",
                                          "multiply",
                                          "nan_to_num",
                                          "neg",
                                          "negative",
                                          "pow",
                                          "reciprocal",
                                          "remainder",
                                          "roll",
                                          "round",
                                          "rsqrt",
                                          "rsub",
                                          "scatter",
                                          "scatter_add",
                                          "sgn",
                                          "sign",
                                          "sin",
                                          "sinc",
                                          "sinh",
                                          "sqrt",
                                          "square",
                                          "sub",
                                          "subtract",
                                          "tan",
                                          "tanh",
                                          "tril",
                                          "triu",
                                          "true_divide",
                                          "trunc",
                                          "xlogy"};

const NamedOutcome* otherThanAlike(llvm::StringRef name) {
  const auto* row = llvm::find_if(others, [&](const NamedOutcome& r) { return r.name == name; });
  return row == std::end(others) ? nullptr : row;
}

const TorchDtype* int64() {
  return findTorchDtype("int64");
}

// The tensor itself, combined with the tensors among the arguments; null if something raised.
const TensorObject* combined(Interpreter& in, const CallArguments& arguments) {
  Value result = arguments.positional[0];
  for (Value other : arguments.positional.drop_front())
    if (hostAs<TensorObject>(other, tensorClass)) result = tensors::combine(in, result, other);
  return hostAs<TensorObject>(result, tensorClass);
}

// The dtype that the call asks for, else `missing`; null if it asks for an unknown one.
const TorchDtype* askedDtype(Interpreter& in, const CallArguments& arguments,
                             const TorchDtype* missing) {
  Value asked = torchKeyword(in, arguments, "dtype");
  return asked.isAbsent() || asked.isNone() ? missing : asDtype(in, asked);
}

template <Outcome outcome> Value method(Interpreter& in, const CallArguments& arguments) {
  auto* tensor = hostAs<TensorObject>(arguments.positional[0], tensorClass);
  // The real part, the angle and the absolute value are floats.
  if (tensor->dtype && tensor->dtype->isComplex) return Value::unknown();
  if (outcome == Outcome::SameDtype) return tensors::unknownResultOf(in, *tensor, tensor->dtype);
  if (outcome == Outcome::Indices) return tensors::unknownResultOf(in, *tensor, int64());
  auto* alike = combined(in, arguments);
  if (!alike) return Value::absent();
  if (outcome == Outcome::Flags) return tensors::shaped(in, *alike, findTorchDtype("bool"));
  if (outcome == Outcome::AlikeIndices) return tensors::shaped(in, *tensor, int64());
  if (outcome == Outcome::Sums)
    return tensors::shaped(in, *tensor, askedDtype(in, arguments, dtypeOfSums(tensor->dtype)));
  if (outcome == Outcome::Pair)
    return valuesAndIndices(in, tensors::shaped(in, *tensor, tensor->dtype),
                            tensors::shaped(in, *tensor, int64()));
  return tensors::shaped(in, *alike, alike->dtype);
}

Value inPlace(Interpreter&, const CallArguments& arguments) {
  return arguments.positional[0];
}
// x.resize_(8), x.t_(): the same tensor, of another shape.
Value reshapeInPlace(Interpreter& in, const CallArguments& arguments) {
  TensorObject* tensor = in.writable(hostAs<TensorObject>(arguments.positional[0], tensorClass));
  if (!tensor) return Value::absent();
  tensor->hasShape = false;
  tensor->offset.reset();
  tensor->storage.reset();
  return arguments.positional[0];
}
bool isReshapedBy(llvm::StringRef method) {
  static constexpr llvm::StringLiteral names[] = {
      "as_strided_",    "resize_",  "resize_as_", "resize_as_sparse_",
      "set_",           "squeeze_", "swapaxes_",  "swapdims_",
      "sparse_resize_", "t_",       "transpose_", "unsqueeze_"};
  return llvm::is_contained(names, method);
}

Native nativeOf(Outcome outcome) {
  switch (outcome) {
  case Outcome::Nothing:
    return nullptr;
  case Outcome::Alike:
    return method<Outcome::Alike>;
  case Outcome::Flags:
    return method<Outcome::Flags>;
  case Outcome::AlikeIndices:
    return method<Outcome::AlikeIndices>;
  case Outcome::Sums:
    return method<Outcome::Sums>;
  case Outcome::Pair:
    return method<Outcome::Pair>;
  case Outcome::SameDtype:
    return method<Outcome::SameDtype>;
  case Outcome::Indices:
    return method<Outcome::Indices>;
  }
  return nullptr;
}

// torch.f(tensor, ...) is tensor.f(...); the name is what the function is bound to.
Value asMethodOfTensor(Interpreter& in, const CallArguments& arguments) {
  auto* name = arguments.positional[0].as<StrObject>();
  Values given = arguments.positional.drop_front();
  Value self = given.empty() ? torchKeyword(in, arguments, "input") : given[0].unwrapped();
  if (!name || !hostAs<TensorObject>(self, tensorClass)) return Value::unknown();
  llvm::SmallVector<KeywordArgument> keywords;
  for (const KeywordArgument& one : arguments.keywords)
    if (in.text(one.name) != "input") keywords.push_back(one);
  return in.callMethod(self, in.name(name->text),
                       {given.drop_front(given.empty() ? 0 : 1), keywords});
}

} // namespace

const TorchDtype* dtypeOfSums(const TorchDtype* of) {
  return of && !of->isFloat ? int64() : of;
}

Value methodByOutcome(Interpreter& in, Value tensor, llvm::StringRef name) {
  if (name.starts_with("is_") || name.starts_with("has_")) return Value::unknown();
  const NamedOutcome* row = otherThanAlike(name);
  Native native = row                   ? nativeOf(row->outcome)
                  : isReshapedBy(name)  ? reshapeInPlace
                  : name.ends_with("_") ? inPlace
                                        : method<Outcome::Alike>;
  return native ? in.function("method", native, tensor) : Value::unknown();
}

Value functionByOutcome(Interpreter& in, llvm::StringRef name) {
  if (const NamedOutcome* row = otherThanAlike(name))
    return row->outcome == Outcome::Nothing
               ? Value::absent()
               : in.function(row->name, asMethodOfTensor, in.string(name));
  const auto* alike = llvm::find(alikes, name);
  return alike == std::end(alikes) ? Value::absent()
                                   : in.function(*alike, asMethodOfTensor, in.string(name));
}

bool isFunctionByOutcome(const NativeFunctionObject& native) {
  return native.function == asMethodOfTensor;
}

} // namespace gluond::evaluate
