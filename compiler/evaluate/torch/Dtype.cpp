// torch.dtype: the table of torch's dtypes, each with the element type of Triton that it becomes.
#include "evaluate/interpreter/Rebinding.h"
#include "evaluate/torch/Torch.h"
#include "evaluate/values/Classes.h"

namespace gluond::evaluate {

using language::ScalarKind;

static constexpr TorchDtype dtypeRows[] = {
    {"bool", 1, false, ScalarKind::Int1},
    {"uint8", 1, false, ScalarKind::UInt8},
    {"int8", 1, false, ScalarKind::Int8},
    {"int16", 2, false, ScalarKind::Int16},
    {"uint16", 2, false, ScalarKind::UInt16},
    {"int32", 4, false, ScalarKind::Int32},
    {"uint32", 4, false, ScalarKind::UInt32},
    {"int64", 8, false, ScalarKind::Int64},
    {"uint64", 8, false, ScalarKind::UInt64},
    {"float16", 2, true, ScalarKind::Fp16},
    {"bfloat16", 2, true, ScalarKind::Bf16},
    {"float32", 4, true, ScalarKind::Fp32},
    {"float64", 8, true, ScalarKind::Fp64},
    {"float8_e4m3fn", 1, true, ScalarKind::Fp8e4nv},
    {"float8_e5m2", 1, true, ScalarKind::Fp8e5},
    {"float8_e4m3fnuz", 1, true, ScalarKind::Fp8e4b8},
    {"float8_e5m2fnuz", 1, true, ScalarKind::Fp8e5b16},
    {"float8_e8m0fnu", 1, true, ScalarKind::UInt8, false},
    {"float4_e2m1fn_x2", 1, true, ScalarKind::UInt8, false},
    {"complex32", 4, false, ScalarKind::Fp32, false, true},
    {"complex64", 8, false, ScalarKind::Fp64, false, true},
    {"complex128", 16, false, ScalarKind::Fp64, false, true},
};

const TorchDtype* findTorchDtype(llvm::StringRef name) {
  name.consume_front("torch.");
  static constexpr std::pair<llvm::StringLiteral, llvm::StringLiteral> aliases[] = {
      {"half", "float16"},       {"float", "float32"},   {"double", "float64"},
      {"int", "int32"},          {"long", "int64"},      {"short", "int16"},
      {"fp16", "float16"},       {"bf16", "bfloat16"},   {"fp32", "float32"},
      {"fp64", "float64"},       {"chalf", "complex32"}, {"cfloat", "complex64"},
      {"cdouble", "complex128"},
  };
  for (auto& [alias, real] : aliases)
    if (alias == name) name = real;
  auto* row = llvm::find_if(dtypeRows, [&](const TorchDtype& r) { return r.name == name; });
  return row == std::end(dtypeRows) ? nullptr : row;
}

bool isNameOfTriton(llvm::StringRef dtype) {
  return llvm::is_contained({"fp16", "bf16", "fp32", "fp64"}, dtype);
}

static const TorchDtype& rowOf(llvm::StringRef name) {
  return *findTorchDtype(name);
}

static Value dtypeAttribute(Interpreter& in, Value self, Name name) {
  auto* row = hostAs<DtypeObject>(self, dtypeClass)->dtype;
  llvm::StringRef text = in.text(name);
  if (text == "itemsize") return Value::integer(row->bytes);
  if (text == "is_floating_point") return Value::boolean(row->isFloat);
  if (text == "is_complex") return Value::boolean(row->isComplex);
  if (text == "is_signed")
    return Value::boolean(!llvm::StringRef(row->name).starts_with("u") && row->name != "bool");
  return Value::absent();
}
static std::string dtypeRepr(Interpreter&, Value self) {
  return ("torch." + hostAs<DtypeObject>(self, dtypeClass)->dtype->name).str();
}
static std::optional<bool> dtypeEqual(Interpreter&, Value self, Value other) {
  auto* b = hostAs<DtypeObject>(other, dtypeClass);
  return b && b->dtype == hostAs<DtypeObject>(self, dtypeClass)->dtype;
}
const HostClass dtypeClass = {.name = "dtype",
                              .attribute = dtypeAttribute,
                              .repr = dtypeRepr,
                              .equal = dtypeEqual,
                              .rebinding = &sharedHost};

Value dtypeValue(Interpreter& in, const TorchDtype& dtype) {
  auto* object = in.heap().make<DtypeObject>();
  object->cls = &dtypeClass;
  object->dtype = &dtype;
  return Value::object(ValueKind::Host, object);
}

const TorchDtype* asDtype(Interpreter& in, Value value) {
  value = value.unwrapped();
  if (auto* object = hostAs<DtypeObject>(value, dtypeClass)) return object->dtype;
  if (auto* text = value.as<StrObject>()) return findTorchDtype(text->text);
  if (auto* cls = value.as<ClassObject>(); cls && cls->native) {
    if (cls->qualname == "float") return &rowOf("float32");
    if (cls->qualname == "int") return &rowOf("int64");
    if (cls->qualname == "bool") return &rowOf("bool");
  }
  (void)in;
  return nullptr;
}

namespace {

struct FloatLimits {
  llvm::StringLiteral dtype;
  double max, eps, tiny;
};
constexpr FloatLimits floatLimits[] = {
    {"float64", 0x1.fffffffffffffp1023, 0x1p-52, 0x1p-1022},
    {"float32", 0x1.fffffep127, 0x1p-23, 0x1p-126},
    {"float16", 65504, 0x1p-10, 0x1p-14},
    {"bfloat16", 0x1.fep127, 0x1p-7, 0x1p-126},
    {"float8_e4m3fn", 448, 0x1p-3, 0x1p-6},
    {"float8_e4m3fnuz", 240, 0x1p-3, 0x1p-7},
    {"float8_e5m2", 57344, 0x1p-2, 0x1p-14},
    {"float8_e5m2fnuz", 57344, 0x1p-2, 0x1p-15},
};

} // namespace

Value typeInfo(Interpreter& in, const CallArguments& arguments) {
  auto* dtype = asDtype(in, torchArgument(arguments, 0));
  if (!dtype) return Value::unknown();
  int64_t bits = int64_t{dtype->bytes} * 8;
  llvm::SmallVector<std::pair<llvm::StringRef, Value>> members = {
      {"bits", Value::integer(bits)}, {"dtype", in.string(dtype->name)}};
  const auto* limits = llvm::find_if(
      floatLimits, [&](const FloatLimits& each) { return each.dtype == dtype->name; });
  bool isSigned = llvm::StringRef(dtype->name).starts_with("int");
  if (limits != std::end(floatLimits)) {
    members.append({{"max", Value::real(limits->max)},
                    {"min", Value::real(-limits->max)},
                    {"eps", Value::real(limits->eps)},
                    {"tiny", Value::real(limits->tiny)},
                    {"smallest_normal", Value::real(limits->tiny)}});
  } else if (isSigned || (llvm::StringRef(dtype->name).starts_with("uint") && bits < 64)) {
    int64_t max = static_cast<int64_t>(~uint64_t{0} >> (64 - bits + (isSigned ? 1 : 0)));
    members.append(
        {{"max", Value::integer(max)}, {"min", Value::integer(isSigned ? -max - 1 : 0)}});
  }
  return in.namespaceOf("torch.finfo", members);
}

} // namespace gluond::evaluate
