#include "target/Compiler.h"

#include <llvm/MC/TargetRegistry.h>
#include <llvm/Target/TargetMachine.h>

namespace gluond::target {

Compiler::Compiler(std::unique_ptr<llvm::TargetMachine> machine, const chips::Chip& chip,
                   CompilerOptions options)
    : machine_(std::move(machine)), chip_(chip), options_(std::move(options)) {}
Compiler::~Compiler() = default;

void Compiler::aim(llvm::Module& module) const {
  module.setTargetTriple(machine_->getTargetTriple());
  module.setDataLayout(machine_->createDataLayout());
}

std::unique_ptr<llvm::TargetMachine> machineFor(const llvm::Target& target,
                                                const llvm::Triple& triple, const chips::Chip& chip,
                                                llvm::TargetOptions settings,
                                                llvm::CodeGenOptLevel level) {
  settings.AllowFPOpFusion = llvm::FPOpFusion::Fast;
  return std::unique_ptr<llvm::TargetMachine>(
      target.createTargetMachine(triple, chip.processor, chip.processorFeatures, settings,
                                 llvm::Reloc::PIC_, std::nullopt, level));
}

} // namespace gluond::target
