#include "target/nvidia/Toolkit.h"

#include "target/nvidia/Tool.h"

#include <llvm/ADT/SmallVector.h>
#include <llvm/ADT/StringExtras.h>
#include <llvm/Support/FileSystem.h>
#include <llvm/Support/Path.h>
#include <llvm/Support/Process.h>
#include <llvm/Support/Program.h>

namespace gluond::target::nvidia {

namespace fs = llvm::sys::fs;

namespace {

// Folders that hold an installation, best first: what the user says, CUDA's own place, Triton's
// wheels of the Pythons on PATH.
std::vector<std::string> installations() {
  std::vector<std::string> found;
  for (const char* variable : {"GLUOND_CUDA", "CUDA_HOME", "CUDA_PATH"})
    if (auto folder = llvm::sys::Process::GetEnv(variable); folder && !folder->empty())
      found.push_back(*folder);
  found.push_back("/usr/local/cuda");
  auto addTriton = [&](llvm::StringRef prefix) {
    std::error_code error;
    for (fs::directory_iterator at((prefix + "/lib").str(), error), end; !error && at != end;
         at.increment(error)) {
      if (!llvm::sys::path::filename(at->path()).starts_with("python3")) continue;
      for (llvm::StringRef packages : {"/site-packages", "/dist-packages"})
        found.push_back(at->path() + packages.str() + "/triton/backends/nvidia");
    }
  };
  if (auto environment = llvm::sys::Process::GetEnv("VIRTUAL_ENV")) addTriton(*environment);
  if (auto path = llvm::sys::Process::GetEnv("PATH")) {
    llvm::SmallVector<llvm::StringRef> folders;
    llvm::StringRef(*path).split(folders, ':');
    for (llvm::StringRef folder : folders)
      if (folder.ends_with("/bin") && fs::exists(folder + "/python3"))
        addTriton(folder.drop_back(4));
  }
  addTriton("/usr/local");
  return found;
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

std::string findTool(llvm::StringRef name) {
  for (const std::string& folder : installations()) {
    std::string path = folder + "/bin/" + name.str();
    if (fs::can_execute(path)) return path;
  }
  auto found = llvm::sys::findProgramByName(name);
  return found ? *found : std::string();
}

std::string findDeviceLibrary() {
  for (const std::string& folder : installations())
    for (llvm::StringRef inside :
         {"/nvvm/libdevice/libdevice.10.bc", "/lib/libdevice.10.bc", "/libdevice.10.bc"})
      if (std::string path = folder + inside.str(); fs::exists(path)) return path;
  return {};
}

std::string identityOf(llvm::StringRef path) {
  fs::file_status status;
  if (path.empty() || fs::status(path, status)) return {};
  return (path + ":" + llvm::Twine(status.getSize()) + ":" +
          llvm::Twine(status.getLastModificationTime().time_since_epoch().count()))
      .str();
}

tl::expected<Cubin, std::string> assemble(llvm::StringRef ptx, llvm::StringRef chip, bool lineInfo,
                                          const CancellationToken& token) {
  std::string ptxas = findTool("ptxas");
  if (ptxas.empty())
    return tl::make_unexpected(
        std::string("there is no ptxas: install a CUDA toolkit or Triton, or set GLUOND_CUDA"));
  std::string arch = ("--gpu-name=" + chip).str();
  llvm::SmallVector<llvm::StringRef> arguments{"-v", arch, inputFile, "-o", outputFile};
  if (lineInfo) arguments.insert(arguments.begin(), "-lineinfo");
  auto run = runTool(ptxas, arguments, ptx, token);
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

tl::expected<std::string, std::string> disassemble(llvm::StringRef cubin,
                                                   const CancellationToken& token) {
  std::string tool = findTool("nvdisasm");
  if (tool.empty())
    return tl::make_unexpected(
        std::string("there is no nvdisasm: install a CUDA toolkit or Triton, or set GLUOND_CUDA"));
  auto run = runTool(tool, {"-c", "-g", inputFile}, cubin, token);
  if (!run) return tl::make_unexpected(run.error());
  if (run->status != 0)
    return tl::make_unexpected(run->log.empty() ? "nvdisasm failed" : std::move(run->log));
  return std::move(run->log);
}

} // namespace gluond::target::nvidia
