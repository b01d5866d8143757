#include "codegen/context/Source.h"

#include "chips/ChipsWithFeature.h"
#include "codegen/context/CodegenContext.h"
#include "codegen/functions/FunctionVisitor.h"
#include "codegen/targets/Refusal.h"
#include "ir/tt/Ops.h"
#include "ir/tt/ReleaseInForce.h"
#include "language/types/TypeContext.h"

#include <mlir/IR/Verifier.h>

namespace gluond::codegen {

using diagnostics::Id;

bool GeneratedModule::hasErrors() const {
  return llvm::any_of(diagnostics, [](const diagnostics::Diagnostic& diagnostic) {
    return diagnostic.severity == diagnostics::Severity::Error;
  });
}

namespace {

mlir::OwningOpRef<mlir::ModuleOp> makeModule(CodegenContext& context, const Target& target,
                                             const Options& options) {
  mlir::OwningOpRef<mlir::ModuleOp> module =
      mlir::ModuleOp::create(mlir::UnknownLoc::get(&context.mlir()));
  (*module)->setAttrs(context.moduleAttributes(target, options));
  return module;
}

// "*fp16", "i32", "constexpr": the signature of an argument, as launch records and repr functions
// see it.
Value signature(language::Heap& heap, const Type* type) {
  using language::TypeKind;
  if (type->is(TypeKind::Tuple)) {
    llvm::SmallVector<Value, 4> items;
    for (const Type* element : type->elements())
      items.push_back(signature(heap, element));
    return heap.tuple(items);
  }
  if (type->is(TypeKind::Constexpr)) return heap.str("constexpr");
  if (type->isScalar())
    return heap.str(type->isBool() ? llvm::StringRef("u1") : llvm::StringRef(type->info().mangled));
  if (type->isPointer() && type->element()->isScalar())
    return heap.str(
        ((type->isConstPointer() ? "*k" : "*") + type->element()->info().mangled).str());
  return heap.str("tensordesc");
}

// The kernel's name: the last part of its qualified name, or the result of its repr function for
// the specialization, if it is known.
std::string kernelName(Unit& unit, const language::FunctionObject& kernel,
                       llvm::ArrayRef<const Type*> types) {
  evaluate::Interpreter& interpreter = unit.interpreter;
  Value repr = Value::absent();
  if (auto* options = kernel.decoration.as<language::DictObject>())
    repr = interpreter.dictGet(options, "repr");
  std::string name = kernel.qualname.str();
  if (!repr.isAbsent() && !repr.isNone() && !repr.isUnknown()) {
    Value constants = unit.heap.dict(), signatures = unit.heap.dict();
    for (auto [parameter, type] : llvm::zip(kernel.def->parameters, types)) {
      Value key = unit.heap.str(interpreter.text(parameter.name.name));
      if (type->is(language::TypeKind::Constexpr))
        interpreter.dictSet(constants.as<language::DictObject>(), key, type->constant());
      interpreter.dictSet(signatures.as<language::DictObject>(), key, signature(unit.heap, type));
    }
    Value proxy = interpreter.namespaceOf("SpecializationProxy",
                                          {{"constants", constants}, {"signature", signatures}});
    Value made = interpreter.call(repr, proxy);
    if (auto* text = made.as<language::StrObject>()) name = text->text.str();
    interpreter.dropError();
  }
  size_t dot = name.rfind('.');
  return dot == std::string::npos ? name : name.substr(dot + 1);
}

// Returns whether such a launch is impossible; called before anything of a kernel is compiled.
bool refusesLaunch(Unit& unit, const language::FunctionObject& kernel) {
  const Target& target = unit.specialization.target;
  if (auto problem = refusal(target, unit.specialization.options)) {
    unit.builder.error(Id::LaunchArgument, kernel.def, kernel.qualname, *problem);
    if (!unit.result.diagnostics.empty())
      unit.result.diagnostics.back().location.range = kernel.def->name.range;
    return true;
  }
  if (unit.specialization.options.numCtas == 1) return false;
  if (target.has(Feature::Clusters)) return false;
  std::string needed = chips::chipsWith(Feature::Clusters, target.vendor);
  unit.builder.error(Id::TargetTooOld, kernel.def, "a launch with num_ctas > 1", needed,
                     target.name());
  if (!unit.result.diagnostics.empty())
    unit.result.diagnostics.back().location.range = kernel.def->name.range;
  return true;
}

// The first failure of the whole where every operation holds by itself, and the first of a
// reduction or scan: Triton verifies those where they are called.
void reportVerification(Unit& unit, VerifierMessages& messages, bool isEachGood) {
  messages.clear();
  if (mlir::succeeded(mlir::verify(*unit.result.module))) return;
  if (isEachGood || !unit.hadErrors) reportMessages(unit, messages.messages());
  unit.result.module->walk<mlir::WalkOrder::PreOrder>([&](mlir::Operation* op) {
    if (!llvm::isa<tt::ReduceOp, tt::ScanOp>(op)) return mlir::WalkResult::advance();
    messages.clear();
    if (mlir::succeeded(mlir::verify(op)) || messages.messages().empty())
      return mlir::WalkResult::advance();
    std::string text = messages.messages().front().text;
    reportMessage(unit, *op, text);
    return mlir::WalkResult::interrupt();
  });
}

} // namespace

GeneratedModule generateSource(CodegenContext& context, const Specialization& specialization,
                               const SourceFiles& files, const SourceOptions& options) {
  GeneratedModule result;
  tt::ReleaseScope scope(&context.mlir(), specialization.release);
  result.module = makeModule(context, specialization.target, specialization.options);
  VerifierMessages messages(context.mlir());
  {
    Unit unit(context, specialization, files, options, messages, result);
    const language::FunctionObject& kernel = *specialization.kernel;
    unit.frames.push_back({&kernel, unit.locationsOf(kernel.module), nullptr});
    llvm::SmallVector<const Type*, 16> types;
    for (const KernelArgument& argument : specialization.arguments)
      types.push_back(argument.type ? context.types().import(argument.type) : nullptr);
    {
      FunctionVisitor visitor(unit, kernel, types, std::nullopt);
      if (options.assumesNothing || llvm::is_contained(types, nullptr)) {
        unit.markIncomplete("an argument of the launch");
        // Unknown if there is no type; then the parameter is only bound.
        llvm::SmallVector<Value, 16> arguments;
        for (const Type* type : types)
          arguments.push_back(type ? Value::absent() : Value::unknown());
        visitor.lookInto(arguments);
      } else if (!refusesLaunch(unit, kernel))
        visitor.generate(kernelName(unit, kernel, types), true, specialization.arguments);
    }
    // After an error the module is incomplete, but its operations can be checked one by one.
    if (unit.hadErrors || result.incomplete)
      verifyOperations(unit, *result.module);
    else if (!context.verifier().isSurelyValid(*result.module)) {
      bool isEachGood = verifyOperations(unit, *result.module);
      reportVerification(unit, messages, isEachGood);
    }
    if (unit.hadErrors || result.incomplete) result.module = nullptr;
    result.cancelled = options.cancellation.isCancelled();
  }
  context.types().endRun();
  return result;
}

} // namespace gluond::codegen
