#include "driver/assumptions/WarpsOfLayouts.h"

#include "diagnostics/Reporter.h"
#include "driver/assumptions/AssumedLaunch.h"
#include "driver/program/EvaluatedFile.h"

#include <llvm/ADT/STLExtras.h>
#include <llvm/ADT/SmallVector.h>
#include <llvm/Support/MathExtras.h>

namespace gluond::driver {

using diagnostics::Diagnostic;
using diagnostics::Id;

namespace {

// Numbers of warps that are tried for one kernel.
constexpr size_t mostNumbers = 4;

// The numbers of warps of layouts that do not fit the kernel, in the order in which they are met.
llvm::SmallVector<unsigned, mostNumbers> warpsOf(llvm::ArrayRef<Diagnostic> diagnostics) {
  llvm::SmallVector<unsigned, mostNumbers> numbers;
  for (const Diagnostic& each : diagnostics) {
    constexpr diagnostics::ArgumentOf warps(Id::LayoutWarps, "layout_warps");
    unsigned number = 0;
    if (each.id == Id::LayoutWarps && !argument(each, warps).getAsInteger(10, number) &&
        llvm::isPowerOf2_32(number) && !llvm::is_contained(numbers, number) &&
        numbers.size() < mostNumbers)
      numbers.push_back(number);
  }
  return numbers;
}

bool fitsLayouts(const codegen::GeneratedModule& generated) {
  return !generated.cancelled && llvm::none_of(generated.diagnostics, [](const Diagnostic& each) {
    return each.id == Id::LayoutWarps;
  });
}

} // namespace

codegen::GeneratedModule generateWithWarpsOfLayouts(codegen::CodegenContext& context,
                                                    codegen::Specialization& specialization,
                                                    const codegen::SourceFiles& files,
                                                    const codegen::SourceOptions& options) {
  codegen::GeneratedModule given = codegen::generateSource(context, specialization, files, options);
  for (unsigned warps : warpsOf(given.diagnostics)) {
    codegen::Specialization other = specialization;
    other.options.numWarps = warps;
    codegen::GeneratedModule made = codegen::generateSource(context, other, files, options);
    if (!fitsLayouts(made)) continue;
    specialization = std::move(other);
    return made;
  }
  return given;
}

codegen::GeneratedModule generateFor(const Variant& variant, codegen::CodegenContext& context,
                                     codegen::Specialization& specialization,
                                     const codegen::SourceOptions& options) {
  bool areWarpsKnown = !assumes(variant) || knowsOptions(variant);
  return areWarpsKnown
             ? codegen::generateSource(context, specialization, *variant.program, options)
             : generateWithWarpsOfLayouts(context, specialization, *variant.program, options);
}

} // namespace gluond::driver
