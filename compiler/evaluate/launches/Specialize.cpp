// Turns a call of a launcher into Launches: expands autotune's configs and heuristics, binds and
// specializes the arguments.
#include "chips/Vendor.h"
#include "evaluate/interpreter/Gluon.h"
#include "evaluate/launches/LaunchOptions.h"
#include "evaluate/launches/Launches.h"
#include "evaluate/torch/LibraryClasses.h"
#include "evaluate/torch/Torch.h"
#include "language/types/Layout.h"
#include "language/types/TypeContext.h"
#include "layout/named/FieldNames.h"

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

// Parses "i32", "*fp16", "tl.int32", "const fp16*", ...; returns null if Triton does not know it.
const Type* typeOfText(language::TypeContext& types, llvm::StringRef text, bool& isConst) {
  text = text.trim();
  text.consume_front("tl.");
  text.consume_front("gl.");
  if (text.consume_front("const ")) isConst = true;
  text = text.trim();
  bool isPointer = text.consume_front("*");
  if (isPointer && text.starts_with("k")) {
    isConst = true;
    text = text.drop_front();
  }
  isPointer |= text.consume_back("*");
  for (unsigned i = 0; i <= static_cast<unsigned>(ScalarKind::Fp64); ++i) {
    auto& info = language::scalarInfo(static_cast<ScalarKind>(i));
    bool isBoolName =
        info.kind == ScalarKind::Int1 && (text == "u1" || text == "bool" || text == "i1");
    if (text != info.name && text != info.mangled && text != info.attribute && !isBoolName)
      continue;
    const Type* scalar = language::scalarType(info.kind);
    return isPointer ? types.pointer(scalar, isConst) : scalar;
  }
  return nullptr;
}

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
    result.type = typeOfText(in.types(), text->text, result.isConst);
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

void assumePointer(Interpreter& in, LaunchArgument& out, bool isConst) {
  out.isAssumed = true;
  out.type = pointerTo(in, nullptr, isConst);
  out.divisibleBy = 16;
  if (chips::isAmd(in.target())) out.pointerRange = 32;
}

// For an argument whose host value is not known: uses what its parameter's name suggests.
void assume(Interpreter& in, LaunchArgument& out, bool isConst) {
  llvm::StringRef name = in.text(out.name);
  out.isAssumed = true;
  bool isPointer = name.ends_with("_ptr") || name.ends_with("_ptrs") || name.ends_with("ptr") ||
                   name.starts_with("ptr") ||
                   (name.size() == 1 && llvm::StringRef("XYZABCDQKVOW").contains(name[0])) ||
                   name == "input" || name == "output" || name == "out";
  if (isPointer)
    assumePointer(in, out, isConst);
  else
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
      divisible = (number & 15) == 0;
    } else {
      divisible = toAPInt(value).countr_zero() >= 4;
    }
    out.type = language::scalarType(kind);
    if (specialize && align && divisible) out.divisibleBy = 16;
  }

  void tensor(LaunchArgument& out, const TensorObject& tensor, bool isConst, bool specialize,
              bool align) {
    out.type = pointerTo(in, tensor.dtype, isConst);
    if (!tensor.dtype) out.isAssumed = true;
    if (!specialize) return;
    auto aligned = isAligned(tensor);
    if (align && aligned.value_or(true)) out.divisibleBy = 16;
    if (chips::isAmd(in.target()) && tensor.storage.value_or(0) <= INT32_MAX) out.pointerRange = 32;
  }

  bool descriptor(LaunchArgument& out, HostDescriptorObject& descriptor) {
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
    if (!dtype) out.isAssumed = true;
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
    case ValueKind::Int:
    case ValueKind::BigInt:
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
        tensor(out, *one, isConst, specialize, align);
        return true;
      }
      if (auto* one = hostAs<HostDescriptorObject>(value, tensorDescriptorClass)) {
        if (!descriptor(out, *one)) out.type = nullptr;
        return true;
      }
      if (hostAs<DtypeObject>(value, dtypeClass) || hostAs<HostObject>(value, arrayClass))
        return refuse(value);
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
          assumePointer(in, out, isConst);
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
                                                       : in.className(in.typeOf(value));
    in.raise("TypeError", "failed to specialize argument of type: " + type);
    return false;
  }
};

} // namespace

bool specialize(Interpreter& in, FunctionObject* kernel, const CallArguments& arguments,
                Launch& out) {
  auto parameters = kernel->def->parameters;
  if (!in.spend((parameters.size() + arguments.keywords.size()) * stepsPerArgument) ||
      !in.spendProduct(parameters.size(), arguments.keywords.size()))
    return false;
  out.kernel = kernel;
  out.target = in.target().str();
  llvm::SmallVector<Value> bound(parameters.size(), Value::absent());
  auto fail = [&](const llvm::Twine& what) {
    in.raise("TypeError", kernel->qualname + "() " + what);
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
  out.options.push_back({"num_warps", Value::integer(4)});
  bool isHip = chips::isAmd(in.target());
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
    if (name == "grid" || name == "warmup") continue;
    const LaunchOptionRow* option = findLaunchOption(name);
    if (!option) {
      if (!isParameter) {
        in.raise("KeyError", "Keyword argument " + name + " was specified but unrecognised");
        return false;
      }
      continue;
    }
    Value value = keyword.value.unwrapped();
    if (name == "num_warps") {
      if (!value.isNone()) out.options[0].value = value;
      continue;
    }
    int64_t missing = isHip ? option->hip : option->cuda;
    if (value.isNone() || (value.isIntegral() && value.asInt() == missing)) continue;
    out.options.push_back({name.str(), value});
  }
  Specializer specializer{in};
  for (size_t i = 0; i < parameters.size(); ++i) {
    if (bound[i].isAbsent() && i < kernel->defaults.size()) bound[i] = kernel->defaults[i];
    if (bound[i].isAbsent())
      return fail("missing a required argument: '" + in.text(parameters[i].name.name) + "'");
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
      bool isTyped = annotation.type && bound[i].isUnknown(); // not known, but for its type
      if (!isTyped &&
          !specializer.value(argument, bound[i], annotation.isConst, !noValue, !noAlign)) {
        in.blame(static_cast<int>(i));
        return false;
      }
      if (annotation.type) { // the annotated type, with the specialization of the value
        argument.type = annotation.type;
        argument.isConstexpr = false;
        argument.constant = Value::unknown();
        if (isPlain || noValue) argument.divisibleBy.reset();
      }
    }
    out.arguments.push_back(std::move(argument));
  }
  return true;
}

Launch defaultLaunch(Interpreter& in, FunctionObject* kernel) {
  Launch launch;
  launch.kernel = kernel;
  launch.target = in.target().str();
  launch.isDefault = true;
  launch.options.push_back({"num_warps", Value::integer(4)});
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
    if (annotation.type) {
      argument.type = annotation.type;
      argument.isConstexpr = false;
    }
    argument.isAssumed = true;
    launch.arguments.push_back(std::move(argument));
  }
  return launch;
}

// ---------------------------------------------------------------- the recorder

// Text that two launches of one kernel share iff they are the same specialization.
void LaunchRecorder::describe(Interpreter& in, const LaunchArgument& argument,
                              llvm::SmallVectorImpl<char>& out) {
  llvm::raw_svector_ostream stream(out);
  Value constant = argument.constant;
  if (argument.isConstexpr && constant.isIntegral())
    stream << (constant.is(ValueKind::Bool) ? 'b' : 'i') << constant.asInt();
  else if (argument.isConstexpr)
    stream << 'c' << in.repr(constant);
  else
    stream << signature(argument);
  if (argument.divisibleBy) stream << " D" << *argument.divisibleBy;
  if (argument.pointerRange) stream << " S";
  if (argument.isAssumed) stream << " ?";
  if (argument.isConstexpr && constant.is(ValueKind::Class))
    stream << ' ' << static_cast<const void*>(constant.object());
  if (argument.type && argument.type->is(language::TypeKind::TensorDescriptor)) {
    std::string& text = types_[argument.type];
    if (text.empty()) text = language::str(argument.type, in.interner());
    stream << ' ' << text;
  }
  for (auto& element : argument.elements)
    describe(in, element, out);
  stream << ';';
}

std::string signature(const LaunchArgument& argument) {
  if (argument.isConstexpr) return "constexpr";
  if (argument.isTuple) return "tuple";
  if (!argument.type) return "?";
  auto* type = argument.type;
  auto scalarName = [](const Type* scalar) {
    return scalar->isBool() ? std::string("u1") : scalar->info().mangled.str();
  };
  if (type->isScalar()) return scalarName(type);
  if (type->isPointer() && type->element()->isScalar())
    return std::string(type->isConstPointer() ? "*k" : "*") + scalarName(type->element());
  if (type->is(language::TypeKind::TensorDescriptor))
    return type->descriptorKind() == language::DescriptorKind::Im2Col ? "tensordesc_im2col"
                                                                      : "tensordesc";
  return "?";
}

// Returns the arguments so far as a dict by parameter name: hooks and heuristics receive it, and
// grids receive it with defaults added.
static Value argumentsByName(Interpreter& in, FunctionObject* kernel,
                             const CallArguments& arguments, bool withDefaults = false) {
  Value dict = in.heap().dict();
  for (size_t i = 0; withDefaults && i < kernel->defaults.size(); ++i)
    if (!kernel->defaults[i].isAbsent())
      in.dictSet(dict.as<DictObject>(), in.string(in.text(kernel->def->parameters[i].name.name)),
                 kernel->defaults[i]);
  for (size_t i = 0; i < arguments.positional.size() && i < kernel->def->parameters.size(); ++i)
    in.dictSet(dict.as<DictObject>(), in.string(in.text(kernel->def->parameters[i].name.name)),
               arguments.positional[i]);
  for (auto& keyword : arguments.keywords)
    in.dictSet(dict.as<DictObject>(), in.string(in.text(keyword.name)), keyword.value);
  return dict;
}

// Raises for a grid that Triton cannot launch: one that is no sequence, or not of integers.
static void refuseGrid(Interpreter& in, Value grid, llvm::ArrayRef<Value> items) {
  if (in.failed() || grid.isAbsent() || grid.isUnknown()) return;
  if (grid.isIntegral() || grid.is(ValueKind::Float) || grid.isNone()) {
    in.raise("TypeError", "object of type '" + llvm::Twine(in.className(in.typeOf(grid))) +
                              "' has no len(): a grid is a tuple, as in kernel[(n, )](...)");
    return;
  }
  for (Value item : items)
    if (Value value = item.unwrapped(); value.is(ValueKind::Float)) {
      in.raise("TypeError",
               "'float' object cannot be interpreted as an integer: the grid's numbers "
               "of programs are integers");
      return;
    }
}

// Returns the grid as numbers: from a tuple, or a function of the arguments. The grid does not
// affect the compiled code, so the launch is known even if the grid is wrong, which is reported.
static std::optional<std::array<int64_t, 3>> gridOf(Interpreter& in, FunctionObject* kernel,
                                                    Value grid, const CallArguments& arguments) {
  grid = grid.unwrapped();
  // Triton calls every grid that can be called, an object with `__call__` too.
  bool isCalled = grid.is(ValueKind::Instance)
                      ? in.isCallable(grid)
                      : grid.is(ValueKind::Function) || grid.is(ValueKind::BoundMethod) ||
                            grid.is(ValueKind::Host);
  if (isCalled) grid = in.call(grid, argumentsByName(in, kernel, arguments, true)).unwrapped();
  llvm::SmallVector<Value> items;
  bool isNumber = grid.isIntegral() || grid.is(ValueKind::Float);
  if (grid.isAbsent() || grid.isUnknown() || isNumber || !in.unpack(grid, items)) items.clear();
  refuseGrid(in, grid, items);
  if (in.failed() && !in.isExhausted()) {
    in.refused(kernel->qualname);
    in.dropError();
  }
  if (items.empty() || items.size() > 3) return std::nullopt;
  std::array<int64_t, 3> extents = {1, 1, 1};
  for (size_t i = 0; i < items.size(); ++i) {
    Value item = items[i].unwrapped();
    if (!item.isIntegral() || item.asInt() <= 0) return std::nullopt;
    extents[i] = item.asInt();
  }
  return extents;
}

// The amount of data of a launch: bytes of its tensors, as far as they are known.
static double sizeOf(const std::vector<LaunchArgument>& arguments, Interpreter& in) {
  double bytes = 0;
  for (const LaunchArgument& argument : arguments) {
    bytes += sizeOf(argument.elements, in);
    Value host = argument.host;
    if (auto* descriptor = hostAs<HostDescriptorObject>(host, tensorDescriptorClass))
      if (Value base = descriptor->attributes->get(in.name("base")); !base.isAbsent())
        host = base.unwrapped();
    auto* tensor = hostAs<TensorObject>(host, tensorClass);
    if (!tensor || !tensor->hasShape) continue;
    double size = tensor->dtype ? tensor->dtype->bytes : 4;
    for (Extent extent : tensor->shape)
      size *= static_cast<double>(extent.value_or(1));
    bytes += size;
  }
  return bytes;
}

// Gives arguments the host values of others like them.
static void takeHostValues(std::vector<LaunchArgument>& arguments,
                           const std::vector<LaunchArgument>& others) {
  for (auto [argument, other] : llvm::zip(arguments, others)) {
    argument.host = other.host;
    takeHostValues(argument.elements, other.elements);
  }
}

void LaunchRecorder::record(Interpreter& in, FunctionObject* kernel, Value grid,
                            const CallArguments& arguments, bool certain) {
  // Specializing, describing and the grid run the program, which may launch other kernels (or this
  // one): nothing of ours is held across them but numbers of launches.
  if (done_.contains(kernel->def)) return;
  if (perKernel_.lookup(kernel->def) >= mostPerKernel_) return;
  Launch launch;
  if (!specialize(in, kernel, arguments, launch)) return;
  launch.isCertain = certain;
  launch.isBlind = isBlind_;
  llvm::SmallString<256> key;
  llvm::raw_svector_ostream(key) << static_cast<const void*>(kernel->def);
  for (auto& argument : launch.arguments)
    describe(in, argument, key);
  for (auto& option : launch.options)
    llvm::raw_svector_ostream(key) << option.name << '=' << in.repr(option.value) << ',';
  if (in.failed()) in.dropError();
  // A grid may be wrong at each call.
  bool isNewCall = in.frame() && in.frame()->node && calls_.insert(in.frame()->node).second;
  constexpr size_t unfinished = ~size_t(0); // its grid is being evaluated
  auto [it, isNew] = seen_.try_emplace(key, unfinished);
  size_t known = it->second;
  if (!isNew) {
    if (known == unfinished) return;
    out_[known].isCertain |= certain;
    bool isLarger = sizeOf(launch.arguments, in) > sizeOf(out_[known].arguments, in);
    if (isLarger || isNewCall) launch.grid = gridOf(in, kernel, grid, arguments);
    if (!isLarger) return;
    Launch& same = out_[known];
    if (!launch.grid && same.grid) return;
    same.grid = launch.grid;
    if (same.kernel == launch.kernel) {
      same.arguments = std::move(launch.arguments);
      return;
    }
    // The run as a script repeats a launch that importing the file makes, too: it is one
    // specialization, which keeps the constants of its own module.
    takeHostValues(same.arguments, launch.arguments);
    return;
  }
  launch.grid = gridOf(in, kernel, grid, arguments);
  std::string target = launch.target;
  std::erase(target, ':');
  launch.id =
      (kernel->qualname + "." + target + "." + std::to_string(perKernel_[kernel->def]++)).str();
  for (Frame* frame = in.frame(); frame && launch.places.size() < 32; frame = frame->caller)
    if (frame->node)
      launch.places.push_back({frame->module, frame->node->range,
                               frame->function ? frame->function->qualname : llvm::StringRef()});
  std::reverse(launch.places.begin(), launch.places.end());
  seen_[key] = out_.size();
  out_.push_back(std::move(launch));
}

void LaunchRecorder::onlyKernelsWithoutLaunches() {
  isBlind_ = true;
  for (const Launch& launch : out_)
    done_.insert(launch.kernel->def);
}

bool LaunchRecorder::expand(Interpreter& in, Value kernel, Value grid,
                            const CallArguments& arguments, bool certain) {
  auto* tuner = hostAs<TunerObject>(kernel, tunerClass);
  auto* function = kernelOf(kernel);
  if (!function) return true;
  Nesting nesting(in); // autotune of heuristics of autotune
  if (!nesting) return false;
  if (!tuner) {
    record(in, function, grid, arguments, certain);
    return !in.failed();
  }
  if (!tuner->rules.isAbsent()) { // heuristics
    llvm::SmallVector<KeywordArgument> keywords(arguments.keywords);
    if (auto* rules = tuner->rules.as<DictObject>())
      for (auto [key, rule] : rules->items.snapshot()) {
        auto* text = key.as<StrObject>();
        if (!text) continue;
        Value value =
            in.call(rule, argumentsByName(in, function, {arguments.positional, keywords}));
        if (value.isAbsent()) return false;
        Name name = in.name(text->text);
        llvm::erase_if(keywords, [&](auto& keyword) { return keyword.name == name; });
        keywords.push_back({name, value});
      }
    return expand(in, tuner->inner, grid, {arguments.positional, keywords}, certain);
  }
  llvm::SmallVector<Value> configs;
  Value list = tuner->configs;
  bool areAllTried = !tuner->leavesOut;
  if (!tuner->prune.isAbsent()) {
    Value positional[] = {list, argumentsByName(in, function, {arguments.positional, {}})};
    Value pruned = in.call(tuner->prune, CallArguments{positional, arguments.keywords});
    if (pruned.isAbsent()) {
      if (in.isExhausted()) return false;
      in.dropError();
      areAllTried = false;
    } else if (pruned.isUnknown()) {
      areAllTried = false;
    } else {
      list = pruned;
    }
  }
  if (list.isAbsent() || !in.unpack(list, configs) || configs.empty()) {
    if (in.failed()) return false;
    // With unknown configurations, arguments may be missing that they provide.
    bool isWhole = expand(in, tuner->inner, grid, arguments, certain);
    if (!isWhole && !in.isExhausted()) in.dropError();
    return !in.failed();
  }
  llvm::SmallVector<Name> given;
  for (const KeywordArgument& keyword : arguments.keywords)
    given.push_back(keyword.name);
  bool fits = false;
  Value refusal = Value::absent(); // of the first configuration that did not fit
  for (Value config : configs) {
    auto* space = hostAs<NamespaceObject>(config, namespaceClass);
    llvm::SmallVector<KeywordArgument> keywords(arguments.keywords);
    llvm::StringRef conflict;
    Value hook = Value::none();
    if (space) {
      auto get = [&](llvm::StringRef name) {
        Value found = space->attributes->get(in.name(name));
        return found.isAbsent() ? Value::none() : found;
      };
      auto add = [&](Name name, Value value) {
        llvm::erase_if(keywords, [&](auto& keyword) { return keyword.name == name; });
        keywords.push_back({name, value});
      };
      if (auto* kwargs = get("kwargs").as<DictObject>())
        for (auto [key, value] : kwargs->items)
          if (auto* text = key.as<StrObject>()) {
            if (llvm::is_contained(given, in.name(text->text))) conflict = text->text;
            add(in.name(text->text), value);
          }
      for (const LaunchOptionRow& option : launchOptionRows())
        if (Value value = option.isOfConfig ? get(option.name) : Value::none(); !value.isNone())
          add(in.name(option.name), value);
      hook = get("pre_hook");
    }
    if (!conflict.empty()) {
      in.raise("ValueError", "Conflicting meta-parameters: " + conflict +
                                 ". Make sure that you don't re-define auto-tuned symbols.");
      return false;
    }
    CallArguments with{arguments.positional, keywords};
    if (!hook.isNone() && !hook.isUnknown()) {
      if (in.call(hook, argumentsByName(in, function, with)).isAbsent()) {
        if (in.isExhausted()) return false;
        in.dropError(); // this configuration would not run
        fits = true;
        continue;
      }
    }
    if (expand(in, tuner->inner, grid, with, certain)) {
      fits = true;
    } else {
      if (in.isExhausted()) return false;
      Value raised = in.takeError().exception;
      if (refusal.isAbsent()) refusal = raised;
    }
  }
  if (refusal.isAbsent() || (fits && !areAllTried)) return true;
  in.raiseValue(refusal);
  return false;
}

Value LaunchRecorder::launch(Interpreter& in, Value kernel, Value grid,
                             const CallArguments& arguments, bool certain) {
  if (expand(in, kernel, grid, arguments, certain)) return Value::unknown();
  // With unknown decorators, a kernel may take arguments other than its own.
  size_t known = 1;
  for (auto* tuner = hostAs<TunerObject>(kernel, tunerClass); tuner;
       tuner = hostAs<TunerObject>(tuner->inner, tunerClass))
    ++known;
  auto* function = kernelOf(kernel);
  if (in.isExhausted()) return Value::absent();
  if (function && function->def && function->def->decorators.size() > known) {
    in.dropError();
    return Value::unknown();
  }
  if (function) in.refused(function->qualname);
  return Value::absent();
}

} // namespace gluond::evaluate
