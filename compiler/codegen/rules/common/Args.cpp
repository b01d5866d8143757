#include "codegen/rules/common/Args.h"

#include "codegen/builder/KernelFixes.h"
#include "codegen/builder/OperandFixes.h"
#include "codegen/builder/Operators.h"
#include "codegen/builder/Values.h"
#include "codegen/suggestions/OtherNames.h"
#include "releases/Rules.h"
#include "syntax/tree/Visitor.h"

#include <mlir/Dialect/Arith/IR/Arith.h>

#include <array>

namespace gluond::codegen {

using language::LayoutFamily;

// The function of the call as the program has it; Gluon's own functions call others.
static llvm::StringRef calledName(IrBuilder& emit, const Node* at, const Node* call) {
  auto* made = llvm::dyn_cast<syntax::Call>(call);
  if (made && emit.source()) return emit.sourceText(made->func);
  Written place = emit.written(at);
  const syntax::FunctionDef* def =
      place && !place.frames.empty() ? place.frames.back().function->def : nullptr;
  const syntax::Call* around = nullptr;
  if (def)
    syntax::walk(def, [&](const Node* node) {
      bool contains =
          node->range.begin <= place.node->range.begin && place.node->range.end <= node->range.end;
      if (auto* inner = llvm::dyn_cast<syntax::Call>(node);
          inner && contains && inner != place.node)
        around = inner;
      return contains;
    });
  return around ? place.locations->file().text->slice(around->func->range) : "this function";
}

// Reports a run-time value where a compile-time value is needed. The fix annotates the parameter
// that it comes from.
static void notConstexpr(IrBuilder& emit, const Node* at, const Node* call,
                         llvm::StringRef parameter, Value value) {
  Reported reported =
      emit.error(Id::NotConstexpr, at, parameter, calledName(emit, at, call), value);
  offerConstexpr(emit, reported, at);
}

static bool isKnown(IrBuilder& emit, const Arguments& args, size_t i, llvm::StringRef name) {
  if (!IrBuilder::isIr(args[i])) return true;
  notConstexpr(emit, args.node(i), args.call, name, args[i]);
  return false;
}

std::optional<int64_t> intArgument(IrBuilder& emit, const Arguments& args, size_t i,
                                   llvm::StringRef name) {
  if (!isKnown(emit, args, i, name)) return std::nullopt;
  Value value = args.unwrapped(i);
  // Triton takes such numbers in 32 bits, some of them without a sign.
  if (value.isIntegral() && (llvm::isInt<32>(value.asInt()) || llvm::isUInt<32>(value.asInt())))
    return value.asInt();
  auto reported = emit.error(Id::NotAnInteger, args.node(i), name,
                             value.isIntegral() || value.is(ValueKind::BigInt) ? "a 32-bit integer"
                                                                               : "an integer",
                             args[i]);
  if (value.is(ValueKind::Float)) offerFloorDivision(emit, reported, args.node(i));
  return std::nullopt;
}

std::optional<bool> boolArgument(IrBuilder& emit, const Arguments& args, size_t i,
                                 llvm::StringRef name) {
  if (!isKnown(emit, args, i, name)) return std::nullopt;
  Value value = args.unwrapped(i);
  if (value.isIntegral()) return value.asInt() != 0;
  if (value.isNone()) return false;
  if (value.is(ValueKind::Float)) return value.asFloat() != 0;
  if (auto* text = value.as<language::StrObject>()) return !text->text.empty();
  if (language::isSequence(value)) return !language::itemsOf(value).empty();
  return true;
}

std::optional<bool> truthArgument(IrBuilder& emit, const Arguments& args, size_t i,
                                  llvm::StringRef name) {
  if (!IrBuilder::isIr(args[i])) return boolArgument(emit, args, i, name);
  Reported reported = emit.warning(Id::NotConstexpr, args.node(i), name,
                                   calledName(emit, args.node(i), args.call), args[i]);
  offerConstexpr(emit, reported, args.node(i));
  return true;
}

std::optional<bool> flagArgument(IrBuilder& emit, const Arguments& args, size_t i,
                                 llvm::StringRef name) {
  if (!isKnown(emit, args, i, name)) return std::nullopt;
  Value value = args.unwrapped(i);
  if (value.is(ValueKind::Bool)) return value.asBool();
  if (value.is(ValueKind::Int) && emit.follows(releases::Rule::NumbersAreFlags))
    return value.asInt() != 0;
  emit.error(Id::WrongArgument, args.node(i), name, "True or False", args[i]);
  return std::nullopt;
}

std::optional<llvm::StringRef> stringArgument(IrBuilder& emit, const Arguments& args, size_t i,
                                              llvm::StringRef name) {
  if (!isKnown(emit, args, i, name)) return std::nullopt;
  if (args[i].is(ValueKind::Str)) return args[i].as<language::StrObject>()->text;
  emit.error(Id::WrongArgument, args.node(i), name, "a string", args[i]);
  return std::nullopt;
}

// Offers the Gluon type for "float16", torch.float16, np.float16, Python's float.
static void offerDtype(IrBuilder& emit, Reported& reported, const Node* node, Value value) {
  Written written = emit.written(node);
  if (!written) return;
  auto* text = value.as<language::StrObject>();
  // The name of a value that is written elsewhere, for one launch of several: the fix is not here.
  if (text && llvm::isa<syntax::NameExpr>(written.node)) return;
  llvm::StringRef source = written.locations->file().text->slice(written.node->range);
  llvm::StringRef name = text ? text->text : source.rsplit('.').second;
  if (!text && name.empty()) name = source;
  if (llvm::StringRef meant = gluonNameFor(name); !meant.empty()) name = meant;
  std::string language = emit.languageName();
  const language::Builtin* known = language::findBuiltin(language::ModuleId::gl, name);
  if (!known || known->kind != language::BuiltinKind::Dtype || language.empty()) return;
  // A class of Python: torch takes `int` as int64, and a kernel's integers have 32 bits.
  if (value.is(ValueKind::Class) && (source == "int" || source == "float")) {
    for (const char* bits : source == "int" ? std::array{"64", "32"} : std::array{"32", "64"}) {
      std::string dtype = language + "." + source.str() + bits;
      reported.fixWritten(FixId::TryText, {{written.node->range, dtype}}, dtype);
    }
    return;
  }
  std::string meant = language + "." + name.str();
  reported.fixWritten(FixId::UseText, {{written.node->range, meant}}, meant);
}

const Type* dtypeOf(IrBuilder& emit, Value value) {
  if (!value.is(ValueKind::Type)) return nullptr;
  const Type* type = value.asType();
  bool isDtype = type->isScalar() || type->isPointer() || type->isTensor();
  return isDtype ? emit.types().import(type) : nullptr;
}

const Type* dtypeArgument(IrBuilder& emit, const Arguments& args, size_t i, llvm::StringRef name) {
  if (const Type* type = dtypeOf(emit, args[i]))
    return type->isScalar() || emit.irType(type) ? type : nullptr;
  auto reported = emit.error(Id::NotADtype, args.node(i), name, args[i]);
  offerDtype(emit, reported, args.node(i), args.unwrapped(i));
  offerSwap(emit, reported, args.call, args.node(i));
  return nullptr;
}

// The field of a layout, or of one that it is made of, with a value that is known at run time only.
struct RunTimeField {
  const LayoutObject* layout;
  llvm::StringRef name;
  Value value;
};

static std::optional<Value> runTimePart(Value field) {
  if (IrBuilder::isIr(field)) return field;
  if (language::isSequence(field))
    for (Value item : language::itemsOf(field))
      if (auto part = runTimePart(item)) return part;
  return std::nullopt;
}

static std::optional<RunTimeField> runTimeField(const LayoutObject& layout) {
  for (auto [field, value] : llvm::zip(layout.cls->fields, layout.fields)) {
    auto* inner = value.as<LayoutObject>();
    if (auto found = inner ? runTimeField(*inner) : std::nullopt) return found;
    if (auto part = runTimePart(value)) return RunTimeField{&layout, field.name, *part};
  }
  return std::nullopt;
}

const LayoutObject* layoutArgument(IrBuilder& emit, const Arguments& args, size_t i,
                                   LayoutFamily family, llvm::StringRef name) {
  auto* layout = args[i].as<LayoutObject>();
  if (layout && layout->cls->family == family) {
    if (auto wrong = runTimeField(*layout)) {
      emit.noteLayout(layout, args.node(i));
      auto place = emit.placeOf(wrong->layout, wrong->name);
      bool isHere = place && place->argument && place->location().file == place->use.file;
      const Node* at = isHere ? place->argument : args.node(i);
      Reported reported = emit.error(Id::NotConstexpr, at, wrong->name,
                                     "gl." + wrong->layout->cls->name.str(), wrong->value);
      offerConstexpr(emit, reported, at);
      return nullptr;
    }
    emit.noteLayout(layout, args.node(i));
    return layout;
  }
  llvm::StringRef kind = family == LayoutFamily::Distributed    ? "distributed"
                         : family == LayoutFamily::Shared       ? "shared"
                         : family == LayoutFamily::TensorMemory ? "tensor memory"
                                                                : "cache policy";
  auto reported = emit.error(Id::NotALayout, args.node(i), name, kind, args[i]);
  // `layout = gl.BlockedLayout(...),` is a tuple.
  auto* tuple = llvm::dyn_cast_if_present<syntax::Tuple>(
      assignedValue(emit, emit.written(args.node(i)).node));
  if (tuple && tuple->elements.size() == 1) {
    std::string one = emit.sourceText(tuple->elements[0]).str();
    reported.fix(FixId::TryText, {{tuple->range, one}}, one);
  }
  // `acc.layout` of tensor memory, where the layout of its values in registers is meant.
  auto* member = llvm::dyn_cast_if_present<syntax::Attribute>(args.node(i));
  if (member && family == LayoutFamily::Distributed && layout &&
      layout->cls->family == LayoutFamily::TensorMemory) {
    std::string meant = emit.sourceText(member->value).str() + ".get_reg_layout()";
    reported.fix(FixId::TryText, {{member->range, meant}}, meant);
  } else if (args.given(i))
    offerVariables(emit, reported, args.node(i), [&](Value held) {
      auto* object = held.as<LayoutObject>();
      return object && object->cls->family == family;
    });
  return nullptr;
}

// Constants in tuples of a kernel are wrapped one by one.
static std::optional<llvm::SmallVector<int64_t, 4>>
intsOf(IrBuilder& emit, Value value, const Node* at, const Node* call, llvm::StringRef name) {
  if (!language::isSequence(value)) {
    auto reported = emit.error(Id::NotAnInteger, at, name, "a list of integers", value);
    if (value.unwrapped().is(ValueKind::Float)) offerFloorDivision(emit, reported, at);
    if (value.unwrapped().isIntegral() &&
        llvm::isa<syntax::NameExpr, syntax::Constant, syntax::BinOp>(at)) {
      std::string list = "[" + emit.sourceText(at).str() + "]";
      reported.fix(FixId::TryText, {{at->range, list}}, list);
    }
    return std::nullopt;
  }
  llvm::ArrayRef<const syntax::Expr*> written;
  if (auto* tuple = llvm::dyn_cast<syntax::Tuple>(at)) written = tuple->elements;
  if (auto* list = llvm::dyn_cast<syntax::List>(at)) written = list->elements;
  llvm::SmallVector<int64_t, 4> result;
  for (auto [i, item] : llvm::enumerate(language::itemsOf(value))) {
    if (!item.isIntegral()) {
      if (IrBuilder::isIr(item))
        notConstexpr(emit, i < written.size() ? written[i] : at, call, name, item);
      else {
        auto reported = emit.error(Id::NotAnInteger, at, name, "a list of integers", value);
        if (item.unwrapped().is(ValueKind::Float))
          offerFloorDivision(emit, reported, i < written.size() ? written[i] : at);
      }
      return std::nullopt;
    }
    result.push_back(item.asInt());
  }
  return result;
}

std::optional<llvm::SmallVector<int64_t, 4>> intsArgument(IrBuilder& emit, const Arguments& args,
                                                          size_t i, llvm::StringRef name) {
  return intsOf(emit, args[i], args.node(i), args.call, name);
}

std::optional<llvm::SmallVector<int64_t, 4>> variadicInts(IrBuilder& emit, const Arguments& args,
                                                          size_t i, llvm::StringRef name) {
  language::Items items = language::itemsOf(args[i]);
  Value list = items.size() == 1 && language::isSequence(items[0]) ? items[0] : args[i];
  return intsOf(emit, list, args.node(i), args.call, name);
}

static void notATensor(IrBuilder& emit, const Arguments& args, size_t i, llvm::StringRef name) {
  if (isAccumulator(args[i]))
    notWaitedFor(emit, args[i], args.node(i));
  else {
    auto reported = emit.error(Id::NotATensor, args.node(i), name, args[i]);
    if (args.given(i)) offerLoad(emit, reported, args.node(i), args[i]);
  }
}

Tensor tensorArgument(IrBuilder& emit, const Arguments& args, size_t i, llvm::StringRef name) {
  if (Tensor tensor = asTensor(args[i])) return tensor;
  notATensor(emit, args, i, name);
  return {};
}

Tensor toTensorArgument(IrBuilder& emit, const Arguments& args, size_t i) {
  auto operand = asOperand(emit, args[i], args.node(i));
  return operand ? toTensor(emit, *operand) : Tensor();
}

Tensor blockArgument(IrBuilder& emit, const Arguments& args, size_t i, llvm::StringRef name) {
  Tensor tensor = asTensor(args[i]);
  if (tensor && tensor.isBlock() && tensor.type->layout()) return tensor;
  notATensor(emit, args, i, name);
  return {};
}

static Memory memoryOf(IrBuilder& emit, const Arguments& args, size_t i, TypeKind kind,
                       llvm::StringRef name, llvm::StringRef what) {
  auto* ir = args[i].as<language::IrObject>();
  if (ir && ir->type->is(kind)) return {IrBuilder::handle(args[i]), ir->type};
  auto reported = emit.error(Id::WrongArgument, args.node(i), name, what, args[i]);
  if (kind == TypeKind::SharedMemoryDescriptor && args.given(i))
    offerShared(emit, reported, args.node(i), args[i]);
  offerSwap(emit, reported, args.call, args.node(i));
  return {};
}

Memory sharedArgument(IrBuilder& emit, const Arguments& args, size_t i, llvm::StringRef name) {
  return memoryOf(emit, args, i, TypeKind::SharedMemoryDescriptor, name, "shared memory");
}
Memory tensorMemoryArgument(IrBuilder& emit, const Arguments& args, size_t i,
                            llvm::StringRef name) {
  return memoryOf(emit, args, i, TypeKind::TensorMemoryDescriptor, name, "tensor memory");
}
bool handlesArgument(IrBuilder& emit, const Arguments& args, size_t i,
                     llvm::SmallVectorImpl<mlir::Value>& out) {
  if (!language::isSequence(args[i])) {
    emit.error(Id::BadArgument, args.node(i), "expected a list of memory descriptors");
    return false;
  }
  for (Value item : language::itemsOf(args[i])) {
    if (!IrBuilder::isIr(item)) {
      emit.error(Id::NotATensor, args.node(i), "item", item);
      return false;
    }
    out.push_back(IrBuilder::handle(item));
  }
  return true;
}

Memory descriptorArgument(IrBuilder& emit, const Arguments& args, size_t i, llvm::StringRef name) {
  return memoryOf(emit, args, i, TypeKind::TensorDescriptor, name, "a tensor descriptor");
}

mlir::Value handleArgument(IrBuilder& emit, const Arguments& args, size_t i, llvm::StringRef name) {
  if (IrBuilder::isIr(args[i])) return IrBuilder::handle(args[i]);
  emit.error(Id::NotATensor, args.node(i), name, args[i]);
  return {};
}

// The expression of an item, where a list or a tuple is written as an argument; else the argument.
static const Node* itemNode(const Node* list, size_t item) {
  syntax::Exprs items;
  if (auto* written = llvm::dyn_cast_if_present<syntax::List>(list))
    items = written->elements;
  else if (auto* tuple = llvm::dyn_cast_if_present<syntax::Tuple>(list))
    items = tuple->elements;
  return item < items.size() ? items[item] : list;
}

bool coordinates(IrBuilder& emit, const Arguments& args, size_t i, bool wide,
                 llvm::SmallVectorImpl<mlir::Value>& out) {
  Value list = args[i];
  llvm::SmallVector<Value, 1> single{list};
  for (Value item :
       language::isSequence(list) ? language::itemsOf(list) : language::Items(single)) {
    if (Tensor tensor = asTensor(item)) {
      if ((tensor.isBlock() && tensor.type->numel() != 1) || !tensor.scalar()->isInt()) {
        emit.error(Id::NotAnInteger, itemNode(args.node(i), out.size()), "coordinate",
                   "a scalar integer", item);
        return false;
      }
      bool is64 = tensor.scalar()->isScalar(ScalarKind::Int64);
      if (is64 && !wide) {
        emit.error(Id::DtypeMismatch, itemNode(args.node(i), out.size()), "coordinate",
                   "a 32-bit integer", tensor.scalar());
        return false;
      }
      mlir::Value handle = tensor.handle;
      if (!is64 && wide)
        handle =
            intCast(emit, handle, emit.opBuilder().getI64Type(), tensor.scalar()->isSignedInt());
      out.push_back(handle);
      continue;
    }
    Value number = item.unwrapped();
    if (number.is(ValueKind::Bool))
      out.push_back(emit.constantInt(number.asBool(), 1));
    else if (number.is(ValueKind::Int)) {
      int64_t value = number.asInt();
      if (!wide && (value < INT32_MIN || value > INT32_MAX)) {
        emit.error(Id::NonRepresentable, args.node(i), number, "a 32-bit integer");
        return false;
      }
      out.push_back(emit.constantInt(value, wide ? 64 : 32));
    } else {
      emit.error(Id::NotAnInteger, itemNode(args.node(i), out.size()), "coordinate", "an integer",
                 item);
      return false;
    }
  }
  return true;
}

bool refusesNone(IrBuilder& emit, const Arguments& args, size_t i, llvm::StringRef name) {
  if (!args[i].isNone() || !args[i].isConstexpr() || !args.given(i) ||
      !llvm::isa<syntax::Constant>(args.nodes[i]))
    return false;
  emit.error(Id::BadArgument, args.node(i),
             "'" + name.str() + "' cannot be None here; omit the argument");
  return true;
}

} // namespace gluond::codegen
