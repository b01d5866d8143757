// Layouts that builtins compute from others: register layouts for tensor memory, scales of AMD's
// scaled matrix instructions. Failures are the Python exceptions that Triton raises.
#pragma once

#include "language/types/LayoutClass.h"
#include "language/types/Type.h"

namespace gluond::language {

// The swizzle of NVMMASharedLayout.get_default_for: the widest that divides the contiguous
// dimension of a CTA's block, and none for blocks of fewer than eight rows.
unsigned defaultSwizzle(llvm::ArrayRef<int64_t> perCta, unsigned elementBits, bool isTransposed,
                        bool isFp4Padded);

// tensor_memory_descriptor.get_reg_layout. `memory` is the descriptor's type.
tl::expected<const LayoutObject*, RaisedException>
tmemRegisterLayout(const Type* memory, int64_t numWarps, llvm::StringRef variant, Heap& heap);
// cdna4.get_mfma_scale_layout, cdna5.get_wmma_scale_layout. `operand` is a DotOperandLayout.
tl::expected<const LayoutObject*, RaisedException> mfmaScaleLayout(const LayoutObject& operand,
                                                                   llvm::ArrayRef<int64_t> shape,
                                                                   int64_t scaleFactor, Heap& heap);
tl::expected<const LayoutObject*, RaisedException> wmmaScaleLayout(const LayoutObject& operand,
                                                                   llvm::ArrayRef<int64_t> shape,
                                                                   int64_t scaleFactor, Heap& heap);

// cdna4.compute_efficient_padded_shared_layout: pads the rows of the buffer so that MFMA operands
// are read without bank conflicts. Returns null (Python's None) if there is no such layout.
tl::expected<const LayoutObject*, RaisedException>
efficientPaddedLayout(const LayoutObject& operand, llvm::ArrayRef<int64_t> shape,
                      unsigned elementBits, bool kIsContiguous, Heap& heap);

} // namespace gluond::language
