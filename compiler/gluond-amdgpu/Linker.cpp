#include "gluond-amdgpu/Linker.h"

#include <llvm/ADT/SmallVector.h>
#include <llvm/Plugins/PassPlugin.h>
#include <llvm/Support/ErrorHandling.h>
#include <llvm/Support/FileSystem.h>
#include <llvm/Support/MemoryBuffer.h>
#include <llvm/Support/Path.h>
#include <llvm/Support/raw_ostream.h>

#include <lld/Common/CommonLinkerContext.h>
#include <lld/Common/Driver.h>
#include <mutex>
#include <tuple>

LLD_HAS_DRIVER(elf)

// The linker prepares every LLVM target for optimization at link time, which does not happen here.
// These empty functions stand for the targets that this program does not have.
extern "C" {
#define GLUOND_ABSENT(Name)                                                                        \
  void LLVMInitialize##Name##TargetInfo() {}                                                       \
  void LLVMInitialize##Name##Target() {}                                                           \
  void LLVMInitialize##Name##TargetMC() {}                                                         \
  void LLVMInitialize##Name##AsmPrinter() {}                                                       \
  void LLVMInitialize##Name##AsmParser() {}
GLUOND_ABSENT(AArch64)
GLUOND_ABSENT(ARM)
GLUOND_ABSENT(AVR)
GLUOND_ABSENT(BPF)
GLUOND_ABSENT(Hexagon)
GLUOND_ABSENT(Lanai)
GLUOND_ABSENT(LoongArch)
GLUOND_ABSENT(M68k)
GLUOND_ABSENT(MSP430)
GLUOND_ABSENT(Mips)
GLUOND_ABSENT(NVPTX)
GLUOND_ABSENT(PowerPC)
GLUOND_ABSENT(RISCV)
GLUOND_ABSENT(SPIRV)
GLUOND_ABSENT(Sparc)
GLUOND_ABSENT(SystemZ)
GLUOND_ABSENT(VE)
GLUOND_ABSENT(WebAssembly)
GLUOND_ABSENT(X86)
GLUOND_ABSENT(XCore)
GLUOND_ABSENT(Xtensa)
#undef GLUOND_ABSENT
}
// Nor is there a loop optimizer as a plugin of Debian's LLVM.
llvm::PassPluginLibraryInfo getPollyPluginInfo() {
  return {};
}

// Nor does it compile bitcode: object files are all that it gets. The linker makes one object of
// this class and asks it for the files that it compiled, which are none. LLVM's own class would
// link all passes of LLVM to the program, ten megabytes of code.
namespace lld::elf {
struct Ctx;
class BitcodeFile;
class BitcodeCompiler {
public:
  explicit BitcodeCompiler(Ctx&);
  ~BitcodeCompiler(); // NOLINT(performance-trivially-destructible): the linker calls it
  void add(BitcodeFile&);
  llvm::SmallVector<void*, 0> compile(); // pointers to files, which only the linker can declare
};
BitcodeCompiler::BitcodeCompiler(Ctx&) {}
BitcodeCompiler::~BitcodeCompiler() = default;
void BitcodeCompiler::add(BitcodeFile&) {
  llvm::report_fatal_error("gluond-amdgpu links no bitcode");
}
llvm::SmallVector<void*, 0> BitcodeCompiler::compile() {
  return {};
}
} // namespace lld::elf

namespace gluond::amdgpu {

namespace fs = llvm::sys::fs;

namespace {

// A folder of the linker's own for its files, which it knows by name only; in memory if the system
// has a place for that.
class WorkFolder {
public:
  WorkFolder() {
    llvm::SmallString<128> prefix("/dev/shm");
    if (!fs::can_write(prefix)) llvm::sys::path::system_temp_directory(true, prefix);
    llvm::sys::path::append(prefix, "gluond-link-%%%%%%%%%%%%");
    for (int attempts = 0; attempts < 16 && path_.empty(); ++attempts) {
      llvm::SmallString<128> name;
      fs::createUniquePath(prefix, name, /*MakeAbsolute=*/false);
      if (!fs::create_directory(name, /*IgnoreExisting=*/false, fs::owner_all))
        path_ = std::string(name);
    }
  }
  ~WorkFolder() {
    for (llvm::StringRef name : {"object", "hsaco"})
      std::ignore = fs::remove(file(name));
    if (!path_.empty()) std::ignore = fs::remove(path_);
  }
  WorkFolder(const WorkFolder&) = delete;
  WorkFolder& operator=(const WorkFolder&) = delete;

  bool exists() const { return !path_.empty(); }
  std::string file(llvm::StringRef name) const { return path_ + "/" + name.str(); }

private:
  std::string path_;
};

} // namespace

tl::expected<std::string, std::string> link(llvm::StringRef object) {
  static std::mutex oneAtATime; // the linker's context is the process's
  std::lock_guard<std::mutex> lock(oneAtATime);
  WorkFolder folder;
  std::string in = folder.file("object"), out = folder.file("hsaco"), log;
  std::error_code error;
  if (folder.exists()) {
    llvm::raw_fd_ostream file(in, error, fs::CD_CreateNew);
    if (!error) file << object;
  }
  if (!folder.exists() || error)
    return tl::make_unexpected(std::string("there is no place for the linker's files in /dev/shm "
                                           "or the folder for temporary files"));
  llvm::raw_string_ostream messages(log);
  const char* arguments[] = {"ld.lld", "-shared", "--threads=1", in.c_str(), "-o", out.c_str()};
  bool done = lld::elf::link(arguments, messages, messages, /*exitEarly=*/false,
                             /*disableOutput=*/false);
  lld::CommonLinkerContext::destroy();
  if (!done) return tl::make_unexpected("the linker failed: " + log);
  auto bytes = llvm::MemoryBuffer::getFile(out);
  if (!bytes) return tl::make_unexpected("the linker left no file: " + bytes.getError().message());
  return (*bytes)->getBuffer().str();
}

} // namespace gluond::amdgpu
