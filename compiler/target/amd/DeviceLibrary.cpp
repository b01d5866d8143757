#include "target/amd/DeviceLibrary.h"

#include "files/Programs.h"
#include "target/CodeGeneration.h"

#include <llvm/ADT/STLExtras.h>
#include <llvm/IR/Constants.h>
#include <llvm/Support/FileSystem.h>

namespace gluond::target::amd {

namespace {

bool calls(const llvm::Module& module, llvm::StringRef prefix) {
  return llvm::any_of(module, [&](const llvm::Function& function) {
    return function.isDeclaration() && function.getName().starts_with(prefix);
  });
}

// "gfx942" as the libraries number it: 9402. The last two digits are hexadecimal.
unsigned isaVersion(llvm::StringRef processor) {
  llvm::StringRef digits = processor.drop_while([](char c) { return !llvm::isDigit(c); });
  unsigned major = 0, minor = llvm::hexDigitValue(digits[digits.size() - 2]),
           stepping = llvm::hexDigitValue(digits.back());
  (void)digits.drop_back(2).getAsInteger(10, major);
  return major * 1000 + minor * 100 + stepping;
}

void defineControls(llvm::Module& module, const chips::Chip& chip) {
  llvm::LLVMContext& context = module.getContext();
  auto define = [&](llvm::StringRef name, llvm::Type* type, uint64_t value) {
    constexpr unsigned constantSpace = 4;
    auto* global =
        new llvm::GlobalVariable(module, type, true, llvm::GlobalValue::LinkOnceODRLinkage,
                                 llvm::ConstantInt::get(type, value), name, nullptr,
                                 llvm::GlobalValue::NotThreadLocal, constantSpace);
    global->setVisibility(llvm::GlobalValue::HiddenVisibility);
    global->setUnnamedAddr(llvm::GlobalValue::UnnamedAddr::Local);
  };
  llvm::Type *flag = llvm::Type::getInt8Ty(context), *number = llvm::Type::getInt32Ty(context);
  constexpr unsigned codeObjectVersion = 500;
  define("__oclc_finite_only_opt", flag, 0);
  define("__oclc_correctly_rounded_sqrt32", flag, 1);
  define("__oclc_unsafe_math_opt", flag, 0);
  define("__oclc_wavefrontsize64", flag, chip.warpSize == 64);
  define("__oclc_ISA_version", number, isaVersion(chip.processor));
  define("__oclc_ABI_version", number, codeObjectVersion);
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

tl::expected<void, std::string> linkDeviceLibraries(llvm::Module& module, const chips::Chip& chip,
                                                    llvm::ArrayRef<std::string> untrusted) {
  bool isFirst = true;
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
    if (std::exchange(isFirst, false)) defineControls(module, chip);
    if (auto linked = linkLibrary(module, found.path); !linked) return linked;
  }
  return {};
}

} // namespace gluond::target::amd
