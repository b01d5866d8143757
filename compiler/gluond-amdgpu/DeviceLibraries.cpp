#include "gluond-amdgpu/DeviceLibraries.h"

#include "backend/CodeGeneration.h"
#include "gluond-amdgpu/LlvmTarget.h"

#include <llvm/IR/Constants.h>
#include <llvm/IR/DerivedTypes.h>
#include <llvm/IR/GlobalVariable.h>

namespace gluond::amdgpu {

namespace {

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
  define("__oclc_finite_only_opt", flag, 0);
  define("__oclc_correctly_rounded_sqrt32", flag, 1);
  define("__oclc_unsafe_math_opt", flag, 0);
  define("__oclc_wavefrontsize64", flag, chip.warpSize == 64);
  define("__oclc_ISA_version", number, isaVersion(chip.processor));
  define("__oclc_ABI_version", number, codeObjectVersion);
}

} // namespace

tl::expected<void, std::string> linkDeviceLibraries(llvm::Module& module, const chips::Chip& chip,
                                                    llvm::ArrayRef<std::string> libraries) {
  if (!libraries.empty()) defineControls(module, chip);
  for (const std::string& library : libraries)
    if (auto linked = backend::linkLibrary(module, library); !linked) return linked;
  return {};
}

} // namespace gluond::amdgpu
