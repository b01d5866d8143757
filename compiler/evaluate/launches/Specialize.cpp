// Specializes the arguments of a launch: their types, divisibility, constants and options.
#include "chips/Vendor.h"
#include "evaluate/interpreter/Gluon.h"
#include "evaluate/interpreter/HostObjects.h"
#include "evaluate/launches/AssumedTypes.h"
#include "evaluate/launches/LaunchOptions.h"
#include "evaluate/launches/Launches.h"
#include "evaluate/torch/LibraryClasses.h"
#include "evaluate/torch/Torch.h"
#include "language/parameters/SpecializedDivisor.h"
#include "language/types/LayoutClass.h"
#include "language/types/TypeContext.h"
#include "language/types/TypeText.h"
#include "language/values/Integers.h"
#include "layout/named/FieldNames.h"
#include "syntax/tree/Spread.h"

#include <llvm/ADT/SmallString.h>
#include <llvm/Support/raw_ostream.h>

#include <limits>

namespace gluond::evaluate {

using language::ScalarKind;
using language::Type;

// ---------------------------------------------------------------- annotations

namespace {

// The information in a parameter's annotation.
struct Annotation {
  bool isConstexpr = false;
  bool isConst = false;       // a pointer through which nothing is stored
  const Type* type = nullptr; // takes precedence over the value's type
};

Annotation annotationOf(Interpreter& in, const FunctionObject* kernel, size_t index) {
  Annotation result;
  auto& parameter = kernel->def->parameters[index];
  if (!parameter.annotation) return result;
  Value value = index < kernel->annotations.size() ? kernel->annotations[index].unwrapped()
                                                   : Value::unknown();
  if (isConstexprAnnotation(value)) {
    result.isConstexpr = true;
    return result;
  }
  if (value.is(ValueKind::Type)) {
    result.type = value.asType();
    result.isConst = result.type->isConstPointer();
  } else if (auto* text = value.as<StrObject>()) {
    auto [type, isConst] = language::typeOfAnnotation(text->text, in.types());
    result.type = type;
    result.isConst = isConst;
  } else if (value.is(ValueKind::Builtin)) {
    result.isConst = in.repr(value).find("const") != std::string::npos;
  } else if (auto* cls = value.as<ClassObject>(); cls && cls->native) { // x: int, x: float, x: bool
    result.type = cls->qualname == "int"     ? language::scalarType(ScalarKind::Int32)
                  : cls->qualname == "float" ? language::scalarType(ScalarKind::Fp32)
                  : cls->qualname == "bool"  ? language::scalarType(ScalarKind::Int1)
                                             : nullptr;
  }
  return result;
}

bool isListed(Interpreter& in, const FunctionObject* kernel, llvm::StringRef option, size_t index) {
  auto* options = kernel->decoration.as<DictObject>();
  if (!options) return false;
  Value listed = in.dictGet(options, option);
  llvm::SmallVector<Value> items;
  if (listed.isAbsent() || listed.isUnknown() || !in.unpack(listed, items)) {
    if (!in.isExhausted()) in.dropError();
    return false;
  }
  llvm::StringRef name = in.text(kernel->def->parameters[index].name.name);
  return llvm::any_of(items, [&](Value item) {
    auto* text = item.as<StrObject>();
    return text ? text->text == name
                : item.isIntegral() && item.asInt() == static_cast<int64_t>(index);
  });
}

// ---------------------------------------------------------------- arguments

const Type* pointerTo(Interpreter& in, const TorchDtype* dtype, bool isConst) {
  return in.types().pointer(language::scalarType(dtype ? dtype->scalar : ScalarKind::Fp32),
                            isConst);
}

// For an argument whose host value is not known.
void assume(Interpreter& in, LaunchArgument& out, bool isConst) {
  if (isConst) return assumePointer(out, isConst, in.target(), in.types());
  out.isAssumed = out.isTypeAssumed = out.isDtypeAssumed = true;
  out.type = language::scalarType(ScalarKind::Int32);
}

// An element type of the width that a descriptor's layout is for.
ScalarKind elementFor(const language::LayoutObject& layout) {
  for (auto [field, value] : llvm::zip(layout.cls->fields, layout.fields))
    if (field.name == layout::fields::elementBitWidth && value.unwrapped().isIntegral())
      switch (value.unwrapped().asInt()) {
      case 8:
        return ScalarKind::Int8;
      case 32:
        return ScalarKind::Fp32;
      default:
        break;
      }
  return ScalarKind::Fp16;
}

// Binding and describing an argument takes about as long as this many expressions.
constexpr uint64_t stepsPerArgument = 4;

struct Specializer {
  Interpreter& in;

  void constant(LaunchArgument& out, Value value) {
    out.isConstexpr = true;
    out.constant = value.unwrapped();
    out.isAssumed = value.isUnknown();
  }

  void integer(LaunchArgument& out, Value value, bool specialize, bool align) {
    if (specialize && value.isIntegral() && value.asInt() == 1) return constant(out, value);
    ScalarKind kind = ScalarKind::UInt64;
    bool divisible = false;
    if (value.isIntegral()) {
      int64_t number = value.asInt();
      kind = number >= INT32_MIN && number <= INT32_MAX ? ScalarKind::Int32 : ScalarKind::Int64;
      divisible = number % language::specializedDivisor == 0;
    } else {
      divisible = toAPInt(value).countr_zero() >= llvm::Log2_32(language::specializedDivisor);
    }
    out.type = language::scalarType(kind);
    if (specialize && align && divisible) out.divisibleBy = language::specializedDivisor;
  }

  // Triton's table of dtypes lacks some of torch's.
  bool refusesDtype(const TensorObject* tensor) {
    const TorchDtype* dtype = tensor ? tensor->dtype : nullptr;
    if (!dtype || dtype->isOfTriton) return false;
    in.raise({ErrorKind::NoSpecialization, ("Tensor of torch." + dtype->name).str(), ""},
             "KeyError", "'" + dtype->name + "'");
    return true;
  }

  // Returns false, after raising, for a dtype that Triton does not have.
  bool tensor(LaunchArgument& out, const TensorObject& tensor, bool isConst, bool specialize,
              bool align) {
    if (refusesDtype(&tensor)) return false;
    out.type = pointerTo(in, tensor.dtype, isConst);
    if (!tensor.dtype) out.isAssumed = out.isDtypeAssumed = true;
    if (!specialize) return true;
    auto aligned = isAligned(tensor);
    if (align && aligned.value_or(true)) out.divisibleBy = language::specializedDivisor;
    if (chips::isAmd(in.target()) && tensor.storage.value_or(0) <= INT32_MAX) out.pointerRange = 32;
    return true;
  }

  bool descriptor(LaunchArgument& out, const HostDescriptorObject& descriptor) {
    auto get = [&](llvm::StringRef name) {
      return descriptor.attributes->get(in.name(name)).unwrapped();
    };
    Value base = get("base"), layout = get("layout");
    auto* tensor = hostAs<TensorObject>(base, tensorClass);
    auto block = shapeOf(in, get("block_shape"));
    auto shape = shapeOf(in, get("shape"));
    auto* layoutObject = layout.as<language::LayoutObject>();
    if (!block || !layoutObject || llvm::is_contained(*block, Extent())) {
      out.isAssumed = true;
      return false;
    }
    llvm::SmallVector<int64_t> sizes;
    for (Extent extent : *block)
      sizes.push_back(*extent);
    const TorchDtype* dtype = tensor ? tensor->dtype : nullptr;
    if (!dtype) out.isAssumed = out.isDtypeAssumed = true;
    const Type* element = language::scalarType(dtype ? dtype->scalar : elementFor(*layoutObject));
    size_t rank = shape ? shape->size() : sizes.size();
    llvm::SmallVector<const Type*> shapes(rank, language::scalarType(ScalarKind::Int32)),
        strides(rank, language::scalarType(ScalarKind::Int64));
    bool isIm2Col = descriptor.flavour == HostDescriptorObject::Flavour::Im2Col;
    auto kind = isIm2Col ? language::DescriptorKind::Im2Col
                : descriptor.flavour == HostDescriptorObject::Flavour::Tdm
                    ? language::DescriptorKind::Tdm
                    : language::DescriptorKind::Tiled;
    if (isIm2Col) out.inputRank = static_cast<unsigned>(rank);
    out.type =
        in.types().descriptor(kind, in.types().tensor(element, sizes, nullptr),
                              in.types().tuple(shapes), in.types().tuple(strides), layoutObject);
    return true;
  }

  // Returns false, after raising, for an argument that Triton cannot specialize.
  bool value(LaunchArgument& out, Value value, bool isConst, bool specialize, bool align,
             unsigned depth = 0) {
    if (value.isConstexpr()) return constant(out, value), true;
    switch (value.kind()) {
    case ValueKind::Unknown:
      assume(in, out, isConst);
      return true;
    case ValueKind::Bool:
      out.type = language::scalarType(ScalarKind::Int1);
      return true;
    case ValueKind::BigInt:
      if (llvm::APInt number = toAPInt(value);
          !(number.isNegative() ? number.isSignedIntN(64) : number.isIntN(64))) {
        in.raise("OverflowError", "integer to be specialized too large to represent");
        return false;
      }
      [[fallthrough]];
    case ValueKind::Int:
      integer(out, value, specialize, align);
      return true;
    case ValueKind::Float:
      out.type = language::scalarType(ScalarKind::Fp32);
      return true;
    case ValueKind::None:
      constant(out, value);
      return true;
    case ValueKind::Function:
      if (value.as<FunctionObject>()->function == FunctionKind::Python) return refuse(value);
      constant(out, value);
      return true;
    case ValueKind::BoundMethod:
      return refuse(value);
    case ValueKind::Tuple: {
      auto* tuple = value.as<TupleObject>();
      out.isTuple = true;
      // The nesting limit of tuples in a kernel's types, where shared parts are written out.
      if (depth > 16) {
        in.exhaust("a launch with tuples more than 16 deep");
        return false;
      }
      if (!in.spend(tuple->items.size() * stepsPerArgument) ||
          !in.charge(tuple->items.size(), sizeof(LaunchArgument)))
        return false;
      if (tuple->namedtuple) {
        out.tupleClass = tuple->namedtuple;
        llvm::SmallVector<Name> fields;
        for (auto& field : tuple->namedtuple->fields)
          fields.push_back(field.name);
        out.fields = in.heap().copyArray(llvm::ArrayRef<Name>(fields));
      }
      for (Value item : tuple->items) {
        LaunchArgument element;
        element.host = item.unwrapped();
        if (!this->value(element, item, false, true, true, depth + 1)) return false;
        out.isAssumed |= element.isAssumed;
        out.elements.push_back(std::move(element));
      }
      return true;
    }
    case ValueKind::Host: {
      if (auto* one = hostAs<TensorObject>(value, tensorClass)) {
        return tensor(out, *one, isConst, specialize, align);
      }
      if (auto* one = hostAs<HostDescriptorObject>(value, tensorDescriptorClass)) {
        if (!descriptor(out, *one)) out.type = nullptr;
        return true;
      }
      if (hostAs<DtypeObject>(value, dtypeClass) ||
          hostAs<NativeFunctionObject>(value, nativeFunctionClass))
        return refuse(value);
      if (hostAs<HostObject>(value, arrayClass)) { // the recorder refuses it
        assumePointer(out, isConst, in.target(), in.types());
        return true;
      }
      assume(in, out, isConst);
      return true;
    }
    case ValueKind::Enum:
      if (isInteger(value.as<EnumObject>()->value)) {
        integer(out, value.as<EnumObject>()->value, specialize, align);
        return true;
      }
      [[fallthrough]];
    default:
      // An object with a `data_ptr` is a user-defined tensor; its dtype is known only at run time.
      if (value.is(ValueKind::Instance)) {
        Value pointer = in.lookupAttribute(value, in.name("data_ptr"));
        in.dropError();
        if (!pointer.isAbsent()) {
          assumePointer(out, isConst, in.target(), in.types());
          return true;
        }
      }
      return refuse(value);
    }
  }

private:
  // Types, layouts, functions, strings, ... are only allowed if the annotation is constexpr.
  bool refuse(Value value) {
    auto* layout = value.as<language::LayoutObject>();
    llvm::StringRef type = layout                      ? llvm::StringRef(layout->cls->name)
                           : value.is(ValueKind::Type) ? "dtype"
                           : hostAs<DtypeObject>(value, dtypeClass)
                               ? "torch.dtype"
                               : in.className(in.typeOf(value));
    in.raise({ErrorKind::NoSpecialization, type.str(), ""}, "TypeError",
             "failed to specialize argument of type: " + type);
    return false;
  }
};

// The expressions that the launch being evaluated has for parameters.
class WrittenArguments {
public:
  explicit WrittenArguments(Interpreter& in)
      : call_(llvm::dyn_cast_if_present<syntax::Call>(in.frame() ? in.frame()->node : nullptr)),
        isPlain_(call_ && !syntax::spreadsArguments(*call_)) {}

  // Null if there is none.
  const syntax::Expr* of(const syntax::Parameter& parameter, size_t position) const {
    if (!call_) return nullptr;
    for (const syntax::Keyword& keyword : call_->keywords)
      if (keyword.name.name == parameter.name.name) return keyword.value;
    return isPlain_ && position < call_->args.size() ? call_->args[position] : nullptr;
  }

private:
  const syntax::Call* call_;
  bool isPlain_; // no argument stands for several
};

bool isNone(const syntax::Expr* written) {
  auto* constant = llvm::dyn_cast_if_present<syntax::Constant>(written);
  return constant && constant->constant == syntax::ConstantKind::None;
}

// x.data_ptr(): an address, which is a large number, and not a pointer to Triton.
bool isAddress(Interpreter& in, const syntax::Expr* written) {
  auto* call = llvm::dyn_cast_if_present<syntax::Call>(written);
  auto* method = call ? llvm::dyn_cast<syntax::Attribute>(call->func) : nullptr;
  return method && call->args.empty() && in.text(method->attribute.name) == "data_ptr";
}

} // namespace

bool addOption(Interpreter& in, llvm::StringRef name, Value value, Launch& out) {
  const LaunchOptionRow* option = findLaunchOption(name, in.options().release);
  if (!option) return false;
  value = value.unwrapped();
  if (name == "num_warps") {
    if (!value.isNone()) out.options[0].value = value;
    return true;
  }
  int64_t missing = chips::isAmd(out.target) ? option->hip : option->cuda;
  if (!value.isNone() && !(value.isIntegral() && value.asInt() == missing))
    out.options.push_back({name.str(), value});
  return true;
}

bool specialize(Interpreter& in, const FunctionObject* kernel, const CallArguments& arguments,
                Launch& out) {
  auto parameters = kernel->def->parameters;
  if (!in.spend((parameters.size() + arguments.keywords.size()) * stepsPerArgument) ||
      !in.spendProduct(parameters.size(), arguments.keywords.size()))
    return false;
  out.kernel = kernel;
  out.target = in.target().str();
  llvm::SmallVector<Value> bound(parameters.size(), Value::absent());
  auto fail = [&](const llvm::Twine& what, ErrorCause cause = {}) {
    in.raise(std::move(cause), "TypeError", kernel->qualname + "() " + what);
    return false;
  };
  size_t next = 0;
  for (size_t i = 0; i < parameters.size(); ++i) {
    if (parameters[i].kind == syntax::ParameterKind::VarArgs) {
      bound[i] =
          in.tupleOf(arguments.positional.drop_front(std::min(next, arguments.positional.size())));
      next = arguments.positional.size();
    } else if (parameters[i].kind <= syntax::ParameterKind::Positional &&
               next < arguments.positional.size()) {
      bound[i] = arguments.positional[next++];
    }
  }
  if (next < arguments.positional.size())
    return fail("takes " + llvm::Twine(parameters.size()) + " arguments but " +
                llvm::Twine(arguments.positional.size()) + " were given");
  out.options.push_back({"num_warps", Value::integer(usualWarps)});
  for (auto& keyword : arguments.keywords) {
    auto* parameter = llvm::find_if(
        parameters, [&](const syntax::Parameter& p) { return p.name.name == keyword.name; });
    bool isParameter = parameter != parameters.end();
    if (isParameter) {
      Value& slot = bound[static_cast<size_t>(parameter - parameters.begin())];
      if (!slot.isAbsent())
        return fail("got multiple values for argument '" + in.text(keyword.name) + "'");
      slot = keyword.value;
    }
    llvm::StringRef name = in.text(keyword.name);
    if (name == "grid" || name == "warmup") { // kernel[grid] passes them to `run`
      in.raise("TypeError",
               "JITFunction.run() got multiple values for keyword argument '" + name + "'");
      return false;
    }
    if (!addOption(in, name, keyword.value, out) && !isParameter) {
      in.raise({ErrorKind::UnknownOption, name.str(), ""}, "KeyError",
               "Keyword argument " + name + " was specified but unrecognised");
      return false;
    }
  }
  Specializer specializer{in};
  WrittenArguments writtenArguments(in);
  for (size_t i = 0; i < parameters.size(); ++i) {
    // Where nobody calls the function around the launch, its defaults stand for what callers give.
    const syntax::Expr* written = writtenArguments.of(parameters[i], i);
    if (out.isBlind && bound[i].isNone() && !isNone(written)) bound[i] = Value::unknown();
    if (bound[i].isAbsent() && i < kernel->defaults.size()) bound[i] = kernel->defaults[i];
    if (bound[i].isAbsent())
      return fail("missing a required argument: '" + in.text(parameters[i].name.name) + "'",
                  {ErrorKind::MissingArgument, in.text(parameters[i].name.name).str(), ""});
    LaunchArgument argument;
    argument.name = parameters[i].name.name;
    argument.host = bound[i].unwrapped();
    Annotation annotation = annotationOf(in, kernel, i);
    if (annotation.isConstexpr) {
      specializer.constant(argument, bound[i]);
    } else {
      bool noValue = isListed(in, kernel, "do_not_specialize", i),
           noAlign = isListed(in, kernel, "do_not_specialize_on_alignment", i);
      bool isPlain = annotation.type && (annotation.type->isFloat() || annotation.type->isBool());
      bool isTyped = annotation.type && bound[i].isUnknown(); // not known, except for its type
      if (!isTyped &&
          !specializer.value(argument, bound[i], annotation.isConst, !noValue, !noAlign)) {
        in.blame(static_cast<int>(i));
        return false;
      }
      auto* descriptor = hostAs<HostDescriptorObject>(argument.host, tensorDescriptorClass);
      if (descriptor && descriptor->flavour == HostDescriptorObject::Flavour::Triton &&
          !kernel->isTritonJit) {
        in.raise("AttributeError",
                 "'tensor_descriptor' object has no attribute 'layout': a descriptor of "
                 "triton.tools has none; import TensorDescriptor from "
                 "triton.experimental.gluon.nvidia.hopper, and give it a layout");
        in.blame(static_cast<int>(i));
        return false;
      }
      if (bound[i].isUnknown() && !annotation.isConst && isAddress(in, written)) {
        argument.type = language::scalarType(ScalarKind::Int64);
        argument.isAssumed = argument.isTypeAssumed = argument.isDtypeAssumed = false;
        if (!noValue && !noAlign) argument.divisibleBy = language::specializedDivisor;
      }
      if (annotation.type) { // the annotated type, with the specialization of the value
        argument.type = annotation.type;
        argument.isConstexpr = argument.isTypeAssumed = argument.isDtypeAssumed = false;
        argument.constant = Value::unknown();
        if (isPlain || noValue) argument.divisibleBy.reset();
      }
    }
    out.arguments.push_back(std::move(argument));
  }
  return true;
}

Launch defaultLaunch(Interpreter& in, const FunctionObject* kernel) {
  Launch launch;
  launch.kernel = kernel;
  launch.target = in.target().str();
  launch.isDefault = true;
  launch.options.push_back({"num_warps", Value::integer(usualWarps)});
  for (size_t i = 0; i < kernel->def->parameters.size(); ++i) {
    LaunchArgument argument;
    argument.name = kernel->def->parameters[i].name.name;
    Annotation annotation = annotationOf(in, kernel, i);
    Value missing = i < kernel->defaults.size() ? kernel->defaults[i] : Value::absent();
    Specializer specializer{in};
    if (annotation.isConstexpr)
      specializer.constant(argument, missing.isAbsent() ? Value::unknown() : missing);
    else if (!missing.isAbsent() &&
             specializer.value(argument, missing, annotation.isConst, true, true)) {
    } else
      assume(in, argument, annotation.isConst);
    if (!in.isExhausted()) in.dropError();
    argument.isAssumed = true;
    argument.isDtypeAssumed = !argument.isConstexpr && !argument.isTuple;
    if (annotation.type) {
      argument.type = annotation.type;
      argument.isConstexpr = argument.isTypeAssumed = argument.isDtypeAssumed = false;
    }
    launch.arguments.push_back(std::move(argument));
  }
  return launch;
}

} // namespace gluond::evaluate
