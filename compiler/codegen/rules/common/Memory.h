// Cache policies and memory orders, shared by loads, stores, copies and atomics.
#pragma once

#include "codegen/rules/common/Args.h"
#include "ir/tt/Ops.h"

namespace gluond::codegen {

// _normalize_cache_policy: the policy of cache_policy, or of cache_modifier and eviction_policy, as
// an attribute (null for the default). An index of -1 means that the builtin has no such parameter.
// Returns nullopt after reporting.
std::optional<mlir::Attribute> cachePolicy(IrBuilder& emit, const Arguments& args, int policy,
                                           int modifier, int eviction);
mlir::Attribute cachePolicyAttribute(IrBuilder& emit, const LayoutObject* policy);
mlir::Attribute nvidiaCachePolicy(IrBuilder& emit,
                                  const LayoutObject* policy); // a nvidia.CachePolicy (Tma.cpp)

enum class CacheUse : uint8_t { Load, Store };
// _str_to_load_cache_modifier, _str_to_store_cache_modifier; None and "" are NONE.
std::optional<tt::CacheModifier> cacheModifier(IrBuilder& emit, const Arguments& args, size_t i,
                                               CacheUse use);

std::optional<tt::MemSemantic> memSemantic(IrBuilder& emit, const Arguments& args, size_t i,
                                           tt::MemSemantic fallback);
std::optional<tt::MemSyncScope> memScope(IrBuilder& emit, const Arguments& args, size_t i);

// The operation of an atomic on elements of a type; Max and Min are for integers.
tt::RMWOp rmwOp(AtomicKind kind, const Type* scalar);

// Reads "out of bounds: zero or nan"; returns nullopt after reporting.
std::optional<tt::PaddingOption> paddingOption(IrBuilder& emit, const Arguments& args, size_t i);

// Reports a value for masked elements, argument `other`, of an access to these elements that has no
// mask, and offers the variables that could be the mask.
Value otherWithoutMask(IrBuilder& emit, const Arguments& args, size_t other, Tensor elements);

// Whether a tensor, which is argument `i`, has the shape and the element type of the buffer that it
// is stored to. Returns false after reporting.
bool fitsBuffer(IrBuilder& emit, const Arguments& args, size_t i, Tensor value, Memory buffer);

// Reads the tensor that a new buffer of a type is filled with, which is null if the argument is
// left out; nullopt after reporting.
std::optional<mlir::Value> initialValue(IrBuilder& emit, const Arguments& args, size_t i,
                                        const Type* buffer);

// Reads a mask as a tensor, which is empty for None. Returns false after reporting.
bool maskArgument(IrBuilder& emit, const Arguments& args, size_t i, Tensor& mask);
bool checkMask(IrBuilder& emit, Tensor mask, const Node* at);
// The mask of an operation that takes only a tensor of booleans; empty if there is none. Returns
// false after reporting.
bool booleanMask(IrBuilder& emit, const Arguments& args, size_t i, Tensor& mask);

// The first arguments of make_tensor_descriptor, for NVIDIA and AMD: (base, shape, strides,
// block_shape), all of the same rank.
struct DescriptorParts {
  Tensor base; // a pointer
  language::Items sizes, steps;
  llvm::SmallVector<int64_t, 4> block;

  const Type* element() const { return base.type->element(); }
};
std::optional<DescriptorParts> descriptorParts(IrBuilder& emit,
                                               const Arguments& args); // nullopt after reporting

} // namespace gluond::codegen
