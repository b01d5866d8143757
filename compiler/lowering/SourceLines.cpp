// The lines of the source that instructions come from, as debug information.
#include "lowering/FunctionEmitter.h"

namespace gluond::lowering {

void FunctionEmitter::locate(mlir::Location location) {
  if (!state_.debug) return;
  auto fileOf = [&](llvm::StringRef name) {
    llvm::DIFile*& file = state_.files[name];
    if (!file) {
      auto [folder, base] = name.rsplit('/');
      file = base.empty() ? state_.debug->createFile(folder, ".")
                          : state_.debug->createFile(base, folder);
    }
    return file;
  };
  // The innermost line, in the scope of the kernel; calls that led there as inlined places.
  auto visit = [&](auto&& self, mlir::Location at,
                   llvm::DILocation* inlinedAt) -> llvm::DILocation* {
    if (auto named = mlir::dyn_cast<mlir::NameLoc>(at))
      return self(self, named.getChildLoc(), inlinedAt);
    if (auto call = mlir::dyn_cast<mlir::CallSiteLoc>(at))
      return self(self, call.getCallee(), self(self, call.getCaller(), inlinedAt));
    if (auto fused = mlir::dyn_cast<mlir::FusedLoc>(at)) {
      for (mlir::Location part : fused.getLocations())
        if (llvm::DILocation* found = self(self, part, inlinedAt)) return found;
      return nullptr;
    }
    auto line = mlir::dyn_cast<mlir::FileLineColRange>(mlir::LocationAttr(at));
    if (!line) return nullptr;
    llvm::DIFile* file = fileOf(line.getFilename().getValue());
    if (!subprogram_) {
      subprogram_ = state_.debug->createFunction(
          file, llvm_->getName(), llvm_->getName(), file, line.getStartLine(),
          state_.debug->createSubroutineType(state_.debug->getOrCreateTypeArray({})),
          line.getStartLine(), llvm::DINode::FlagZero,
          llvm::DISubprogram::SPFlagDefinition | llvm::DISubprogram::SPFlagOptimized);
      llvm_->setSubprogram(subprogram_);
    }
    llvm::DILocalScope* scope = subprogram_;
    if (file != subprogram_->getFile())
      scope = state_.debug->createLexicalBlockFile(subprogram_, file);
    return llvm::DILocation::get(state_.context, line.getStartLine(), line.getStartColumn(), scope);
  };
  if (llvm::DILocation* found = visit(visit, location, nullptr)) b.SetCurrentDebugLocation(found);
}

} // namespace gluond::lowering
