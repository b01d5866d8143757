#include "backend/amd/DeviceLibraryFiles.h"

#include "files/Executables.h"

#include <llvm/ADT/STLExtras.h>
#include <llvm/Support/FileSystem.h>

namespace gluond::backend::amd {

namespace {

bool calls(const llvm::Module& module, llvm::StringRef prefix) {
  return llvm::any_of(module, [&](const llvm::Function& function) {
    return function.isDeclaration() && function.getName().starts_with(prefix);
  });
}

} // namespace

FoundTool findDeviceLibrary(llvm::StringRef name, llvm::ArrayRef<std::string> untrusted) {
  std::vector<Installation> places = namedBy({"GLUOND_ROCM", "ROCM_PATH", "HIP_PATH"});
  places.push_back({"/opt/rocm", "ROCm's own place"});
  llvm::append_range(places, tritonBackends("amd"));
  FoundTool found;
  for (const Installation& place : places)
    for (llvm::StringRef inside : {"/amdgcn/bitcode/", "/lib/", "/"}) {
      std::string path = place.folder + inside.str() + name.str();
      if (!llvm::sys::fs::is_regular_file(path)) continue;
      if (place.from != "GLUOND_ROCM" && !files::isOutside(path, untrusted)) {
        if (found.passedOver.empty()) found.passedOver = path;
        continue;
      }
      found.path = path;
      found.from = place.from;
      return found;
    }
  return found;
}

tl::expected<std::vector<std::string>, std::string>
deviceLibrariesFor(const llvm::Module& module, llvm::ArrayRef<std::string> untrusted) {
  std::vector<std::string> paths;
  for (auto [prefix, name] : {std::pair<llvm::StringRef, llvm::StringRef>("__ocml_", "ocml.bc"),
                              {"__ockl_", "ockl.bc"}}) {
    if (!calls(module, prefix)) continue;
    FoundTool found = findDeviceLibrary(name, untrusted);
    if (found.path.empty())
      return tl::make_unexpected("the kernel calls AMD's device library (" + name.str() +
                                 "), but no ROCm and no Triton with this file was found" +
                                 (found.passedOver.empty()
                                      ? std::string()
                                      : " outside of the workspace ('" + found.passedOver + "')") +
                                 "; set GLUOND_ROCM to a folder that contains it");
    paths.push_back(std::move(found.path));
  }
  return paths;
}

} // namespace gluond::backend::amd
