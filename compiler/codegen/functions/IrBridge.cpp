#include "codegen/builder/IrBridge.h"

#include "codegen/builder/IrBuilder.h"
#include "codegen/builder/UserBuiltins.h"
#include "codegen/functions/FunctionVisitor.h"
#include "language/types/Builtin.h"

namespace gluond::codegen {

using language::BuiltinId;
using language::CallArguments;
using language::TypeKind;

Value IrBridge::attribute(Value ir, Name name) {
  FunctionVisitor* visitor = unit_.builder.visitor();
  Value found = visitor ? visitor->irAttribute(ir, name, unit_.builder.node()) : Value::absent();
  // Operators are methods of Triton's tensors; gluond does not implement them as methods.
  if (!found.isAbsent() || !unit_.context.names().text(name).starts_with("__")) return found;
  unit_.markIncomplete("the method '" + unit_.context.names().text(name) + "' of a tensor");
  return Value::unknown();
}

const language::Builtin* classOfIr(const Type* type) {
  auto row = [](BuiltinId id) { return &language::builtin(id); };
  switch (type->kind()) {
  case TypeKind::Scalar:
  case TypeKind::Pointer:
  case TypeKind::Tensor:
    return row(BuiltinId::gl_tensor);
  case TypeKind::SharedMemoryDescriptor:
    return row(BuiltinId::gl_shared_memory_descriptor);
  case TypeKind::TensorMemoryDescriptor:
    return row(BuiltinId::blackwell_tensor_memory_descriptor);
  case TypeKind::TensorDescriptor:
    switch (type->descriptorKind()) {
    case language::DescriptorKind::Tiled:
      return row(BuiltinId::tma_tensor_descriptor);
    case language::DescriptorKind::Im2Col:
      return row(BuiltinId::tma_tensor_descriptor_im2col);
    case language::DescriptorKind::Tdm:
      return row(BuiltinId::tdm_tensor_descriptor);
    }
    return nullptr;
  case TypeKind::Opaque:
    if (type->opaqueKind() == language::OpaqueKind::WarpgroupMmaAccumulator)
      return row(BuiltinId::hopper_warpgroup_mma_accumulator);
    if (type->opaqueKind() == language::OpaqueKind::ClcResult)
      return row(BuiltinId::clc_clc_result);
    return nullptr;
  default:
    return nullptr;
  }
}

bool IrBridge::isInstance(Value ir, const language::Builtin* cls) {
  return cls->id == BuiltinId::gl_base_value || classOfIr(irTypeOf(ir)) == cls;
}

// Only Triton's code generator passes itself to functions that emit IR; plain Python has no
// generator to pass. `package` is the one that has the function.
static Value cannotEmit(Unit& unit, llvm::StringRef package) {
  return unit.interpreter.raise({evaluate::ErrorKind::KernelFunction, "", ""}, "ValueError",
                                "Did you forget to add @" + package +
                                    ".jit ? (`_semantic` argument must be provided outside of JIT "
                                    "functions.)");
}

Value IrBridge::call(Value callee, const CallArguments& arguments) {
  FunctionVisitor* visitor = unit_.builder.visitor();
  if (!visitor) return Value::unknown();
  if (auto* row = callee.is(ValueKind::Builtin) ? callee.asBuiltin() : nullptr;
      row && row->kind == language::BuiltinKind::Class) {
    unit_.builder.unsupported(unit_.builder.node(), "constructing " + row->name);
    return Value::unknown();
  }
  auto handsCompilerOn = [&](const language::KeywordArgument& keyword) {
    return unit_.context.names().text(keyword.name) == "_semantic";
  };
  if (!llvm::any_of(arguments.keywords, handsCompilerOn)) return cannotEmit(unit_, "triton.gluon");
  llvm::SmallVector<std::pair<Name, Value>, 4> keywords;
  for (const language::KeywordArgument& keyword : arguments.keywords)
    keywords.push_back({keyword.name, keyword.value});
  dropSemantic(keywords, unit_.context.names());
  return visitor->call(callee, arguments.positional, keywords, unit_.builder.node());
}

// Operators of tensors emit IR, comparisons included; other values of a kernel have none, or ones
// that are plain Python.
Value IrBridge::binary(int, bool, Value left, Value right) {
  bool emits = unit_.builder.visitor() && (isTensor(left) || isTensor(right));
  return emits ? cannotEmit(unit_, "triton") : Value::unknown();
}

Value IrBridge::typeOf(Value ir) {
  return Value::type(unit_.builder.typeOf(ir));
}

namespace {

struct OptionRow {
  llvm::StringLiteral name;
  Value (*value)(Unit&);
  bool isOfLaunch; // unknown while a kernel is checked for any launch
};

const OptionRow optionRows[] = {
    {"num_warps", [](Unit& u) { return Value::integer(u.specialization.options.numWarps); }, true},
    {"num_ctas", [](Unit& u) { return Value::integer(u.specialization.options.numCtas); }, true},
    {"num_stages", [](Unit& u) { return Value::integer(u.specialization.options.numStages); },
     true},
    {"debug", [](Unit& u) { return Value::boolean(u.specialization.options.debug); }, true},
    {"sanitize_overflow",
     [](Unit& u) { return Value::boolean(u.specialization.options.sanitizeOverflow); }, true},
    {"warp_size", [](Unit& u) { return Value::integer(u.specialization.target.warpSize); }, false},
    {"arch", [](Unit& u) { return u.heap.str(u.specialization.target.arch); }, false},
    {"backend_name",
     [](Unit& u) { return u.heap.str(u.specialization.target.isCuda() ? "cuda" : "hip"); }, false},
};

} // namespace

Value IrBridge::option(llvm::StringRef name) {
  for (const OptionRow& row : optionRows)
    if (name == row.name)
      return row.isOfLaunch && unit_.options.assumesNothing ? Value::unknown() : row.value(unit_);
  return Value::absent();
}

std::optional<unsigned> IrBridge::callerWarps() {
  FunctionVisitor* visitor = unit_.builder.visitor();
  return visitor && visitor->callerContext() ? visitor->callerContext()->numWarps : std::nullopt;
}

void IrBridge::setModuleAttribute(llvm::StringRef name, Value attribute) {
  if (!unit_.result.module) return;
  mlir::ModuleOp module = *unit_.result.module;
  mlir::Builder builder(module.getContext());
  mlir::Attribute made = builder.getUnitAttr();
  if (attribute.is(ValueKind::Bool)) made = builder.getBoolAttr(attribute.asBool());
  if (attribute.is(ValueKind::Int))
    made = builder.getI32IntegerAttr(static_cast<int32_t>(attribute.asInt()));
  if (auto* text = attribute.as<language::StrObject>()) made = builder.getStringAttr(text->text);
  module->setAttr(name, made);
}

// ---------------------------------------------------------------- what rules use of the function
// that is visited: calls of other functions and attributes

bool IrBuilder::knowsNumWarps() const {
  return !unit_.options.assumesNothing ||
         (visitor_ && visitor_->callerContext() && visitor_->callerContext()->numWarps);
}

unsigned IrBuilder::numWarps() const {
  if (visitor_ && visitor_->callerContext() && visitor_->callerContext()->numWarps)
    return *visitor_->callerContext()->numWarps;
  return options_->numWarps;
}

void IrBuilder::forEachVariable(llvm::function_ref<void(llvm::StringRef, Value)> visit) const {
  if (visitor_) visitor_->forEachVariable(visit);
}

Value IrBuilder::callJit(Value function, Values args, const syntax::Node* call,
                         std::optional<CallerContext> context) {
  auto* object = function.as<language::FunctionObject>();
  if (!object || object->function != language::FunctionKind::Jit)
    return visitor_->call(function, args, {}, call);
  FunctionVisitor::CallSite site{call, {}, {}, {}, {}, false};
  site.args.append(args.begin(), args.end());
  site.nodes.assign(args.size(), nullptr);
  if (llvm::any_of(args, hasUnknown)) return Value::unknown();
  return visitor_->callJit(object, site, context);
}
Value IrBuilder::call(Value callee, Values args, const syntax::Node* call,
                      llvm::ArrayRef<std::pair<Name, Value>> keywords) {
  return visitor_->call(callee, args, keywords, call);
}
Value IrBuilder::callBuiltin(const language::Builtin& builtin, Values args,
                             const syntax::Node* call) {
  return visitor_->callBuiltin(builtin, args, call);
}
Value IrBuilder::attribute(Value value, Name name, const syntax::Node* node) {
  return visitor_->attribute(value, name, node);
}

} // namespace gluond::codegen
