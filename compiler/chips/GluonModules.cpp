#include "chips/GluonModules.h"

namespace gluond::chips {

llvm::ArrayRef<GluonModule> gluonModules() {
  static constexpr GluonModule rows[] = {
      {"nvidia", "rubin", "cuda:107"},
      {"nvidia", "blackwell", "cuda:100"},
      {"nvidia", "hopper", "cuda:90"},
      {"nvidia", "ampere", "cuda:90"}, // every chip since has these instructions
      {"amd", "cdna5", "hip:gfx1250"},
      {"amd", "gfx1250", "hip:gfx1250"},
      {"amd", "cdna4", "hip:gfx950"},
      {"amd", "cdna3", "hip:gfx942"},
      {"amd", "rdna4", "hip:gfx1201"},
      {"amd", "rdna3", "hip:gfx1100"},
      {"amd", "AMDMFMALayout", "hip:gfx942"},
      {"amd", "AMDWMMALayout", "hip:gfx1250"},
  };
  return rows;
}

} // namespace gluond::chips
