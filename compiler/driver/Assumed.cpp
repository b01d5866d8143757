#include "driver/Assumed.h"

#include "codegen/CodegenContext.h"
#include "driver/Guesses.h"
#include "evaluate/Launch.h"

#include <llvm/ADT/STLExtras.h>

namespace gluond::driver {

using diagnostics::Diagnostic;
using diagnostics::Id;
using diagnostics::Severity;

namespace {

// Mistakes that do not depend on what a kernel is launched with.
bool isCertainWithoutTypes(Id id) {
  // What the protocol of copies and barriers shows does not depend on element types.
  if (id >= Id::CopyNotAwaited && id <= Id::BarrierNotInitialized) return true;
  switch (id) {
  case Id::UndefinedName:
  case Id::GlobalNotConstexpr:
  case Id::UnsupportedStatement:
  case Id::UnsupportedExpression:
  case Id::UnsupportedTarget:
  case Id::MultipleTargets:
  case Id::AttributeAssignment:
  case Id::ItemAssignment:
  case Id::StarredTarget:
  case Id::NestedFunction:
  case Id::ReturnInLoop:
  case Id::ReturnInWith:
  case Id::SharedOutOfRange:
  case Id::OffsetOverflow:
  case Id::ReadBeforeWrite:
  case Id::WorkerRegisters:
    return true;
  default:
    return false;
  }
}

// Mistakes that the number of warps or the target can make, or unmake, where nothing is known of
// the arguments.
bool dependsOnLaunch(Id id) {
  switch (id) {
  case Id::LayoutWarps:
  case Id::LayoutThreads:
  case Id::TargetTooOld:
  case Id::InvalidOperation:
  case Id::StaticAssertFailed:
  case Id::KernelException:
  case Id::ConvertNotTrivial:
    return true;
  default:
    return false;
  }
}

} // namespace

bool assumes(const Variant& variant) {
  if (variant.origin == Origin::Default) return true;
  return variant.origin == Origin::Launch &&
         llvm::any_of(variant.launch->arguments,
                      [](const evaluate::LaunchArgument& each) { return each.isAssumed; });
}

std::vector<Diagnostic> certainOf(std::vector<Diagnostic> assumed, const Variant& variant,
                                  codegen::CodegenContext& context,
                                  codegen::Specialization specialization, const Program& program,
                                  CancellationToken token) {
  llvm::erase_if(assumed, [](const Diagnostic& diagnostic) {
    return diagnostic.severity <= Severity::Warning && !isCertainWithoutTypes(diagnostic.id);
  });
  for (auto [argument, given] : llvm::zip(specialization.arguments, variant.launch->arguments))
    if (variant.origin == Origin::Default || given.isAssumed) argument.type = nullptr;
  codegen::GeneratedModule generated = codegen::generateSource(
      context, specialization, program, {.cancellation = token, .assumesNothing = true});
  for (Diagnostic& diagnostic : generated.diagnostics)
    if (diagnostic.severity == Severity::Error && !dependsOnLaunch(diagnostic.id))
      assumed.push_back(std::move(diagnostic));
  for (Diagnostic& diagnostic : commonMistakes(variant, context, specialization, program, token))
    if (llvm::none_of(assumed, [&](const Diagnostic& known) {
          return known.id == diagnostic.id && known.location.file == diagnostic.location.file &&
                 known.location.range.begin == diagnostic.location.range.begin;
        }))
      assumed.push_back(std::move(diagnostic));
  return assumed;
}

} // namespace gluond::driver
