// The number of warps of a kernel whose launch does not say it.
//
// Layouts with numbers, BlockedLayout([4], [32], [8], [0]), fit one number of warps only. Under any
// other, every operation with such a layout is refused, and nothing that depends on it is checked.
#pragma once

#include "codegen/context/Source.h"
#include "driver/launches/Kernels.h"

namespace gluond::driver {

// Generates stage `source`. If layouts of the kernel have other numbers of warps than the
// specialization, it is generated again with the number that fits all of them, which becomes the
// specialization's. If none fits, the result is the one for the given number.
codegen::GeneratedModule generateWithWarpsOfLayouts(codegen::CodegenContext& context,
                                                    codegen::Specialization& specialization,
                                                    const codegen::SourceFiles& files,
                                                    const codegen::SourceOptions& options);

// The same for a variant whose launch is not known; with the given number of warps for others.
codegen::GeneratedModule generateFor(const Variant& variant, codegen::CodegenContext& context,
                                     codegen::Specialization& specialization,
                                     const codegen::SourceOptions& options);

} // namespace gluond::driver
