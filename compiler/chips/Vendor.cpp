#include "chips/Vendor.h"

namespace gluond::chips {

std::optional<Vendor> vendorOf(llvm::StringRef target) {
  if (target.starts_with("cuda:")) return Vendor::Nvidia;
  if (target.starts_with("hip:")) return Vendor::Amd;
  return std::nullopt;
}

} // namespace gluond::chips
