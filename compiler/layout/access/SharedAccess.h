// The cost of a load or store between registers and shared memory: its width and bank
// conflicts.
//
// Shared memory has 32 (for some accesses of AMD chips 64) banks of 32 bits. A warp's instruction
// is executed in wavefronts; one wavefront reads one word from each bank. Lanes that access the
// same word share it; accesses to different words of one bank are serialized. Accesses wider than
// 32 bits are split into phases of fewer lanes, so that a phase moves at most one word per bank.
#pragma once

#include "chips/Chip.h"
#include "layout/access/MatrixAccess.h"
#include "layout/access/MemoryCheck.h"

namespace gluond::layout {

// The properties of a chip's shared memory.
struct BankModel {
  chips::Banks banks = {};
  bool hasLoadMatrix = false, hasStoreMatrix = false; // ldmatrix, stmatrix
  bool isNvidia = false;                              // whether instructions have PTX names
  const chips::Chip* chip = nullptr;                  // null if it is not known
  // Returns the number of banks that serve the accesses with the most banks.
  unsigned mostBanks() const {
    unsigned most = banks.count;
    for (const chips::LoadPhases& each : banks.loads)
      most = std::max(most, each.banks);
    return most;
  }
  bool hasMatrices(bool isStore) const { return isStore ? hasStoreMatrix : hasLoadMatrix; }
};
// Returns the model of a target such as "cuda:90" or "hip:gfx950"; 32 banks if it is not known.
BankModel banksOf(llvm::StringRef target);

// Returns the offsets of the elements that a warp's threads hold, in the buffer of a CTA: from
// register, lane and warp. Nullopt if the two layouts are not of the same tensor.
std::optional<LinearLayout> threadOffsets(const LinearLayout& registers,
                                          const LinearLayout& shared);

// The widest access: registers of one thread hold `elements` consecutive offsets. `registerBits`
// are the bits of the registers' numbers, those within the access first.
struct VectorAccess {
  int64_t elements;
  llvm::SmallVector<unsigned, 8> registerBits;
};
// `toOffsets` maps register, lane, warp, block to offset (and block). The access has at most 128
// bits, or `most` elements; with `most` the registers are taken in order. Padding may neither split
// an access nor misalign one.
VectorAccess widestSharedAccess(const LinearLayout& toOffsets, unsigned elementBits,
                                std::optional<int64_t> most = {}, const Padding& padding = {});

struct SharedAccessCost {
  int64_t elements = 1;  // of one lane in one instruction
  int64_t conflicts = 0; // extra wavefronts per phase: 0 is best, 7 is 8-way
};
// The result of gl.bank_conflicts (`conflicts`): the cost of the widest access between registers
// and a buffer without padding. Fails if the two are not for the same tensor.
OrError<SharedAccessCost> sharedAccessCost(const LinearLayout& registers,
                                           const LinearLayout& shared, unsigned elementBits,
                                           const BankModel& model = {}, bool isStore = false);

// The cost counted for one warp over every lane of every instruction that gluond's compiler
// generates for the access, including ldmatrix and stmatrix if the model has them. It handles
// padding, which is not linear.
struct SharedTraffic {
  int64_t elements = 1;     // of one lane in one instruction
  int64_t instructions = 0; // of the warp for its whole part of the tensor
  int64_t wavefronts = 0;
  int64_t least = 0; // wavefronts without conflicts
  // "ldmatrix.x4", "st.shared", "ds_read_b64_tr_b16"; empty for AMD's other instructions, of which
  // LLVM may make one of two.
  std::string instruction;
};
OrError<SharedTraffic> countSharedTraffic(const Layout& registers, const Layout& shared,
                                          const MemoryView& view, bool isStore, unsigned warp = 0,
                                          const BankModel& model = {});

// One instruction of one warp, lane by lane, for display. For ldmatrix and stmatrix the lanes are
// those that provide the address of a row: eight for each matrix.
struct SharedInstruction {
  int64_t bytes = 0;                           // the bytes at each address
  unsigned banks = 32;                         // the banks that serve it
  llvm::SmallVector<int64_t, 64> addresses;    // by lane: address of its first byte in the buffer
  llvm::SmallVector<unsigned, 64> phases;      // by lane: lanes of one phase are accessed together
  llvm::SmallVector<Coordinates, 64> elements; // by lane: its first element
};
OrError<SharedInstruction> sharedInstruction(const Layout& registers, const Layout& shared,
                                             const MemoryView& view, bool isStore, unsigned warp,
                                             int64_t instruction, const BankModel& model = {});

} // namespace gluond::layout
