#include "target/nvidia/Chips.h"

namespace gluond::target::nvidia {

namespace {
constexpr unsigned kib = 1024;
// CUDA C++ Programming Guide, "Technical specifications per compute capability".
constexpr Chip table[] = {
    {75, "sm_75", 64 * kib, 64 * kib, 64 * kib, 1024, 16, 0},
    {80, "sm_80", 163 * kib, 164 * kib, 64 * kib, 2048, 32, 0},
    {86, "sm_86", 99 * kib, 100 * kib, 64 * kib, 1536, 16, 0},
    {89, "sm_89", 99 * kib, 100 * kib, 64 * kib, 1536, 24, 0},
    {90, "sm_90a", 227 * kib, 228 * kib, 64 * kib, 2048, 32, 0},
    {100, "sm_100a", 227 * kib, 228 * kib, 64 * kib, 2048, 32, 512},
    {103, "sm_103a", 227 * kib, 228 * kib, 64 * kib, 2048, 32, 512},
    {120, "sm_120a", 99 * kib, 100 * kib, 64 * kib, 1536, 24, 0},
};
} // namespace

llvm::ArrayRef<Chip> chips() {
  return table;
}

const Chip* findChip(unsigned capability) {
  for (const Chip& chip : table)
    if (chip.capability == capability) return &chip;
  return nullptr;
}

} // namespace gluond::target::nvidia
