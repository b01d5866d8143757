#include "codegen/builder/IrBridge.h"

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

bool IrBridge::isInstance(Value ir, const language::Builtin* cls) {
  const Type* type = irTypeOf(ir);
  auto descriptor = [&](language::DescriptorKind kind) {
    return type->is(TypeKind::TensorDescriptor) && type->descriptorKind() == kind;
  };
  auto opaque = [&](language::OpaqueKind kind) {
    return type->is(TypeKind::Opaque) && type->opaqueKind() == kind;
  };
  switch (cls->id) {
  case BuiltinId::gl_base_value:
    return true;
  case BuiltinId::gl_tensor:
    return isTensorType(type);
  case BuiltinId::gl_shared_memory_descriptor:
    return type->is(TypeKind::SharedMemoryDescriptor);
  case BuiltinId::blackwell_tensor_memory_descriptor:
    return type->is(TypeKind::TensorMemoryDescriptor);
  case BuiltinId::tma_tensor_descriptor:
    return descriptor(language::DescriptorKind::Tiled);
  case BuiltinId::tma_tensor_descriptor_im2col:
    return descriptor(language::DescriptorKind::Im2Col);
  case BuiltinId::tdm_tensor_descriptor:
    return descriptor(language::DescriptorKind::Tdm);
  case BuiltinId::hopper_warpgroup_mma_accumulator:
    return opaque(language::OpaqueKind::WarpgroupMmaAccumulator);
  case BuiltinId::clc_clc_result:
    return opaque(language::OpaqueKind::ClcResult);
  default:
    return false;
  }
}

// Only Triton's code generator passes itself to functions that emit IR; plain Python has no
// generator to pass.
static Value cannotEmit(Unit& unit) {
  return unit.interpreter.raise(
      "ValueError", "Did you forget to add @triton.gluon.jit ? (`_semantic` argument must be "
                    "provided outside of JIT functions.)");
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
  if (!llvm::any_of(arguments.keywords, handsCompilerOn)) return cannotEmit(unit_);
  llvm::SmallVector<std::pair<Name, Value>, 4> keywords;
  for (const language::KeywordArgument& keyword : arguments.keywords)
    keywords.push_back({keyword.name, keyword.value});
  dropSemantic(keywords, unit_.context.names());
  return visitor->call(callee, arguments.positional, keywords, unit_.builder.node());
}

Value IrBridge::binary(int, bool, Value, Value) {
  return unit_.builder.visitor() ? cannotEmit(unit_) : Value::unknown();
}

Value IrBridge::typeOf(Value ir) {
  return Value::type(unit_.builder.typeOf(ir));
}

} // namespace gluond::codegen
