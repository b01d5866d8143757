#include "codegen/Source.h"

#include "codegen/CodegenContext.h"
#include "codegen/FunctionVisitor.h"
#include "codegen/QuickVerify.h"
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
      visitor.generate(kernel.qualname.rsplit('.').second.empty() ? kernel.qualname : kernel.qualname.rsplit('.').second,
                       true, specialization.arguments);
    }
    if (unit.hadErrors) {
      // Messages of builders and type constructors stand at the place where gluond has its own.
    } else if (!result.incomplete && !isSurelyValid(*result.module)) {
      messages.clear();
      if (mlir::failed(mlir::verify(*result.module))) report(unit, messages.messages());
    }
    if (unit.hadErrors || result.incomplete) result.module = nullptr;
    result.cancelled = options.cancellation.isCancelled();
  }
  context.types().endRun();
  return result;
}

} // namespace gluond::codegen
