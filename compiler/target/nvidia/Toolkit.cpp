#include "target/nvidia/Toolkit.h"

#include <llvm/ADT/ScopeExit.h>
#include <llvm/ADT/SmallString.h>
#include <llvm/ADT/StringExtras.h>
#include <llvm/Support/FileSystem.h>
#include <llvm/Support/MemoryBuffer.h>
#include <llvm/Support/Path.h>
#include <llvm/Support/Process.h>
#include <llvm/Support/Program.h>
#include <llvm/Support/raw_ostream.h>

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

// A file that is removed again.
struct Temporary {
  llvm::SmallString<128> path;
  explicit Temporary(llvm::StringRef suffix) {
    (void)fs::createTemporaryFile("gluond", suffix, path);
  }
  ~Temporary() { (void)fs::remove(path); }
  Temporary(const Temporary&) = delete;
  Temporary& operator=(const Temporary&) = delete;
};

bool write(llvm::StringRef path, llvm::StringRef content) {
  std::error_code error;
  llvm::raw_fd_ostream file(path, error);
  if (error) return false;
  file << content;
  file.close();
  return !file.has_error();
}

std::string read(llvm::StringRef path) {
  auto buffer = llvm::MemoryBuffer::getFile(path);
  return buffer ? (*buffer)->getBuffer().str() : std::string();
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

tl::expected<Cubin, std::string> assemble(llvm::StringRef ptx, llvm::StringRef chip,
                                          bool lineInfo) {
  std::string ptxas = findTool("ptxas");
  if (ptxas.empty())
    return tl::make_unexpected(
        std::string("there is no ptxas: install a CUDA toolkit or Triton, or set GLUOND_CUDA"));
  Temporary input("ptx"), output("cubin"), log("log");
  if (!write(input.path, ptx))
    return tl::make_unexpected(std::string("cannot write a temporary file"));
  std::string arch = ("--gpu-name=" + chip).str();
  llvm::SmallVector<llvm::StringRef> arguments{ptxas, "-v", arch, input.path, "-o", output.path};
  if (lineInfo) arguments.insert(arguments.begin() + 1, "-lineinfo");
  std::optional<llvm::StringRef> redirects[] = {std::nullopt, llvm::StringRef(log.path),
                                                llvm::StringRef(log.path)};
  int status = llvm::sys::ExecuteAndWait(ptxas, arguments, std::nullopt, redirects, 600);
  Cubin cubin;
  cubin.log = read(log.path);
  if (status != 0) return tl::make_unexpected(cubin.log.empty() ? "ptxas failed" : cubin.log);
  std::string bytes = read(output.path);
  cubin.bytes.assign(bytes.begin(), bytes.end());
  cubin.registers = numberBefore(cubin.log, " registers");
  cubin.spillBytes = numberBefore(cubin.log, " bytes spill stores");
  cubin.stackBytes = numberBefore(cubin.log, " bytes stack frame");
  cubin.staticSharedBytes = numberBefore(cubin.log, " bytes smem");
  return cubin;
}

tl::expected<std::string, std::string> disassemble(const std::vector<char>& cubin) {
  std::string tool = findTool("nvdisasm");
  if (tool.empty())
    return tl::make_unexpected(
        std::string("there is no nvdisasm: install a CUDA toolkit or Triton, or set GLUOND_CUDA"));
  Temporary input("cubin"), output("sass"), log("log");
  if (!write(input.path, llvm::StringRef(cubin.data(), cubin.size())))
    return tl::make_unexpected(std::string("cannot write a temporary file"));
  llvm::SmallVector<llvm::StringRef> arguments{tool, "-c", "-g", input.path};
  std::optional<llvm::StringRef> redirects[] = {std::nullopt, llvm::StringRef(output.path),
                                                llvm::StringRef(log.path)};
  int status = llvm::sys::ExecuteAndWait(tool, arguments, std::nullopt, redirects, 600);
  if (status != 0) return tl::make_unexpected(read(log.path));
  return read(output.path);
}

} // namespace gluond::target::nvidia
