#include "backend/amd/GluondAmdgpu.h"

#include "backend/Bitcode.h"
#include "backend/amd/CompilerProcess.h"
#include "backend/amd/DeviceLibraryFiles.h"
#include "backend/amd/GluondAmdgpuJobs.h"
#include "files/Executables.h"

#include <llvm/ADT/STLExtras.h>
#include <llvm/ADT/StringExtras.h>

namespace gluond::backend::amd {

namespace {

using Text = tl::expected<std::string, std::string>;

// Has the program do one job.
Text ask(llvm::StringRef job, const chips::Chip& chip, llvm::ArrayRef<llvm::StringRef> flags,
         llvm::StringRef input, const CancellationToken& token) {
  std::string program = compilerProgram();
  if (program.empty())
    return tl::make_unexpected(
        "the program " + jobs::program.str() +
        ", which compiles for AMD's GPUs, is not in the folder of gluond: install gluond again, or "
        "build it (ninja -C build " +
        jobs::program.str() + ")");
  llvm::SmallVector<llvm::StringRef> words{job, jobs::chipFlag, chip.target};
  llvm::append_range(words, flags);
  return doJob(program, words, input, token);
}

class AmdCompiler : public Compiler {
public:
  AmdCompiler(const chips::Chip& chip, CompilerOptions options)
      : chip_(chip), options_(std::move(options)) {}

  tl::expected<void, std::string> optimize(std::unique_ptr<llvm::Module>& module) override {
    Text optimized = withLibraries(jobs::optimize, *module);
    if (!optimized) return tl::make_unexpected(optimized.error());
    auto read = fromBitcode(*optimized, module->getContext());
    if (!read) return tl::make_unexpected(read.error());
    module = std::move(*read);
    return {};
  }

  Text toAssembly(llvm::Module& module) override {
    return ask(jobs::assembly, chip_, fusion(), toBitcode(module), options_.cancellation);
  }

  // The module is not sent there and back in between.
  Text compile(std::unique_ptr<llvm::Module>& module) override {
    return withLibraries(jobs::compile, *module);
  }

private:
  Text withLibraries(llvm::StringRef job, llvm::Module& module) const {
    auto libraries = deviceLibrariesFor(module, options_.untrusted);
    if (!libraries) return tl::make_unexpected(libraries.error());
    llvm::SmallVector<llvm::StringRef> flags = fusion();
    for (const std::string& library : *libraries)
      flags.append({jobs::libraryFlag, library});
    return ask(job, chip_, flags, toBitcode(module), options_.cancellation);
  }

  llvm::SmallVector<llvm::StringRef> fusion() const {
    return {jobs::fusionFlag, options_.fusesMultiplyAdd ? "true" : "false"};
  }

  const chips::Chip& chip_;
  CompilerOptions options_;
};

} // namespace

std::string compilerProgram() {
  return files::programBeside(jobs::program);
}

CompilerOrError makeCompiler(const chips::Chip& chip, CompilerOptions options) {
  return std::make_unique<AmdCompiler>(chip, std::move(options));
}

// The metadata of code objects is YAML at the end of the text; other facts are symbols and
// comments.
Resources resourcesOf(llvm::StringRef assembly) {
  auto number = [&](llvm::StringRef words) {
    unsigned value = 0;
    size_t at = assembly.rfind(words);
    if (at == llvm::StringRef::npos) return value;
    (void)assembly.drop_front(at + words.size())
        .ltrim(": ")
        .take_while(llvm::isDigit)
        .getAsInteger(10, value);
    return value;
  };
  return {.vectorRegisters = number(".vgpr_count:"),
          .accumulatorRegisters = number(".agpr_count:"),
          .scalarRegisters = number(".sgpr_count:"),
          .vectorSpills = number(".vgpr_spill_count:"),
          .scalarSpills = number(".sgpr_spill_count:"),
          .scratchBytes = number(".private_segment_fixed_size:")};
}

Text assemble(llvm::StringRef assembly, const chips::Chip& chip, const CancellationToken& token) {
  return ask(jobs::object, chip, {}, assembly, token);
}

Text disassemble(llvm::StringRef hsaco, const chips::Chip& chip, const CancellationToken& token) {
  return ask(jobs::disassembly, chip, {}, hsaco, token);
}

} // namespace gluond::backend::amd
