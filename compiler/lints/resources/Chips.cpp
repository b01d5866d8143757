#include "lints/resources/Chips.h"

namespace gluond::lints {

// A longer prefix stands before a shorter one that it begins with.
static constexpr Chip chips[] = {
    {"cuda:75", "sm_75 (Turing)", 32, 65536, 65536, 255, 65536, 32, 16, 0},
    {"cuda:80", "sm_80 (Ampere)", 32, 166912, 167936, 255, 65536, 64, 32, 0},
    {"cuda:86", "sm_86 (Ampere)", 32, 101376, 102400, 255, 65536, 48, 16, 0},
    {"cuda:87", "sm_87 (Ampere)", 32, 166912, 167936, 255, 65536, 48, 16, 0},
    {"cuda:89", "sm_89 (Ada)", 32, 101376, 102400, 255, 65536, 48, 24, 0},
    {"cuda:90", "sm_90 (Hopper)", 32, 232448, 233472, 255, 65536, 64, 32, 0},
    {"cuda:100", "sm_100 (Blackwell)", 32, 232448, 233472, 255, 65536, 64, 32, 512},
    {"cuda:103", "sm_103 (Blackwell)", 32, 232448, 233472, 255, 65536, 64, 32, 512},
    {"cuda:110", "sm_110 (Blackwell)", 32, 232448, 233472, 255, 65536, 48, 24, 512},
    {"cuda:120", "sm_120 (Blackwell)", 32, 101376, 102400, 255, 65536, 48, 24, 0},
    {"cuda:121", "sm_121 (Blackwell)", 32, 101376, 102400, 255, 65536, 48, 24, 0},
    {"hip:gfx90a", "gfx90a (CDNA2)", 64, 65536, 65536, 512, 524288, 32, 32, 0},
    {"hip:gfx94", "gfx942 (CDNA3)", 64, 65536, 65536, 512, 524288, 32, 32, 0},
    {"hip:gfx95", "gfx950 (CDNA4)", 64, 163840, 163840, 512, 524288, 32, 32, 0},
    {"hip:gfx125", "gfx1250", 32, 327680, 327680, 1024, 524288, 64, 32, 0},
    {"hip:gfx12", "gfx12 (RDNA4)", 32, 65536, 131072, 256, 393216, 64, 32, 0},
    {"hip:gfx11", "gfx11 (RDNA3)", 32, 65536, 131072, 256, 393216, 64, 32, 0},
};

const Chip* chipOf(llvm::StringRef target) {
  for (const Chip& chip : chips)
    if (target.starts_with(chip.prefix)) return &chip;
  return nullptr;
}

} // namespace gluond::lints
