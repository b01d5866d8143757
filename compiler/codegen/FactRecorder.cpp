#include "codegen/FactRecorder.h"

#include "codegen/Emitter.h"
#include "codegen/Values.h"
#include "language/Layout.h"

namespace gluond::codegen {

using language::Type;
using language::TypeKind;

static FactKind kindOf(const Type* type) {
  switch (type->kind()) {
  case TypeKind::Scalar: return FactKind::Scalar;
  case TypeKind::Pointer: return FactKind::Pointer;
  case TypeKind::Tensor: return FactKind::Tensor;
  case TypeKind::SharedMemoryDescriptor:
  case TypeKind::TensorMemoryDescriptor: return FactKind::MemoryDescriptor;
  case TypeKind::TensorDescriptor: return FactKind::TensorDescriptor;
  default: return FactKind::Other;
  }
}

uint32_t FactRecorder::describe(Emitter& emit, Value value) {
  const void* key = nullptr;
  if (isIr(value)) key = irTypeOf(value);
  if (key)
    if (auto it = types_.find(key); it != types_.end()) return it->second;
  TypeFact fact;
  if (isIr(value)) {
    const Type* type = irTypeOf(value);
    const Type* block = type->is(TypeKind::TensorDescriptor) ? type->element() : type;
    fact.kind = kindOf(type);
    fact.text = emit.text(type);
    const Type* element = block;
    while (element->element() && !element->isPointer()) element = element->element();
    if (element->isScalar()) fact.dtype = element->info().attribute.str();
    else fact.dtype = emit.text(element);
    if (block->rank()) fact.shape.assign(block->shape().begin(), block->shape().end());
    if (const language::LayoutObject* layout = type->layout()) fact.layout = emit.text(layout);
    uint64_t bits = element->isPointer() ? 64 : element->isScalar() ? element->bits() : 0;
    fact.bytes = (static_cast<uint64_t>(block->rank() ? block->numel() : 1) * bits + 7) / 8;
  } else {
    fact.kind = isTuple(value) ? FactKind::Tuple : isAggregate(value) ? FactKind::Aggregate
                : value.isConstexpr()                                 ? FactKind::Constexpr
                                                                      : FactKind::Other;
    fact.text = emit.text(value);
    if (fact.text.size() > 4096) fact.text.resize(4096);
  }
  facts_.types.push_back(std::move(fact));
  auto index = static_cast<uint32_t>(facts_.types.size() - 1);
  if (key) types_[key] = index;
  return index;
}

void FactRecorder::record(Emitter& emit, const FileLocations* file, text::Range range, Value value) {
  if (value.isUnknown() || value.isAbsent() || !file) return;
  diagnostics::FileId id = file->file().id;
  if (!seen_.insert({id.id, uint64_t(range.begin) << 32 | range.end}).second) return;
  facts_.expressions.push_back({{id, range}, describe(emit, value)});
}

} // namespace gluond::codegen
