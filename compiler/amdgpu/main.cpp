// gluond-amdgpu JOB --target hip:gfx942 [--library FILE]...
//
// Does one job of gluond's stages for AMD's GPUs (target/amd/Jobs.h): reads the input from file
// descriptor 3 and writes the result to 4. Exits with 1 after saying on standard error what failed.
#include "amdgpu/Assembler.h"
#include "amdgpu/Compile.h"
#include "chips/Chip.h"
#include "support/WriteAll.h"
#include "target/Bitcode.h"
#include "target/Tool.h"
#include "target/amd/Jobs.h"

#include <llvm/ADT/STLExtras.h>
#include <llvm/IR/LLVMContext.h>
#include <llvm/Support/FileSystem.h>
#include <llvm/Support/MemoryBuffer.h>
#include <llvm/Support/raw_ostream.h>

namespace gluond::amdgpu {

namespace {

struct Request {
  const chips::Chip* chip = nullptr;
  std::vector<std::string> libraries{};
  bool fusesMultiplyAdd = true;
  llvm::StringRef input{};
};
using Result = tl::expected<std::string, std::string>;

Result withModule(const Request& request, llvm::function_ref<Result(llvm::Module&)> work) {
  llvm::LLVMContext context;
  auto module = target::fromBitcode(request.input, context);
  if (!module) return tl::make_unexpected(module.error());
  return work(**module);
}

Result optimizeJob(const Request& request) {
  return withModule(request, [&](llvm::Module& module) -> Result {
    if (auto done = optimize(module, *request.chip, request.libraries, request.fusesMultiplyAdd);
        !done)
      return tl::make_unexpected(done.error());
    return target::toBitcode(module);
  });
}

Result assemblyJob(const Request& request) {
  return withModule(request, [&](llvm::Module& module) {
    return toAssembly(module, *request.chip, request.fusesMultiplyAdd);
  });
}

struct Job {
  llvm::StringLiteral name;
  Result (*run)(const Request& request);
};
constexpr Job jobs[] = {
    {target::amd::jobs::optimize, optimizeJob},
    {target::amd::jobs::assembly, assemblyJob},
    {target::amd::jobs::object,
     [](const Request& request) { return assemble(request.input, *request.chip); }},
    {target::amd::jobs::disassembly,
     [](const Request& request) { return disassemble(request.input, *request.chip); }},
};

int fail(const llvm::Twine& message) {
  llvm::errs() << message << "\n";
  return 1;
}

int run(llvm::ArrayRef<llvm::StringRef> arguments) {
  if (arguments.size() == 1 && arguments[0] == "--version") {
    llvm::outs() << "gluond-amdgpu " << GLUOND_VERSION << "\n";
    return 0;
  }
  const Job* job = arguments.empty()
                       ? nullptr
                       : llvm::find_if(jobs, [&](const Job& j) { return j.name == arguments[0]; });
  if (!job || job == std::end(jobs))
    return fail("gluond-amdgpu is run by gluond, which compiles for AMD's GPUs with it; "
                "gluond-amdgpu --version prints its version");
  Request request;
  for (size_t i = 1; i + 1 < arguments.size(); i += 2) {
    if (arguments[i] == target::amd::jobs::chipFlag)
      request.chip = chips::findChip(arguments[i + 1]);
    else if (arguments[i] == target::amd::jobs::libraryFlag)
      request.libraries.push_back(arguments[i + 1].str());
    else if (arguments[i] == target::amd::jobs::fusionFlag)
      request.fusesMultiplyAdd = arguments[i + 1] == "true";
    else
      return fail("gluond-amdgpu does not know the option '" + arguments[i] + "'");
  }
  if (!request.chip || request.chip->vendor() != chips::Vendor::Amd ||
      request.chip->processor.empty())
    return fail("gluond-amdgpu needs " + target::amd::jobs::chipFlag + " with one of AMD's chips");
  auto input = llvm::MemoryBuffer::getOpenFile(
      llvm::sys::fs::convertFDToNativeFile(target::inputNumber), "input", /*FileSize=*/-1);
  if (!input) return fail("gluond-amdgpu cannot read its input: " + input.getError().message());
  request.input = (*input)->getBuffer();
  Result result = job->run(request);
  if (!result) return fail(result.error());
  if (!writeAll(target::outputNumber, *result))
    return fail("gluond-amdgpu cannot write its result");
  return 0;
}

} // namespace

} // namespace gluond::amdgpu

int main(int count, char** values) {
  llvm::SmallVector<llvm::StringRef> arguments(values + 1, values + count);
  return gluond::amdgpu::run(arguments);
}
