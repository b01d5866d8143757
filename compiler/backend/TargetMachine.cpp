#include "backend/TargetMachine.h"

#include <llvm/MC/TargetRegistry.h>
#include <llvm/Target/TargetMachine.h>

namespace gluond::backend {

std::unique_ptr<llvm::TargetMachine>
machineFor(const llvm::Target& target, const llvm::Triple& triple, const chips::Chip& chip,
           llvm::TargetOptions settings, llvm::CodeGenOptLevel level, bool fusesMultiplyAdd) {
  if (fusesMultiplyAdd) settings.AllowFPOpFusion = llvm::FPOpFusion::Fast;
  return std::unique_ptr<llvm::TargetMachine>(
      target.createTargetMachine(triple, chip.processor, chip.processorFeatures, settings,
                                 llvm::Reloc::PIC_, std::nullopt, level));
}

void aim(llvm::Module& module, const llvm::TargetMachine& machine) {
  module.setTargetTriple(machine.getTargetTriple());
  module.setDataLayout(machine.createDataLayout());
}

} // namespace gluond::backend
