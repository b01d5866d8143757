#include "backend/nvidia/Toolkit.h"

#include "backend/Tool.h"
#include "files/Executables.h"

#include <llvm/ADT/SmallVector.h>
#include <llvm/ADT/StringExtras.h>
#include <llvm/Support/FileSystem.h>
#include <llvm/Support/Path.h>
#include <llvm/Support/Process.h>

namespace gluond::backend::nvidia {

namespace fs = llvm::sys::fs;

namespace {

// Returns the folders of installations, best first: the user's choice, CUDA's own place, Triton's
// wheels in the Pythons on PATH.
std::vector<Installation> installations() {
  std::vector<Installation> found = namedBy({"GLUOND_CUDA", "CUDA_HOME", "CUDA_PATH"});
  found.push_back({"/usr/local/cuda", "CUDA's own place"});
  llvm::append_range(found, tritonBackends("nvidia"));
  return found;
}

// Uses `path` if it exists and may be used. Returns true if the search is over.
bool take(FoundTool& found, const std::string& path, llvm::StringRef from, Untrusted untrusted,
          bool isProgram) {
  if (isProgram ? !fs::can_execute(path) : !fs::is_regular_file(path)) return false;
  if (from != "GLUOND_CUDA" && !files::isOutside(path, untrusted)) {
    if (found.passedOver.empty()) found.passedOver = path;
    return false;
  }
  found.path = path;
  found.from = from.str();
  return true;
}

std::string missing(const FoundTool& found, llvm::StringRef name) {
  std::string text = "there is no " + name.str();
  if (!found.passedOver.empty())
    return text + " but '" + found.passedOver +
           "', which is in the workspace and so not run; set GLUOND_CUDA to the folder that "
           "`bin/" +
           name.str() + "` is in if you trust it";
  return text + ": install a CUDA toolkit or Triton, or set GLUOND_CUDA";
}

unsigned numberBefore(llvm::StringRef log, llvm::StringRef words) {
  size_t at = log.find(words);
  if (at == llvm::StringRef::npos) return 0;
  size_t end = at, begin = at;
  while (begin > 0 && llvm::isDigit(log[begin - 1]))
    --begin;
  unsigned number = 0;
  (void)log.slice(begin, end).getAsInteger(10, number);
  return number;
}

} // namespace

FoundTool findTool(llvm::StringRef name, Untrusted untrusted) {
  FoundTool found;
  for (const Installation& each : installations())
    if (take(found, each.folder + "/bin/" + name.str(), each.from, untrusted, true)) return found;
  found.path = files::programOnPath(name, untrusted, &found.passedOver);
  found.from = "PATH";
  return found;
}

FoundTool findDeviceLibrary(Untrusted untrusted) {
  FoundTool found;
  for (const Installation& each : installations())
    for (llvm::StringRef inside :
         {"/nvvm/libdevice/libdevice.10.bc", "/lib/libdevice.10.bc", "/libdevice.10.bc"})
      if (take(found, each.folder + inside.str(), each.from, untrusted, false)) return found;
  return found;
}

tl::expected<Cubin, std::string> assemble(llvm::StringRef ptx, llvm::StringRef chip,
                                          Untrusted untrusted, bool lineInfo, bool fusesMultiplyAdd,
                                          const CancellationToken& token) {
  FoundTool ptxas = findTool("ptxas", untrusted);
  if (ptxas.path.empty()) return tl::make_unexpected(missing(ptxas, "ptxas"));
  std::string arch = ("--gpu-name=" + chip).str();
  llvm::SmallVector<llvm::StringRef> arguments{"-v", arch, inputFile, "-o", outputFile};
  if (!fusesMultiplyAdd) arguments.push_back("--fmad=false");
  if (lineInfo) arguments.insert(arguments.begin(), "-lineinfo");
  auto run = runTool(ptxas.path, arguments, ptx, token);
  if (!run) return tl::make_unexpected(run.error());
  if (run->status != 0)
    return tl::make_unexpected(run->log.empty() ? "ptxas failed" : std::move(run->log));
  Cubin cubin;
  cubin.log = std::move(run->log);
  cubin.bytes.assign(run->output.begin(), run->output.end());
  cubin.registers = numberBefore(cubin.log, " registers");
  cubin.spillBytes = numberBefore(cubin.log, " bytes spill stores");
  cubin.stackBytes = numberBefore(cubin.log, " bytes stack frame");
  cubin.staticSharedBytes = numberBefore(cubin.log, " bytes smem");
  return cubin;
}

tl::expected<std::string, std::string> disassemble(llvm::StringRef cubin, Untrusted untrusted,
                                                   const CancellationToken& token) {
  FoundTool tool = findTool("nvdisasm", untrusted);
  if (tool.path.empty()) return tl::make_unexpected(missing(tool, "nvdisasm"));
  auto run = runTool(tool.path, {"-c", "-g", inputFile}, cubin, token);
  if (!run) return tl::make_unexpected(run.error());
  if (run->status != 0)
    return tl::make_unexpected(run->log.empty() ? "nvdisasm failed" : std::move(run->log));
  return std::move(run->log);
}

} // namespace gluond::backend::nvidia
