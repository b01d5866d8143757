// What a load or store between registers and shared memory costs: how wide it is and how often its
// banks collide.
//
// Shared memory has 32 (some AMD chips: 64) banks of 32 bits. An instruction of a warp is served in
// wavefronts; one wavefront reads one word from each bank. Lanes that want the same word share it;
// lanes that want different words of one bank wait for each other. Accesses wider than 32 bits are
// split into phases of fewer lanes, so that a phase moves at most one word a bank.
#pragma once

#include "chips/Chip.h"
#include "layout/access/MatrixAccess.h"
#include "layout/access/MemoryCheck.h"

namespace gluond::layout {

// How a chip serves shared memory.
struct BankModel {
  chips::Banks banks = {};
  bool hasLoadMatrix = false, hasStoreMatrix = false; // ldmatrix, stmatrix
  bool isNvidia = false;                              // instructions have the names of PTX
  bool hasMatrices(bool isStore) const { return isStore ? hasStoreMatrix : hasLoadMatrix; }
};
// Of a target such as "cuda:90" or "hip:gfx950"; 32 banks where it is not known.
BankModel banksOf(llvm::StringRef target);

// The widest access: `elements` consecutive offsets are in one thread's registers, whose bits are
// `registerBits`, the access's own first.
struct VectorAccess {
  int64_t elements;
  llvm::SmallVector<unsigned, 8> registerBits;
};
// `toOffsets` maps register, lane, warp, block to offset (and block). At most 128 bits, or `most`
// elements; with `most` the registers are taken in order. Padding neither comes in the middle of an
// access nor leaves one misaligned.
VectorAccess widestSharedAccess(const LinearLayout& toOffsets, unsigned elementBits,
                                std::optional<int64_t> most = {}, const Padding& padding = {});

struct SharedAccessCost {
  int64_t elements = 1;  // of one lane in one instruction
  int64_t conflicts = 0; // wavefronts of a phase beyond the first: 0 is best, 7 is 8-way
};
// What gl.bank_conflicts tells (`conflicts`): the cost of the widest access between registers and a
// buffer without padding. Fails where the two do not have the same tensor.
OrError<SharedAccessCost> sharedAccessCost(const LinearLayout& registers,
                                           const LinearLayout& shared, unsigned elementBits,
                                           const BankModel& model = {});

// By counting, for one warp: every instruction that gluond's compiler makes of the access, ldmatrix
// and stmatrix among them where the model has them, every lane. Handles padding, where linear
// reasoning ends.
struct SharedTraffic {
  int64_t elements = 1;     // of one lane in one instruction
  int64_t instructions = 0; // of the warp for its whole part of the tensor
  int64_t wavefronts = 0;
  int64_t least = 0;       // wavefronts without any conflict
  std::string instruction; // "ldmatrix.x4", "st.shared"; of AMD's none
};
OrError<SharedTraffic> countSharedTraffic(const Layout& registers, const Layout& shared,
                                          Shape shape, unsigned elementBits, bool isStore,
                                          unsigned warp = 0, const BankModel& model = {});

// One instruction of one warp, lane by lane, as a picture shows it. Of ldmatrix and stmatrix the
// lanes are those that name the address of a row: eight for each matrix.
struct SharedInstruction {
  int64_t bytes = 0;                           // from each address
  llvm::SmallVector<int64_t, 64> addresses;    // by lane: its first byte in the buffer
  llvm::SmallVector<unsigned, 64> phases;      // by lane: lanes of one phase are served together
  llvm::SmallVector<Coordinates, 64> elements; // by lane: its first element
};
OrError<SharedInstruction> sharedInstruction(const Layout& registers, const Layout& shared,
                                             Shape shape, unsigned elementBits, bool isStore,
                                             unsigned warp, int64_t instruction,
                                             const BankModel& model = {});

} // namespace gluond::layout
