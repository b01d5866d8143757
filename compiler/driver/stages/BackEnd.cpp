#include "driver/stages/BackEnd.h"

#include "lowering/TargetEmitter.h"

namespace gluond::driver {

static tl::expected<std::unique_ptr<backend::Compiler>, passes::PassFailure>
compilerFor(const Compilation& kernel, const BackEnd& backEnd) {
  const chips::Chip* chip = backEnd.chipOf(kernel.target);
  if (!chip)
    return kernel.unsupported("gluond cannot compile for " + kernel.target.name() + " yet");
  auto compiler =
      backEnd.compiler(*chip, {.untrusted = kernel.options.workspace,
                               .cancellation = kernel.options.cancellation,
                               .fusesMultiplyAdd = kernel.options.code.fusesMultiplyAdd});
  if (!compiler) return kernel.unsupported(compiler.error());
  return std::move(*compiler);
}

passes::Result makeLlir(Compilation& kernel, const BackEnd& backEnd) {
  auto compiler = compilerFor(kernel, backEnd);
  if (!compiler) return tl::unexpected(std::move(compiler.error()));
  auto target = backEnd.lowering(*backEnd.chipOf(kernel.target), kernel.options.code);
  if (auto lowered = kernel.lower(*target); !lowered) return lowered;
  if (kernel.optimizesLater) return {};
  if (auto done = (*compiler)->optimize(kernel.llir); !done)
    return kernel.unsupported(done.error());
  return {};
}

passes::Result makeAssembly(Compilation& kernel, const BackEnd& backEnd) {
  auto compiler = compilerFor(kernel, backEnd);
  if (!compiler) return tl::unexpected(std::move(compiler.error()));
  auto assembly = kernel.optimizesLater ? (*compiler)->compile(kernel.llir)
                                        : (*compiler)->toAssembly(*kernel.llir);
  if (!assembly) return kernel.unsupported(assembly.error());
  kernel.result.text = std::move(*assembly);
  return {};
}

} // namespace gluond::driver
