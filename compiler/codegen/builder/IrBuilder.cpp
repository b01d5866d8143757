#include "codegen/builder/IrBuilder.h"

#include "codegen/builder/KernelFixes.h"
#include "codegen/builder/OperandFixes.h"
#include "codegen/builder/Unit.h"
#include "codegen/builder/Values.h"
#include "codegen/builder/Verify.h"
#include "codegen/context/BufferRoots.h"
#include "codegen/context/Prelude.h"
#include "codegen/context/VerifierMessages.h"
#include "language/types/LayoutBridge.h"
#include "language/types/LayoutClass.h"
#include "language/types/Structure.h"
#include "language/types/Text.h"
#include "language/types/TypeContext.h"
#include "layout/named/FieldNames.h"
#include "layout/named/Spelling.h"
#include "releases/Rules.h"

#include <mlir/Dialect/Arith/IR/Arith.h>
#include <mlir/Dialect/UB/IR/UBOps.h>

namespace gluond::codegen {

using language::InstanceObject;
using language::IrObject;
using language::TupleObject;
using language::TypeKind;
using language::ValueKind;

IrBuilder::IrBuilder(CodegenContext& context, Unit& unit)
    : codegen_(context), unit_(unit), builder_(&context.mlir()),
      noAttributes_(builder_.getDictionaryAttr({})),
      constantName_(mlir::arith::ConstantOp::getOperationName(), &context.mlir()),
      noOverflowFlags_(mlir::arith::IntegerOverflowFlagsAttr::get(
          &context.mlir(), mlir::arith::IntegerOverflowFlags::none)),
      noFastMath_(
          mlir::arith::FastMathFlagsAttr::get(&context.mlir(), mlir::arith::FastMathFlags::none)),
      types_(&context.types()), heap_(&unit.heap), names_(&context.names()),
      target_(&unit.specialization.target), options_(&unit.specialization.options),
      release_(unit.specialization.release) {}

bool IrBuilder::followsEarlier(releases::Rule rule) const {
  return releases::holds(rule, release_);
}

mlir::ModuleOp IrBuilder::module() const {
  return *unit_.result.module;
}

// In place of a type that has no representation, which was reported. Values of it are Unknown, so
// that no rule ever sees one.
static bool isPlaceholder(mlir::Type type) {
  return llvm::isa<mlir::NoneType>(type);
}

mlir::Type IrBuilder::orPlaceholder(mlir::Type type) {
  return type ? type : mlir::Type(builder_.getNoneType());
}

// ---------------------------------------------------------------- values

Value IrBuilder::value(mlir::Value handle, const Type* type) {
  // A type without a representation, or a tensor with an ill-formed layout, which was reported:
  // rules do not see it.
  if (isPlaceholder(handle.getType())) return Value::unknown();
  if (type->is(TypeKind::Tensor) && type->layout())
    if (auto tensor = llvm::dyn_cast<mlir::RankedTensorType>(handle.getType());
        tensor && !tensor.getEncoding())
      return Value::unknown();
  const void* opaque = handle.getAsOpaquePointer();
  return Value::object(
      ValueKind::Ir,
      heap_->make<IrObject>(language::Object{}, type, heap_->copyArray(llvm::ArrayRef(opaque))));
}

Value IrBuilder::value(mlir::ValueRange handles, const Type* type) {
  if (llvm::any_of(handles.getTypes(), isPlaceholder)) return Value::unknown();
  llvm::SmallVector<const void*, 8> opaque;
  for (mlir::Value handle : handles)
    opaque.push_back(handle.getAsOpaquePointer());
  return Value::object(
      ValueKind::Ir,
      heap_->make<IrObject>(language::Object{}, type, heap_->copyArray(llvm::ArrayRef(opaque))));
}

bool IrBuilder::isTensor(Value value) {
  return codegen::isTensor(value);
}

const Type* IrBuilder::typeOf(Value value) {
  if (value.isConstexpr()) return types_->constexprType(value.unwrapped());
  if (auto* ir = value.as<IrObject>()) return ir->type;
  if (auto* tuple = value.as<TupleObject>()) {
    llvm::SmallVector<const Type*, 8> parts;
    for (Value item : tuple->items)
      parts.push_back(typeOf(item));
    return types_->tuple(parts, tuple->fields);
  }
  if (isAggregate(value)) {
    auto* instance = value.as<InstanceObject>();
    llvm::SmallVector<const Type*, 8> parts;
    for (const auto& field : instance->cls->fields) {
      Value member = instance->attributes->get(field.name);
      parts.push_back(typeOf(member.isAbsent() ? Value::none() : member));
    }
    return types_->aggregate(instance->cls, parts);
  }
  return types_->constexprType(value);
}

void IrBuilder::flatten(Value value, llvm::SmallVectorImpl<mlir::Value>& handles) {
  if (value.isConstexpr()) return;
  if (auto* ir = value.as<IrObject>()) {
    for (const void* handle : ir->handles)
      handles.push_back(mlir::Value::getFromOpaquePointer(handle));
  } else if (auto* tuple = value.as<TupleObject>()) {
    for (Value item : tuple->items)
      flatten(item, handles);
  } else if (isAggregate(value)) {
    auto* instance = value.as<InstanceObject>();
    for (const auto& field : instance->cls->fields)
      if (Value member = instance->attributes->get(field.name); !member.isAbsent())
        flatten(member, handles);
  }
}

Value IrBuilder::unflatten(const Type* type, mlir::ValueRange handles, unsigned& cursor) {
  switch (type->kind()) {
  case TypeKind::Constexpr:
    return type->constant().wrapped();
  case TypeKind::Tuple: {
    llvm::SmallVector<Value, 8> items;
    for (const Type* element : type->elements())
      items.push_back(unflatten(element, handles, cursor));
    return tritonTuple(*heap_, items, type->fields());
  }
  case TypeKind::Aggregate: {
    language::Scope* attributes = unit_.interpreter.newScope();
    for (auto [field, element] : llvm::zip(type->aggregateClass()->fields, type->elements()))
      attributes->set(field.name, unflatten(element, handles, cursor));
    return Value::object(
        ValueKind::Instance,
        heap_->make<InstanceObject>(language::Object{}, type->aggregateClass(), attributes));
  }
  case TypeKind::TensorDescriptor: {
    // The descriptor, its shape and its strides; a size or stride known at compile time has no
    // handle.
    unsigned count = 1;
    for (const Type* part : {type->elements()[0], type->elements()[1]})
      count += static_cast<unsigned>(llvm::count_if(
          part->elements(), [](const Type* size) { return !size->is(TypeKind::Constexpr); }));
    if (cursor + count > handles.size()) return Value::unknown();
    Value result = value(handles.slice(cursor, count), type);
    cursor += count;
    return result;
  }
  default:
    if (cursor >= handles.size()) return Value::unknown();
    return value(handles[cursor++], type);
  }
}

void IrBuilder::flattenTypes(const Type* type, llvm::SmallVectorImpl<mlir::Type>& types) {
  switch (type->kind()) {
  case TypeKind::Constexpr:
    return;
  case TypeKind::Tuple:
  case TypeKind::Aggregate:
    for (const Type* element : type->elements())
      flattenTypes(element, types);
    return;
  case TypeKind::TensorDescriptor:
    types.push_back(orPlaceholder(irType(type)));
    for (const Type* element : type->elements())
      flattenTypes(element, types);
    return;
  default:
    types.push_back(orPlaceholder(irType(type)));
  }
}

// ---------------------------------------------------------------- types and layouts

mlir::Type IrBuilder::irType(const Type* type) {
  const Type* element = type;
  while (element->element())
    element = element->element();
  if (element->isFp8() && !llvm::is_contained(options_->supportedFp8Dtypes, element->info().name))
    error(diagnostics::Id::TargetTooOld, node_, element->info().attribute,
          "a GPU that supports this type", target_->name());
  mlir::Type result = codegen_.irType(type);
  reportLayout();
  if (std::optional<std::string> problem = codegen_.takeTypeError()) [[unlikely]] {
    Reported reported = error(diagnostics::Id::InvalidOperation, node_, verifierWords(*problem));
    auto place = type->layout() ? placeOf(type->layout(), layout::fields::colStride) : std::nullopt;
    if (place) offerConstructor(reported, place->layout, place->argument);
  }
  return result;
}

mlir::Attribute IrBuilder::encoding(const language::LayoutObject* layout) {
  mlir::Attribute result = codegen_.encoding(types_->layout(layout));
  reportLayout();
  return result;
}

void IrBuilder::reportLayout() {
  std::optional<CodegenContext::LayoutProblem> problem = codegen_.takeLayoutError();
  if (!problem) [[likely]]
    return;
  // The wrong inner layout, and its field as the constructor names it.
  const language::LayoutObject* layout = problem->layout;
  layout::LayoutError wrong = std::move(problem->error);
  for (bool isInner = true; isInner;) {
    isInner = false;
    for (Value part : layout->fields) {
      auto* inner = part.as<language::LayoutObject>();
      if (!inner) continue;
      auto made = language::toLayout(*inner);
      if (made) continue;
      layout = inner;
      wrong = made.error();
      isInner = true;
      break;
    }
  }
  std::string field = language::fieldOfAttribute(wrong.field);
  std::string message = language::messageOf(wrong);
  unit_.messages.clear();
  // A layout with a value of the wrong kind in a field is not shown in full: it may be anything.
  std::string spelled = text(layout);
  if (!field.empty() && llvm::StringRef(wrong.message).starts_with("must be a"))
    spelled = "gl." + layout->cls->name.str();
  if (auto place = placeOf(layout, field)) {
    Reported reported =
        errorAt(diagnostics::Id::InvalidLayout, place->location(), spelled, message);
    if (place->argument && place->location().file == place->use.file)
      offerFloorDivision(*this, reported, place->argument);
    offerConstructor(reported, place->layout, place->argument);
    if (locations_ && node_)
      addRelated(reported.index_, locations_, node_->range,
                 diagnostics::note(diagnostics::NoteId::UsedHere));
    return;
  }
  error(diagnostics::Id::InvalidLayout, node_, spelled, message);
}

void IrBuilder::noteLayout(const language::LayoutObject* layout, const syntax::Node* at) {
  unit_.layoutPlaces.note(layout, at);
}

std::optional<LayoutPlace> IrBuilder::placeOf(const language::LayoutObject* layout,
                                              llvm::StringRef field) const {
  return unit_.layoutPlaces.find(*layout, field);
}

const language::LayoutObject* IrBuilder::layoutOf(mlir::Attribute encoding) {
  return codegen_.layoutOf(encoding, target_->has(Feature::ScalesAlongK));
}

// ---------------------------------------------------------------- building

mlir::Operation* IrBuilder::insert(mlir::OperationName name, mlir::Type result,
                                   mlir::ValueRange operands, mlir::OpaqueProperties properties) {
  unit_.countOperations(1);
  return builder_.insert(mlir::Operation::create(loc(), name, orPlaceholder(result), operands,
                                                 noAttributes_, properties, {}, 0));
}

mlir::Type IrBuilder::truthType(mlir::Type type) {
  auto tensor = llvm::dyn_cast<mlir::RankedTensorType>(type);
  return tensor ? codegen_.truthType(tensor) : builder_.getI1Type();
}

// Operation::create(state) makes a list of the attributes, then a dictionary, then again a list and
// a dictionary; most ops have no attributes besides their properties.
mlir::Operation* IrBuilder::insert(mlir::OperationState& state) {
  unit_.countOperations(1);
  for (mlir::Type& result : state.types)
    result = orPlaceholder(result);
  if (state.propertiesAttr) return builder_.create(state);
  mlir::DictionaryAttr attributes =
      state.attributes.empty() ? noAttributes_ : state.attributes.getDictionary(context());
  mlir::Operation* op = mlir::Operation::create(
      state.location, state.name, state.types, state.operands, attributes, state.getRawProperties(),
      state.successors, static_cast<unsigned>(state.regions.size()));
  for (auto [i, region] : llvm::enumerate(state.regions))
    if (region) op->getRegion(static_cast<unsigned>(i)).takeBody(*region);
  return builder_.insert(op);
}

// ---------------------------------------------------------------- constants

mlir::Value IrBuilder::constant(mlir::TypedAttr value) {
  mlir::arith::ConstantOp::Properties properties;
  properties.setValue(value);
  return insert(constantName_, value.getType(), {}, &properties)->getResult(0);
}
mlir::Value IrBuilder::constantInt(int64_t value, unsigned bits) {
  return constantInt(llvm::APInt(bits, static_cast<uint64_t>(value), true, true));
}
mlir::Value IrBuilder::constantInt(const llvm::APInt& value) {
  return constant(codegen_.integer(value));
}
mlir::Value IrBuilder::constantFloat(double value, mlir::Type type) {
  return constant(mlir::FloatAttr::get(type, value));
}
mlir::Value IrBuilder::poison(mlir::Type type) {
  return create<mlir::ub::PoisonOp>(type);
}

// ---------------------------------------------------------------- mistakes

std::string IrBuilder::languageName() const {
  const language::FunctionObject* function = nullptr;
  for (const CallFrame& frame : llvm::reverse(unit_.frames))
    if (frame.locations && !Prelude::isPrelude(frame.locations->file().id)) {
      function = frame.function;
      break;
    }
  if (!function || !function->module || !function->module->globals) return {};
  for (auto [name, value] : *function->module->globals)
    if (auto* module = value.as<language::ModuleObject>(); module && isGluonLanguage(*module))
      return names_->text(name).str();
  return {};
}

Written IrBuilder::written(const syntax::Node* at) const {
  return at ? unit_.layoutPlaces.given(at, unit_.frames) : Written();
}

const syntax::FunctionDef* IrBuilder::definition() const {
  return unit_.frames.empty() ? nullptr : unit_.frames.back().function->def;
}

bool IrBuilder::hadErrors() const {
  return unit_.hadErrors;
}

// Operations of a loop's body are made more than once, so the place stands for the buffer.
static mlir::Location placeOfBuffer(mlir::Value buffer) {
  return rootOfBuffer(buffer, [](mlir::Operation*) -> mlir::Operation* { return nullptr; })
      .getLoc();
}
void IrBuilder::doubtElements(mlir::Value buffer) {
  mlir::Location place = placeOfBuffer(buffer);
  if (!llvm::is_contained(unit_.doubtedBuffers, place)) unit_.doubtedBuffers.push_back(place);
}
bool IrBuilder::doubtsElements(mlir::Value buffer) const {
  return !unit_.doubtedBuffers.empty() &&
         llvm::is_contained(unit_.doubtedBuffers, placeOfBuffer(buffer));
}

// Whether a mistake is that of one call or operator. The library explains its own assertions.
static bool isOfOneCall(diagnostics::Id id) {
  using enum diagnostics::Id;
  return diagnostics::row(id).severity == diagnostics::Severity::Error &&
         id != StaticAssertFailed && id != KernelException;
}

// The function of a call as it is written, or "" if it is not a name.
static std::string nameOfCalled(const FileLocations& file, const syntax::Node* site) {
  auto* call = llvm::dyn_cast<syntax::Call>(site);
  if (!call || !llvm::isa<syntax::NameExpr, syntax::Attribute>(call->func)) return {};
  llvm::StringRef name = file.file().text->slice(call->func->range);
  constexpr size_t longest = 40;
  return name.size() <= longest && !name.contains('\n') ? name.str() : std::string();
}

Reported IrBuilder::report(diagnostics::Id id, const syntax::Node* at,
                           llvm::ArrayRef<diagnostics::Argument> args) {
  if (!at) at = node_;
  diagnostics::Location location{};
  if (locations_ && at) location = {locations_->file().id, at->range};
  // Inside the library the user's place is the call that led there.
  std::string called; // the library's function, as the user calls it
  for (size_t i = unit_.frames.size(); i-- > 1 && Prelude::isPrelude(location.file);) {
    const CallFrame &frame = unit_.frames[i], &caller = unit_.frames[i - 1];
    if (!caller.locations || !frame.callSite) continue;
    location = {caller.locations->file().id, frame.callSite->range};
    if (!Prelude::isPrelude(location.file))
      called = nameOfCalled(*caller.locations, frame.callSite);
  }
  // Or the argument that the library passed on.
  if (locations_ && at && Prelude::isPrelude(locations_->file().id))
    if (Written given = written(at)) return report(id, given.location(), args);
  // What follows in the library from a mistake of the call is no other one.
  auto isOfCall = [&](const diagnostics::Diagnostic& told) {
    return told.location.file == location.file && told.location.range == location.range &&
           told.severity == diagnostics::Severity::Error;
  };
  if (!called.empty() && llvm::any_of(unit_.result.diagnostics, isOfCall))
    return {*this, ~size_t{0}};
  if (called.empty() || !isOfOneCall(id)) return report(id, location, args);
  // The user has not written the call that the message is about.
  if (id == diagnostics::Id::NoSuchOperation) {
    std::string advice = "it calls ";
    args[1].append(advice);
    advice += ", which Gluon does not have";
    return report(id, location, {args[0], called, advice});
  }
  Reported reported = report(id, location, args);
  if (reported.index_ < unit_.result.diagnostics.size()) {
    std::string& message = unit_.result.diagnostics[reported.index_].message;
    message = "in " + called + ": " + message;
  }
  return reported;
}

Reported IrBuilder::report(diagnostics::Id id, diagnostics::Location location,
                           llvm::ArrayRef<diagnostics::Argument> args) {
  constexpr size_t none = ~size_t{0};
  // A mistake in a loop that is unrolled is found again each time, with what is looked for around
  // it: that counts as much as some lines of code.
  constexpr size_t work = 3200; // a hundred steps
  unit_.spend(work);
  diagnostics::Severity severity =
      asWarning_ ? diagnostics::Severity::Warning : diagnostics::row(id).severity;
  if (unit_.suppressed) {
    unit_.markIncomplete("a condition");
    return {*this, none};
  }
  if (severity == diagnostics::Severity::Error)
    unit_.hadErrors = true;
  else if (id == diagnostics::Id::NotSupported || id == diagnostics::Id::BudgetExhausted)
    unit_.markIncomplete(diagnostics::format(std::string_view(diagnostics::row(id).message), args));
  if (!unit_.isNew(id, location)) return {*this, none};
  diagnostics::Diagnostic diagnostic = diagnostics::describe(id, severity, location, args);
  // The calls from the kernel to this place.
  for (size_t i = 1; i < unit_.frames.size(); ++i) {
    const CallFrame &frame = unit_.frames[i], &caller = unit_.frames[i - 1];
    if (!caller.locations || !frame.callSite || Prelude::isPrelude(caller.locations->file().id))
      continue;
    if (caller.locations->file().id == location.file && frame.callSite->range == location.range)
      continue;
    // The call of a library function, of which the place is an argument.
    if (frame.locations && Prelude::isPrelude(frame.locations->file().id) &&
        caller.locations->file().id == location.file &&
        frame.callSite->range.begin <= location.range.begin &&
        location.range.end <= frame.callSite->range.end)
      continue;
    diagnostic.related.push_back({{caller.locations->file().id, frame.callSite->range},
                                  diagnostics::note(diagnostics::NoteId::CalledFrom)});
  }
  // The call or operator that Triton names, if it begins on another line than the mistake.
  if (locations_ && node_ && locations_->file().id == location.file &&
      node_->range.begin <= location.range.begin && location.range.end <= node_->range.end) {
    const text::SourceText& text = *locations_->file().text;
    if (text.lineOf(location.range.begin) != text.lineOf(node_->range.begin))
      diagnostic.related.push_back({{location.file, {node_->range.begin, node_->range.begin}},
                                    diagnostics::note(diagnostics::NoteId::BegunHere)});
  }
  unit_.result.diagnostics.push_back(std::move(diagnostic));
  return {*this, unit_.result.diagnostics.size() - 1};
}

void IrBuilder::addRelated(size_t index, diagnostics::Location place, std::string message) {
  if (index < unit_.result.diagnostics.size())
    unit_.result.diagnostics[index].related.push_back({place, std::move(message)});
}
void IrBuilder::addRelated(size_t index, const FileLocations* file, text::Range range,
                           std::string message) {
  if (index >= unit_.result.diagnostics.size() || !file || Prelude::isPrelude(file->file().id))
    return;
  unit_.result.diagnostics[index].related.push_back({{file->file().id, range}, std::move(message)});
}
void IrBuilder::addRelated(size_t index, const language::ModuleObject* module, text::Range range,
                           std::string message) {
  addRelated(index, unit_.locationsOf(module), range, std::move(message));
}
void IrBuilder::addFix(size_t index, diagnostics::Fix fix) {
  if (index < unit_.result.diagnostics.size() && locations_ &&
      !Prelude::isPrelude(locations_->file().id))
    unit_.result.diagnostics[index].fixes.push_back(std::move(fix));
}

void IrBuilder::addWrittenFix(size_t index, diagnostics::Fix fix) {
  if (index < unit_.result.diagnostics.size())
    unit_.result.diagnostics[index].fixes.push_back(std::move(fix));
}

Reported IrBuilder::unsupported(const syntax::Node* at, const llvm::Twine& what) {
  return error(diagnostics::Id::NotSupported, at, what.str());
}
Reported IrBuilder::raised(const syntax::Node* at, llvm::StringRef exception,
                           const llvm::Twine& message) {
  return error(diagnostics::Id::KernelException, at, exception, message.str());
}

// ---------------------------------------------------------------- text

std::string IrBuilder::text(Value value) const {
  constexpr size_t mostText = 4096; // of a tuple: more than anyone reads
  if (auto* ir = value.as<IrObject>()) return text(ir->type);
  if (auto* tuple = value.as<TupleObject>()) {
    std::string out = "(";
    for (auto [i, item] : llvm::enumerate(tuple->items)) {
      if (out.size() > mostText) {
        out += ", ...";
        break;
      }
      out += (i ? ", " : "") + text(item);
    }
    return out + (tuple->items.size() == 1 ? ",)" : ")");
  }
  if (isAggregate(value)) return value.as<InstanceObject>()->cls->qualname.str();
  if (auto* layout = value.as<language::LayoutObject>()) return text(layout);
  if (value.is(ValueKind::Type) && value.asType()->isTensor()) return text(value.asType());
  std::string out = unit_.interpreter.repr(value.unwrapped());
  // The address of a function or of an object says nothing.
  if (size_t at = out.find(" at 0x"); at != std::string::npos && out.ends_with('>'))
    out.replace(at, out.find('>', at) - at, "");
  return out;
}
// "float16[128, 64] NVMMASharedLayout(...)" where Triton prints <['128', '64'], fp16, ...>: dtypes
// as people write them, pointers as signatures do ("*fp16").
std::string IrBuilder::text(const Type* type) const {
  auto block = [&](const Type* element, llvm::ArrayRef<int64_t> shape,
                   const language::LayoutObject* layout) {
    std::string out = text(element) + "[";
    for (auto [i, size] : llvm::enumerate(shape))
      out += (i ? ", " : "") + std::to_string(size);
    return out + "]" + (layout ? " " + text(layout) : "");
  };
  switch (type->kind()) {
  case TypeKind::Scalar:
    return type->info().attribute.str();
  case TypeKind::Pointer: {
    const Type* element = type->element();
    std::string pointee = element->isScalar() ? element->info().mangled.str() : text(element);
    return (type->isConstPointer() ? "*k" : "*") + pointee;
  }
  case TypeKind::Opaque:
    if (type->opaqueKind() == language::OpaqueKind::WarpgroupMmaAccumulator)
      return "asynchronous warpgroup_mma " + text(type->element());
    return language::str(type, *names_);
  case TypeKind::Constexpr:
    return "constexpr " + text(type->constant());
  case TypeKind::Tensor:
    return block(type->element(), type->shape(), type->layout());
  case TypeKind::Tuple: {
    std::string out = "(";
    for (auto [i, element] : llvm::enumerate(type->elements()))
      out += (i ? ", " : "") + text(element);
    return out + (type->elements().size() == 1 ? ",)" : ")");
  }
  case TypeKind::SharedMemoryDescriptor:
    return "shared memory " + block(type->element(), type->shape(), type->layout());
  case TypeKind::TensorMemoryDescriptor:
    return "tensor memory " + block(type->element(), type->shape(), type->layout());
  case TypeKind::TensorDescriptor:
    return "tensor descriptor " +
           block(type->element()->element(), type->element()->shape(), type->layout());
  default:
    return language::str(type, *names_);
  }
}

// A field of a layout as Gluon writes it.
static std::string fieldText(const IrBuilder& emit, Value field) {
  if (auto* layout = field.as<language::LayoutObject>()) return emit.text(layout);
  if (!language::isSequence(field)) return language::strOfPlain(field);
  std::string list = "[";
  for (Value item : language::itemsOf(field))
    list += (list.size() > 1 ? ", " : "") + fieldText(emit, item);
  return list + "]";
}

// Prints a layout as the user would write it, also one without a meaning: AutoLayout, one that does
// not fit.
std::string IrBuilder::text(const language::LayoutObject* layout) const {
  if (!layout) return "no layout";
  if (auto meaning = language::toLayout(*layout); meaning && *meaning)
    return layout::spelling(*meaning);
  // Defaults, which come last, are left out.
  llvm::ArrayRef<Value> fields = layout->fields;
  while (!fields.empty() && language::isSequence(fields.back()) &&
         language::itemsOf(fields.back()).empty())
    fields = fields.drop_back();
  std::string spelled = "gl." + layout->cls->name.str() + "(";
  for (auto [i, field] : llvm::enumerate(fields))
    spelled += (i ? ", " : "") + fieldText(*this, field);
  return spelled + ")";
}
const text::SourceText* IrBuilder::source() const {
  return locations_ && !Prelude::isPrelude(locations_->file().id) ? locations_->file().text
                                                                  : nullptr;
}
const language::Scope* IrBuilder::globals() const {
  const language::FunctionObject* function =
      unit_.frames.empty() ? nullptr : unit_.frames.back().function;
  return function && function->module ? function->module->globals : nullptr;
}

llvm::StringRef IrBuilder::sourceText(const syntax::Node* node) const {
  return locations_ ? locations_->file().text->slice(node->range) : llvm::StringRef();
}

} // namespace gluond::codegen
