#include "chips/Vendor.h"

namespace gluond::chips {

std::optional<Vendor> vendorOf(llvm::StringRef target) {
  if (target.starts_with("cuda:")) return Vendor::Nvidia;
  if (target.starts_with("hip:")) return Vendor::Amd;
  return std::nullopt;
}

std::optional<AmdGeneration> amdGenerationOf(const Chip& chip) {
  if (chip.vendor() != Vendor::Amd) return std::nullopt;
  if (chip.mfmaVersion) return chip.mfmaVersion >= 4 ? AmdGeneration::Cdna4 : AmdGeneration::Cdna3;
  return chip.wmmaVersion == 1   ? AmdGeneration::Rdna3
         : chip.wmmaVersion == 2 ? AmdGeneration::Rdna4
                                 : AmdGeneration::Cdna5;
}

} // namespace gluond::chips
