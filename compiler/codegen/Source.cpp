#include "codegen/Source.h"

#include "codegen/CodegenContext.h"
#include "codegen/FunctionVisitor.h"
#include "codegen/QuickVerify.h"
#include "ir/tt/Ops.h"
#include "language/TypeContext.h"

#include <mlir/IR/Verifier.h>

namespace gluond::codegen {

using diagnostics::Id;

bool GeneratedModule::hasErrors() const {
  return llvm::any_of(diagnostics, [](const diagnostics::Diagnostic& diagnostic) {
    return diagnostic.severity == diagnostics::Severity::Error;
  });
}

namespace {

mlir::OwningOpRef<mlir::ModuleOp> makeModule(mlir::MLIRContext& context, const Target& target, const Options& options) {
  mlir::Builder builder(&context);
  mlir::OwningOpRef<mlir::ModuleOp> module = mlir::ModuleOp::create(mlir::UnknownLoc::get(&context));
  auto number = [&](unsigned value) { return builder.getI32IntegerAttr(static_cast<int32_t>(value)); };
  llvm::SmallVector<mlir::NamedAttribute, 5> attributes = {
      builder.getNamedAttr("ttg.target", builder.getStringAttr(target.name())),
      builder.getNamedAttr("ttg.num-warps", number(options.numWarps)),
      builder.getNamedAttr("ttg.num-ctas", number(options.numCtas)),
      builder.getNamedAttr("ttg.threads-per-warp", number(target.warpSize))};
  if (target.isCuda() && options.maxnreg) attributes.push_back(builder.getNamedAttr("ttg.maxnreg", number(*options.maxnreg)));
  (*module)->setAttrs(builder.getDictionaryAttr(attributes));
  return module;
}

// "*fp16", "i32", "constexpr": the signature of an argument, as launch records and repr functions see it.
Value signature(language::Heap& heap, const Type* type) {
  using language::TypeKind;
  if (type->is(TypeKind::Tuple)) {
    llvm::SmallVector<Value, 4> items;
    for (const Type* element : type->elements()) items.push_back(signature(heap, element));
    return heap.tuple(items);
  }
  if (type->is(TypeKind::Constexpr)) return heap.str("constexpr");
  if (type->isScalar()) return heap.str(type->isBool() ? llvm::StringRef("u1") : llvm::StringRef(type->info().mangled));
  if (type->isPointer() && type->element()->isScalar())
    return heap.str(((type->isConstPointer() ? "*k" : "*") + type->element()->info().mangled).str());
  return heap.str("tensordesc");
}

// The kernel's name: the last part of its qualified name, or what its repr function makes of the specialization.
std::string kernelName(Unit& unit, const language::FunctionObject& kernel, llvm::ArrayRef<const Type*> types) {
  evaluate::Interpreter& interpreter = unit.interpreter;
  Value repr = Value::absent();
  if (auto* options = kernel.decoration.as<language::DictObject>()) repr = interpreter.dictGet(options, "repr");
  std::string name = kernel.qualname.str();
  if (repr.isUnknown()) unit.markIncomplete("the name that the kernel's repr gives it");
  if (!repr.isAbsent() && !repr.isNone() && !repr.isUnknown()) {
    Value constants = unit.heap.dict(), signatures = unit.heap.dict();
    for (auto [parameter, type] : llvm::zip(kernel.def->parameters, types)) {
      Value key = unit.heap.str(interpreter.text(parameter.name.name));
      if (type->is(language::TypeKind::Constexpr))
        interpreter.dictSet(constants.as<language::DictObject>(), key, type->constant());
      interpreter.dictSet(signatures.as<language::DictObject>(), key, signature(unit.heap, type));
    }
    Value proxy = interpreter.namespaceOf("SpecializationProxy", {{"constants", constants}, {"signature", signatures}});
    Value made = interpreter.call(repr, proxy);
    if (auto* text = made.as<language::StrObject>()) name = text->text.str();
    else unit.markIncomplete("the name that the kernel's repr gives it");
    interpreter.dropError();
  }
  size_t dot = name.rfind('.');
  return dot == std::string::npos ? name : name.substr(dot + 1);
}

// What MLIR's verifiers say while a kernel is generated and checked, kept instead of printed.
class VerifierMessages {
public:
  explicit VerifierMessages(mlir::MLIRContext& context)
      : handler_(&context, [this](mlir::Diagnostic& diagnostic) {
          if (diagnostic.getSeverity() == mlir::DiagnosticSeverity::Error && messages_.size() < 16)
            messages_.push_back({diagnostic.getLocation(), diagnostic.str()});
          return mlir::success();
        }) {}
  struct Message {
    mlir::Location location;
    std::string text;
  };
  llvm::ArrayRef<Message> messages() const { return messages_; }
  void clear() { messages_.clear(); }

private:
  llvm::SmallVector<Message, 1> messages_;
  mlir::ScopedDiagnosticHandler handler_;
};

// At the op's place in the user's program, as a diagnostic.
void report(Unit& unit, llvm::ArrayRef<VerifierMessages::Message> messages) {
  for (const auto& message : messages) {
    diagnostics::Location location{};
    mlir::FileLineColRange place;
    message.location->walk([&](mlir::Location part) {
      if (auto range = llvm::dyn_cast<mlir::FileLineColRange>(mlir::LocationAttr(part))) place = range;
      return place ? mlir::WalkResult::interrupt() : mlir::WalkResult::advance();
    });
    if (place)
      if (const FileLocations* file = unit.fileNamed(place.getFilename()))
        location = {file->file().id, file->range(place)};
    llvm::StringRef text = message.text;
    // "'tt.load' op expected ...": the op's name means nothing to the user.
    if (text.starts_with("'")) text = text.split("' op ").second.empty() ? text : text.split("' op ").second;
    if (!unit.isNew(Id::InvalidOperation, location)) continue;
    unit.hadErrors = true;
    unit.result.diagnostics.push_back(
        {Id::InvalidOperation, diagnostics::Severity::Error, location,
         diagnostics::format(std::string_view(diagnostics::row(Id::InvalidOperation).message), {text}), {}, {}});
  }
}

// Whether a cluster of CTAs can be launched; asked before anything of a kernel is compiled.
bool refusesClusters(Unit& unit, const language::FunctionObject& kernel) {
  const Target& target = unit.specialization.target;
  if (unit.specialization.options.numCtas == 1) return false;
  if (target.isCuda() ? target.capability >= 90 : target.arch == "gfx1250") return false;
  llvm::StringRef needed = target.isCuda() ? "a chip with clusters (sm_90 or newer)" : "a chip with clusters (gfx1250)";
  unit.emitter.error(Id::TargetTooOld, kernel.def, "a launch with num_ctas > 1", needed, target.name());
  if (!unit.result.diagnostics.empty()) unit.result.diagnostics.back().location.range = kernel.def->name.range;
  return true;
}

// The first failure of the whole, and the first of a reduction or scan: Triton verifies those where they are called.
void reportVerification(Unit& unit, VerifierMessages& messages) {
  messages.clear();
  if (mlir::succeeded(mlir::verify(*unit.result.module))) return;
  report(unit, messages.messages());
  unit.result.module->walk<mlir::WalkOrder::PreOrder>([&](mlir::Operation* op) {
    if (!llvm::isa<tt::ReduceOp, tt::ScanOp>(op)) return mlir::WalkResult::advance();
    messages.clear();
    if (mlir::succeeded(mlir::verify(op)) || messages.messages().empty()) return mlir::WalkResult::advance();
    report(unit, {{op->getLoc(), messages.messages().front().text}});
    return mlir::WalkResult::interrupt();
  });
}

} // namespace

GeneratedModule generateSource(CodegenContext& context, const Specialization& specialization, const SourceFiles& files,
                               const SourceOptions& options) {
  GeneratedModule result;
  result.module = makeModule(context.mlir(), specialization.target, specialization.options);
  VerifierMessages messages(context.mlir());
  {
    Unit unit(context, specialization, files, options, result);
    const language::FunctionObject& kernel = *specialization.kernel;
    unit.frames.push_back({&kernel, unit.locationsOf(kernel.module), nullptr});
    llvm::SmallVector<const Type*, 16> types;
    for (const KernelArgument& argument : specialization.arguments) types.push_back(context.types().import(argument.type));
    {
      FunctionVisitor visitor(unit, kernel, types, std::nullopt);
      if (!refusesClusters(unit, kernel))
        visitor.generate(kernelName(unit, kernel, types), true, specialization.arguments);
    }
    if (unit.hadErrors) {
      // Messages of builders and type constructors stand at the place where gluond has its own.
    } else if (!result.incomplete && !isSurelyValid(*result.module)) {
      reportVerification(unit, messages);
    }
    if (unit.hadErrors || result.incomplete) result.module = nullptr;
    result.cancelled = options.cancellation.isCancelled();
  }
  context.types().endRun();
  return result;
}

} // namespace gluond::codegen
