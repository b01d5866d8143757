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
  llvm::StringLiteral name;
  unsigned intrinsic;
};
constexpr Instruction instructions[] = {
    {"ds_read_b64_tr_b16", In::amdgcn_ds_read_tr16_b64},
    {"ds_read_b64_tr_b8", In::amdgcn_ds_read_tr8_b64},
    {"ds_load_tr16_b128", In::amdgcn_ds_load_tr16_b128},
    {"ds_load_tr8_b64", In::amdgcn_ds_load_tr8_b64},
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
  const layout::TransposedLoad* load = layout::transposedLoadOf(chip_, place.elementBits);
  if (!load || place.blocks || place.otherBlock) return false;
  auto access = layout::transposedAccess(place.offsets, *load, place.paddings());
  if (!access || !beginsWithRun(place, 1u << load->runBits)) return false;
  const auto* instruction =
      llvm::find_if(instructions, [&](const Instruction& each) { return each.name == load->name; });
  assert(instruction != std::end(instructions));
  // All runs of an instruction are wanted, or none.
  if (onlyOffsets && access->rows.outputMask({Dim::Lane}, Dim::Offset) & onlyOffsets->first)
    return false;
  meetUnlessMet(e);
  unsigned count = 1u << load->resultBits, bits = count * place.elementBits;
  llvm::Type* vector = place.elementBits == 16
                           ? llvm::FixedVectorType::get(e.b.getInt16Ty(), count)
                           : llvm::FixedVectorType::get(e.b.getInt32Ty(), bits / 32);
  llvm::Type* wordVector = llvm::FixedVectorType::get(e.b.getInt32Ty(), bits / 32);
  forEachRow(
      e, place, *access,
      [&](llvm::Value* address, unsigned number) {
        llvm::CallInst* whole = e.intrinsic(instruction->intrinsic, {vector}, {address});
        RegisterList words = elementsOf(e, e.b.CreateBitCast(whole, wordVector));
        for (auto [position, value] : llvm::enumerate(unpack(e, words, element, count)))
          values[access->registerOf(number, 0, position)] = value;
      },
      onlyOffsets);
  return true;
}

} // namespace gluond::lowering::amd
