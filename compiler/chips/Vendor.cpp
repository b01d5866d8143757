#include "chips/Vendor.h"

namespace gluond::chips {

std::optional<Vendor> vendorOf(llvm::StringRef target) {
  if (target.starts_with("cuda:")) return Vendor::Nvidia;
  if (target.starts_with("hip:")) return Vendor::Amd;
  return std::nullopt;
}

std::optional<AmdGeneration> amdGenerationOf(const Chip& chip) {
  if (chip.vendor() != Vendor::Amd) return std::nullopt;
  using enum AmdGeneration;
  static constexpr AmdGeneration byMfma[] = {Gcn5, Cdna1, Cdna2, Cdna3, Cdna4},
                                 byWmma[] = {Gcn5, Rdna3, Rdna4, Cdna5};
  return chip.wmmaVersion ? byWmma[chip.wmmaVersion] : byMfma[chip.mfmaVersion];
}

} // namespace gluond::chips
