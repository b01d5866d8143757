// How many warps a chip's registers are enough for.
#include "chips/Occupancy.h"

#include <gtest/gtest.h>
#include <vector>

namespace gluond::chips {
namespace {

// What LLVM prints as occupancy for kernels of so many vector registers, up to the number at which
// one warp less fits (llc 22.1.8, `; Occupancy:` of an empty kernel that clobbers v[n - 1]).
struct Step {
  int64_t registers, warps;
};
const std::vector<Step> cdna = {{64, 8},  {72, 7},  {80, 6},  {96, 5},
                                {128, 4}, {168, 3}, {256, 2}, {512, 1}},
                        gcn = {{24, 10}, {28, 9}, {32, 8}, {36, 7},  {40, 6},
                               {48, 5},  {64, 4}, {84, 3}, {128, 2}, {256, 1}},
                        smallRdna = {{64, 16}, {80, 12}, {96, 10}, {112, 9}, {128, 8},
                                     {144, 7}, {160, 6}, {192, 5}, {256, 4}},
                        largeRdna = {{96, 16}, {120, 12}, {144, 10}, {168, 9},
                                     {192, 8}, {216, 7},  {240, 6},  {256, 5}};

void expectSteps(llvm::StringRef target, std::vector<Step> steps) {
  const Chip* chip = findChip(target);
  ASSERT_TRUE(chip && chip->limits);
  int64_t registers = 1;
  for (Step step : steps)
    for (; registers <= step.registers; ++registers)
      EXPECT_EQ(warpsOfPart(*chip, registers), step.warps)
          << target.str() << ", " << registers << " registers";
  EXPECT_EQ(registers, chip->limits->registersPerThread + 1) << target.str();
}

TEST(Occupancy, IsWhatLlvmPrints) {
  for (const char* target : {"hip:gfx90a", "hip:gfx942", "hip:gfx942-strict", "hip:gfx950"})
    expectSteps(target, cdna);
  expectSteps("hip:gfx906", gcn);
  for (const char* target : {"hip:gfx1102", "hip:gfx1150"})
    expectSteps(target, smallRdna);
  for (const char* target :
       {"hip:gfx1100", "hip:gfx1101", "hip:gfx1151", "hip:gfx1200", "hip:gfx1201"})
    expectSteps(target, largeRdna);
  std::vector<Step> gfx1250 = smallRdna;
  gfx1250.insert(gfx1250.end(), {{336, 3}, {512, 2}, {1024, 1}});
  expectSteps("hip:gfx1250", gfx1250);
}

// CUDA's occupancy calculator, and units whole.
TEST(Occupancy, OfAUnit) {
  struct Known {
    llvm::StringLiteral target;
    int64_t registers, warps;
  };
  constexpr Known known[] = {
      {"cuda:90", 32, 64},    {"cuda:90", 88, 20},      {"cuda:90", 168, 12},
      {"cuda:90", 255, 8},    {"cuda:86", 40, 48},      {"hip:gfx942", 512, 4},
      {"hip:gfx950", 64, 32}, {"hip:gfx1201", 256, 20}, {"hip:gfx1250", 256, 16},
  };
  for (const Known& each : known)
    EXPECT_EQ(warpsOfUnit(*findChip(each.target), each.registers), each.warps)
        << each.target.str() << ", " << each.registers << " registers";
}

// A program of as many warps with that many registers fits, and with a step more it does not.
TEST(Occupancy, RegistersOfAProgramAreAllThatFit) {
  for (const Chip& chip : allChips()) {
    if (!chip.limits) continue;
    for (unsigned warps = 1; warps <= mostThreadsPerProgram / chip.warpSize; warps *= 2) {
      int64_t registers = registersOfProgram(chip, warps);
      EXPECT_GE(warpsOfUnit(chip, registers), warps) << chip.target.str();
      int64_t more = registers + chip.limits->registerStep;
      if (more > chip.limits->registersPerThread) continue;
      EXPECT_LT(warpsOfUnit(chip, more), std::max(partsOfUnit, warps))
          << chip.target.str() << ", " << warps << " warps";
    }
  }
}

} // namespace
} // namespace gluond::chips
