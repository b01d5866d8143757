// Accesses to shared memory by ldmatrix and stmatrix, where layouts and chip have them: four
// matrices in one instruction instead of a word a lane in each (layout/access/MatrixAccess.h says
// when they fit).
#include "layout/access/SharedAccess.h"
#include "lowering/Elementwise.h"
#include "lowering/memory/SharedAccess.h"
#include "lowering/nvidia/Instructions.h"
#include "lowering/nvidia/NvidiaTarget.h"

#include <llvm/IR/IntrinsicsNVPTX.h>

namespace gluond::lowering::nvidia {

namespace {

constexpr unsigned rowBits = 128, wordBits = 32;

// The instructions by the logarithm of the number of their matrices.
constexpr unsigned loads[] = {llvm::Intrinsic::nvvm_ldmatrix_sync_aligned_m8n8_x1_b16,
                              llvm::Intrinsic::nvvm_ldmatrix_sync_aligned_m8n8_x2_b16,
                              llvm::Intrinsic::nvvm_ldmatrix_sync_aligned_m8n8_x4_b16};
constexpr unsigned transposedLoads[] = {
    llvm::Intrinsic::nvvm_ldmatrix_sync_aligned_m8n8_x1_trans_b16,
    llvm::Intrinsic::nvvm_ldmatrix_sync_aligned_m8n8_x2_trans_b16,
    llvm::Intrinsic::nvvm_ldmatrix_sync_aligned_m8n8_x4_trans_b16};
constexpr unsigned stores[] = {llvm::Intrinsic::nvvm_stmatrix_sync_aligned_m8n8_x1_b16,
                               llvm::Intrinsic::nvvm_stmatrix_sync_aligned_m8n8_x2_b16,
                               llvm::Intrinsic::nvvm_stmatrix_sync_aligned_m8n8_x4_b16};
constexpr unsigned transposedStores[] = {
    llvm::Intrinsic::nvvm_stmatrix_sync_aligned_m8n8_x1_trans_b16,
    llvm::Intrinsic::nvvm_stmatrix_sync_aligned_m8n8_x2_trans_b16,
    llvm::Intrinsic::nvvm_stmatrix_sync_aligned_m8n8_x4_trans_b16};

std::optional<layout::MatrixAccess> accessOf(FunctionEmitter& e, const SharedPlace& place,
                                             OnlyOffsets onlyOffsets, bool isStore) {
  if (!has(e, isStore ? chips::Feature::StoreMatrix : chips::Feature::LoadMatrix))
    return std::nullopt;
  if (place.blocks || place.otherBlock) return std::nullopt;
  auto access = layout::matrixAccess(place.offsets, place.elementBits, place.paddings());
  if (!access || !beginsWithRun(place, rowBits / place.elementBits)) return std::nullopt;
  // All rows of an instruction are wanted, or none.
  if (onlyOffsets && access->rows.outputMask({Dim::Lane}, Dim::Offset) & onlyOffsets->first)
    return std::nullopt;
  return access;
}

// A lane moves elements of others, so the lanes of a warp must meet between these accesses and
// others to the same elements, even where each thread reads just what it wrote and Synchronization
// therefore asks for no barrier.
void meetUnlessMet(FunctionEmitter& e) {
  llvm::BasicBlock* block = e.b.GetInsertBlock();
  for (llvm::Instruction& last : llvm::reverse(*block)) {
    auto* call = llvm::dyn_cast<llvm::CallInst>(&last);
    if (call && isBarrier(*call)) return;
    bool isShuffle = call && call->onlyAccessesInaccessibleMemory();
    if (last.mayWriteToMemory() && !isShuffle) break;
  }
  e.warpBarrier();
}

llvm::SmallVector<unsigned, 4> registersOf(const layout::MatrixAccess& access, unsigned instruction,
                                           unsigned matrix, unsigned perWord) {
  llvm::SmallVector<unsigned, 4> numbers;
  for (unsigned position = 0; position < perWord; ++position)
    numbers.push_back(access.registerOf(instruction, matrix, position));
  return numbers;
}

} // namespace

bool NvidiaTarget::loadMatrices(FunctionEmitter& e, const SharedPlace& place, llvm::Type* element,
                                llvm::MutableArrayRef<llvm::Value*> values,
                                OnlyOffsets onlyOffsets) const {
  auto access = accessOf(e, place, onlyOffsets, false);
  if (!access) return false;
  unsigned perWord = wordBits / place.elementBits, matrices = 1u << access->matrixBits;
  const unsigned* ids = access->isTransposed ? transposedLoads : loads;
  meetUnlessMet(e);
  forEachRow(
      e, place, *access,
      [&](llvm::Value* address, unsigned instruction) {
        llvm::CallInst* whole =
            e.intrinsic(ids[access->matrixBits], {address->getType()}, {address});
        whole->addFnAttr(llvm::Attribute::Convergent); // of all lanes together
        for (unsigned matrix = 0; matrix < matrices; ++matrix) {
          llvm::Value* word = e.b.CreateExtractValue(whole, matrix);
          RegisterList parts = unpack(e, Registers(word), element, perWord);
          for (auto [number, part] :
               llvm::zip(registersOf(*access, instruction, matrix, perWord), parts))
            values[number] = part;
        }
      },
      onlyOffsets);
  return true;
}

bool NvidiaTarget::storeMatrices(FunctionEmitter& e, const SharedPlace& place, Registers values,
                                 OnlyOffsets onlyOffsets) const {
  auto access = accessOf(e, place, onlyOffsets, true);
  if (!access) return false;
  unsigned perWord = wordBits / place.elementBits, matrices = 1u << access->matrixBits;
  const unsigned* ids = access->isTransposed ? transposedStores : stores;
  forEachRow(
      e, place, *access,
      [&](llvm::Value* address, unsigned instruction) {
        RegisterList operands{address};
        for (unsigned matrix = 0; matrix < matrices; ++matrix) {
          RegisterList chosen;
          for (unsigned number : registersOf(*access, instruction, matrix, perWord))
            chosen.push_back(values[number]);
          operands.push_back(pack(e, chosen).front());
        }
        e.intrinsic(ids[access->matrixBits], {address->getType()}, operands)
            ->addFnAttr(llvm::Attribute::Convergent);
      },
      onlyOffsets);
  e.warpBarrier();
  return true;
}

} // namespace gluond::lowering::nvidia
