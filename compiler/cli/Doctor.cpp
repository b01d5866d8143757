#include "cli/Commands.h"
#include "cli/Output.h"

#include <llvm/Config/llvm-config.h>
#include <llvm/Support/FileSystem.h>
#include <llvm/Support/Program.h>

#include <thread>

namespace gluond::cli {

namespace {

struct Check {
  const char* what;
  bool present;
  std::string detail;
};

Check program(const char* what, const char* name, const char* need) {
  llvm::ErrorOr<std::string> found = llvm::sys::findProgramByName(name);
  return {what, bool(found), found ? *found : need};
}

Check device(const char* what, const char* path, const char* need) {
  bool present = llvm::sys::fs::exists(path);
  return {what, present, present ? path : need};
}

} // namespace

int doctor() {
  Output out;
  out << "gluond " << GLUOND_VERSION << ", the Gluon of Triton 3.9.0, on LLVM and MLIR "
      << LLVM_VERSION_STRING << ", " << std::to_string(std::thread::hardware_concurrency())
      << " CPU threads\n";
  out << "Checking, layouts and IR need nothing else: no Python, no Triton, no GPU.\n";
  const Check checks[] = {
      device("NVIDIA GPU", "/dev/nvidiactl", "none here; only running kernels needs one"),
      device("AMD GPU", "/dev/kfd", "none here; only running kernels needs one"),
      program("ptxas", "ptxas", "not on PATH; only machine code for NVIDIA needs it"),
  };
  for (const Check& check : checks)
    out << (check.present ? "  yes  " : "  no   ") << check.what << ": " << check.detail << "\n";
  out.flush();
  return out.ok() ? fine : findings;
}

} // namespace gluond::cli
