// Loads from shared memory by which the lanes of a warp transpose a matrix
// (layout/access/TransposedAccess.h says when they fit).
#include "layout/access/TransposedAccess.h"
#include "lowering/Elementwise.h"
#include "lowering/amd/AmdTarget.h"
#include "lowering/amd/Instructions.h"
#include "lowering/memory/SharedAccess.h"

#include <llvm/IR/IntrinsicsAMDGPU.h>

namespace gluond::lowering::amd {

namespace {

namespace In = llvm::Intrinsic;

struct Instruction {
  Generation generation;
  unsigned intrinsic;
  layout::TransposedLoad load;
};

constexpr unsigned lane = layout::TransposedLoad::lane;
constexpr Instruction instructions[] = {
    {Generation::Cdna4, In::amdgcn_ds_read_tr16_b64, {16, 2, 2, {lane + 2, lane + 3, 0, 1}}},
    {Generation::Cdna4, In::amdgcn_ds_read_tr8_b64, {8, 3, 3, {lane + 3, 0, 1, 2}}},
    {Generation::Cdna5, In::amdgcn_ds_load_tr16_b128, {16, 3, 3, {0, 1, 2, lane + 3}}},
    {Generation::Cdna5, In::amdgcn_ds_load_tr8_b64, {8, 3, 3, {0, 1, lane + 3, 2}}},
};

// Lanes read what others wrote. Where every lane reads what it wrote itself, no barrier stands
// between, and the compiler must be told.
void meetUnlessMet(Emitter& e) {
  for (llvm::Instruction& last : llvm::reverse(*e.b.GetInsertBlock())) {
    if (llvm::isa<llvm::FenceInst>(last)) return;
    if (last.mayWriteToMemory()) break;
  }
  e.warpBarrier();
}

} // namespace

bool AmdTarget::loadMatrices(Emitter& e, const SharedPlace& place, llvm::Type* element,
                             llvm::MutableArrayRef<llvm::Value*> values,
                             OnlyOffsets onlyOffsets) const {
  const auto* found = llvm::find_if(instructions, [&](const Instruction& each) {
    return each.generation == generationOf(chip_) && each.load.elementBits == place.elementBits;
  });
  if (found == std::end(instructions) || place.blocks || place.otherBlock) return false;
  auto access = layout::transposedAccess(place.offsets, found->load, place.paddings());
  if (!access || !beginsWithRun(place, 1u << found->load.runBits)) return false;
  // All runs of an instruction are wanted, or none.
  if (onlyOffsets && access->rows.outputMask({Dim::Lane}, Dim::Offset) & onlyOffsets->first)
    return false;
  meetUnlessMet(e);
  unsigned count = 1u << found->load.resultBits, bits = count * place.elementBits;
  llvm::Type* vector = place.elementBits == 16
                           ? llvm::FixedVectorType::get(e.b.getInt16Ty(), count)
                           : llvm::FixedVectorType::get(e.b.getInt32Ty(), bits / 32);
  llvm::Type* wordVector = llvm::FixedVectorType::get(e.b.getInt32Ty(), bits / 32);
  forEachRow(
      e, place, *access,
      [&](llvm::Value* address, unsigned instruction) {
        llvm::CallInst* whole = e.intrinsic(found->intrinsic, {vector}, {address});
        RegisterList words = elementsOf(e, e.b.CreateBitCast(whole, wordVector));
        for (auto [position, value] : llvm::enumerate(unpack(e, words, element, count)))
          values[access->registerOf(instruction, 0, position)] = value;
      },
      onlyOffsets);
  return true;
}

} // namespace gluond::lowering::amd
