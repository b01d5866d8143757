#include "codegen/builder/FactRecorder.h"

#include "codegen/builder/IrBuilder.h"
#include "codegen/builder/Values.h"
#include "codegen/context/BufferRoots.h"
#include "codegen/context/SourceFiles.h"
#include "language/types/LayoutClass.h"
#include "syntax/tree/Ast.h"

#include <llvm/ADT/STLExtras.h>

namespace gluond::codegen {

using language::Type;
using language::TypeKind;

static FactKind kindOf(const Type* type) {
  switch (type->kind()) {
  case TypeKind::Scalar:
    return FactKind::Scalar;
  case TypeKind::Pointer:
    return FactKind::Pointer;
  case TypeKind::Tensor:
    return FactKind::Tensor;
  case TypeKind::SharedMemoryDescriptor:
  case TypeKind::TensorMemoryDescriptor:
    return FactKind::MemoryDescriptor;
  case TypeKind::TensorDescriptor:
    return FactKind::TensorDescriptor;
  case TypeKind::Opaque:
    return type->opaqueKind() == language::OpaqueKind::WarpgroupMmaAccumulator
               ? FactKind::Accumulator
               : FactKind::Other;
  default:
    return FactKind::Other;
  }
}

TypeFact FactRecorder::describeIr(IrBuilder& emit, const Type* type) const {
  TypeFact fact;
  fact.kind = kindOf(type);
  bool isOfBlock = fact.kind == FactKind::TensorDescriptor || fact.kind == FactKind::Accumulator;
  const Type* block = isOfBlock ? type->element() : type;
  fact.isTensorMemory = type->is(TypeKind::TensorMemoryDescriptor);
  fact.text = emit.text(type);
  const Type* element = block;
  while (element->element() && !element->isPointer())
    element = element->element();
  if (element->isScalar())
    fact.dtype = element->info().attribute.str();
  else
    fact.dtype = emit.text(element);
  if (block->rank()) fact.shape.assign(block->shape().begin(), block->shape().end());
  const Type* holder = fact.kind == FactKind::Accumulator ? block : type;
  if (const language::LayoutObject* layout = holder->layout()) fact.layout = emit.text(layout);
  fact.elementBits = element->isPointer() ? 64 : element->isScalar() ? element->bits() : 0;
  fact.bytes =
      (static_cast<uint64_t>(block->rank() ? block->numel() : 1) * fact.elementBits + 7) / 8;
  return fact;
}

std::optional<diagnostics::Location> FactRecorder::place(const language::ModuleObject* module,
                                                         text::Range range) const {
  const SourceFile* file = module ? files_.find(*module) : nullptr;
  if (!file) return std::nullopt;
  return diagnostics::Location{file->id, range};
}

TypeFact FactRecorder::describeObject(IrBuilder& emit, Value value, unsigned depth) {
  constexpr unsigned maxDepth = 4, maxMembers = 64;
  TypeFact fact;
  fact.kind = isTuple(value)        ? FactKind::Tuple
              : isAggregate(value)  ? FactKind::Aggregate
              : value.isConstexpr() ? FactKind::Constexpr
                                    : FactKind::Other;
  fact.text = emit.text(value);
  if (fact.text.size() > 4096) fact.text.resize(4096);
  const Interner& names = emit.names();
  auto member = [&](llvm::StringRef name, Value part) {
    if (depth < maxDepth && fact.members.size() < maxMembers && !part.isAbsent())
      fact.members.push_back({name.str(), describe(emit, part, depth + 1)});
  };
  Value callable = value;
  if (auto* bound = value.as<language::BoundMethodObject>()) callable = bound->function;
  if (callable.is(ValueKind::Builtin)) {
    fact.builtin = callable.asBuiltin();
  } else if (auto* function = callable.as<language::FunctionObject>()) {
    if (function->def) fact.definition = place(function->module, function->def->name.range);
  } else if (auto* cls = value.as<language::ClassObject>()) {
    fact.className = cls->qualname.str();
    if (cls->def) fact.definition = place(cls->module, cls->def->name.range);
  } else if (auto* layout = value.as<language::LayoutObject>()) {
    fact.className = layout->cls->name.str();
    fact.layout = emit.text(layout);
    fact.layoutRank = language::rankOf(*layout).value_or(0);
    fact.kind = FactKind::Constexpr;
  } else if (value.is(ValueKind::Type)) {
    fact.className = "dtype";
    fact.dtype = describeIr(emit, value.asType()).dtype;
  } else if (auto* instance = value.as<language::InstanceObject>()) {
    fact.className = instance->cls->qualname.str();
    if (instance->cls->def)
      fact.definition = place(instance->cls->module, instance->cls->def->name.range);
    if (instance->attributes)
      for (auto [name, part] : *instance->attributes)
        member(names.text(name), part);
  } else if (auto* tuple = value.as<language::TupleObject>()) {
    for (auto [i, part] : llvm::enumerate(tuple->items))
      member(i < tuple->fields.size() ? names.text(tuple->fields[i]) : llvm::StringRef(), part);
  }
  return fact;
}

uint32_t FactRecorder::describe(IrBuilder& emit, Value value, unsigned depth) {
  const void* key = isIr(value) ? static_cast<const void*>(irTypeOf(value)) : nullptr;
  if (key)
    if (auto it = types_.find(key); it != types_.end()) return it->second;
  TypeFact fact = key ? describeIr(emit, irTypeOf(value)) : describeObject(emit, value, depth);
  facts_.types.push_back(std::move(fact));
  auto index = static_cast<uint32_t>(facts_.types.size() - 1);
  if (key) types_[key] = index;
  return index;
}

std::optional<uint32_t> FactRecorder::view(Value value, const FileLocations& file,
                                           text::Range range) {
  if (!isIr(value) || kindOf(irTypeOf(value)) != FactKind::MemoryDescriptor) return std::nullopt;
  mlir::Value handle = IrBuilder::handle(value);
  auto part = partOfBuffer(handle);
  if (!part) {
    constexpr size_t longest = 60;
    llvm::StringRef text = file.file().text->slice(range);
    bool isShort = text.size() <= longest && !text.contains('\n') && !text.contains('(');
    buffers_[handle.getAsOpaquePointer()] = isShort ? text.str() : std::string();
    return std::nullopt;
  }
  facts_.views.push_back({buffers_.lookup(part->buffer.getAsOpaquePointer()),
                          std::move(part->sizes), std::move(part->offsets)});
  return static_cast<uint32_t>(facts_.views.size() - 1);
}

void FactRecorder::record(IrBuilder& emit, const FileLocations* file, text::Range range,
                          Value value) {
  if (value.isUnknown() || value.isAbsent() || !file) return;
  diagnostics::FileId id = file->file().id;
  if (!seen_.insert({id.id, uint64_t(range.begin) << 32 | range.end}).second) return;
  facts_.expressions.push_back({{id, range}, describe(emit, value), view(value, *file, range)});
}

} // namespace gluond::codegen
