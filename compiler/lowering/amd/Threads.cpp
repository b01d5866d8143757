// The thread's place, and what the lanes of a warp tell each other.
#include "lowering/amd/AmdTarget.h"
#include "lowering/amd/Instructions.h"

#include <llvm/IR/ConstantRange.h>
#include <llvm/IR/IntrinsicsAMDGPU.h>

namespace gluond::lowering::amd {

namespace {

namespace In = llvm::Intrinsic;

// Data-parallel primitives: operands of vector instructions that come from other lanes of a row of
// 16. The numbers are LLVM's for the control word.
namespace dpp {
constexpr unsigned rowMirror = 0x140, rowHalfMirror = 0x141, rowRotate8 = 0x128, rowXor = 0x160,
                   rowShift = 0x110;
// To all lanes of the next row, or of the upper half, from the last lane before it (CDNA).
constexpr unsigned lastToNextRow = 0x142, lastToUpperHalf = 0x143;
constexpr unsigned quad(unsigned bits) { // lane i of four takes lane i ^ bits
  return (0 ^ bits) | (1 ^ bits) << 2 | (2 ^ bits) << 4 | (3 ^ bits) << 6;
}
} // namespace dpp

llvm::Value* moved(FunctionEmitter& e, llvm::Value* word, unsigned control) {
  constexpr int64_t allRows = 0xf, allBanks = 0xf;
  return e.intrinsic(In::amdgcn_update_dpp, {word->getType()},
                     {llvm::PoisonValue::get(word->getType()), word, e.i32(control), e.i32(allRows),
                      e.i32(allBanks), e.i1(true)});
}

// Lane bits below 4, by one or two moves within a row.
llvm::Value* xorWithinRow(FunctionEmitter& e, llvm::Value* word, unsigned bits) {
  if (bits < 4) return moved(e, word, dpp::quad(bits));
  if (!isCdna(generationOf(e))) return moved(e, word, dpp::rowXor + bits);
  switch (bits) {
  case 7:
    return moved(e, word, dpp::rowHalfMirror);
  case 8:
    return moved(e, word, dpp::rowRotate8);
  case 15:
    return moved(e, word, dpp::rowMirror);
  default: // 4 to 6, 9 to 14: what one of these leaves
    unsigned first = bits < 8 ? 7 : (bits ^ 8) < 4 ? 8 : 15;
    return xorWithinRow(e, xorWithinRow(e, word, first), bits ^ first);
  }
}

llvm::Value* below(uint64_t end, llvm::Value* number) {
  llvm::cast<llvm::CallInst>(number)->addRangeRetAttr(
      llvm::ConstantRange(llvm::APInt(32, 0), llvm::APInt(32, end)));
  return number;
}

} // namespace

llvm::Value* AmdTarget::threadOfCta(FunctionEmitter& e) const {
  return below(uint64_t{e.state().warps} * e.state().threadsPerWarp,
               e.intrinsic(In::amdgcn_workitem_id_x, {}, {}));
}

// From gfx12 on, a scalar register has it when a kernel begins.
llvm::Value* AmdTarget::warpOfCta(FunctionEmitter& e, llvm::Value* thread) const {
  const uint64_t warps = e.state().warps, lanes = e.state().threadsPerWarp;
  if (warps == 1) return e.i32(0);
  Generation generation = generationOf(e);
  if (generation == Generation::Rdna4 || generation == Generation::Cdna5)
    return below(warps, e.intrinsic(In::amdgcn_wave_id, {}, {}));
  return e.b.CreateLShr(below(warps * lanes, uniform(e, thread)), e.i32(llvm::Log2_64(lanes)));
}

llvm::Value* AmdTarget::blockOfCluster(FunctionEmitter& e) const {
  return e.intrinsic(In::amdgcn_cluster_workgroup_id_x, {}, {});
}

llvm::Value* AmdTarget::uniform(FunctionEmitter& e, llvm::Value* value) const {
  return e.intrinsic(In::amdgcn_readfirstlane, {value->getType()}, {value});
}

llvm::Value* AmdTarget::gridNumber(FunctionEmitter& e, GridNumber number, unsigned axis) const {
  static constexpr In::ID ctaIds[] = {In::amdgcn_workgroup_id_x, In::amdgcn_workgroup_id_y,
                                      In::amdgcn_workgroup_id_z};
  static constexpr In::ID clusterIds[] = {In::amdgcn_cluster_id_x, In::amdgcn_cluster_id_y,
                                          In::amdgcn_cluster_id_z};
  bool hasClusters = e.state().ctas > 1;
  // Code object v5 begins the implicit arguments with the numbers of CTAs in x, y and z.
  auto ctas = [&] {
    llvm::Value* implicit = e.intrinsic(In::amdgcn_implicitarg_ptr, {}, {});
    llvm::LoadInst* count = e.b.CreateAlignedLoad(
        e.b.getInt32Ty(), e.b.CreateConstInBoundsGEP1_32(e.b.getInt32Ty(), implicit, axis),
        llvm::Align(4));
    count->setMetadata(llvm::LLVMContext::MD_invariant_load,
                       llvm::MDNode::get(e.state().context, {}));
    return count;
  };
  switch (number) {
  case GridNumber::Program:
    return e.intrinsic((hasClusters ? clusterIds : ctaIds)[axis], {}, {});
  case GridNumber::Programs: {
    llvm::Value* all = ctas();
    return hasClusters && axis == 0 ? e.b.CreateUDiv(all, e.i32(e.state().ctas)) : all;
  }
  case GridNumber::Cta:
    return e.intrinsic(ctaIds[axis], {}, {});
  case GridNumber::Ctas:
    return ctas();
  }
  return nullptr;
}

// The constant clock counts at 100 MHz on all of these chips.
llvm::Value* AmdTarget::nanoseconds(FunctionEmitter& e) const {
  constexpr int64_t nanosecondsPerTick = 10;
  llvm::Value* ticks = e.intrinsic(In::readsteadycounter, {}, {});
  return e.b.CreateMul(ticks, e.i64(nanosecondsPerTick));
}

llvm::Value* AmdTarget::shuffle(FunctionEmitter& e, llvm::Value* word, llvm::Value* lane) const {
  return e.intrinsic(In::amdgcn_ds_bpermute, {}, {e.b.CreateShl(lane, e.i32(2)), word});
}

llvm::Value* AmdTarget::shuffleXor(FunctionEmitter& e, llvm::Value* word, unsigned bits) const {
  constexpr unsigned rowLanes = 16;
  Generation generation = generationOf(chip_);
  if (bits < rowLanes) return xorWithinRow(e, word, bits);
  if (!isCdna(generation)) {
    // The lanes of the other row, in their order.
    word = e.intrinsic(In::amdgcn_permlanex16, {word->getType()},
                       {word, word, e.i32(0x76543210), e.i32(0xfedcba98), e.i1(true), e.i1(true)});
    return bits == rowLanes ? word : xorWithinRow(e, word, bits ^ rowLanes);
  }
  if (generation == Generation::Cdna4 && (bits == 16 || bits == 32)) {
    // The upper half of one operand and the lower half of the other change places.
    llvm::Value* both =
        e.intrinsic(bits == 16 ? In::amdgcn_permlane16_swap : In::amdgcn_permlane32_swap, {},
                    {word, word, e.i1(false), e.i1(false)});
    llvm::Value* isUpper = e.b.CreateICmpNE(e.b.CreateAnd(e.lane(), e.i32(bits)), e.i32(0));
    return e.b.CreateSelect(isUpper, e.b.CreateExtractValue(both, 0),
                            e.b.CreateExtractValue(both, 1));
  }
  if (bits < 32) { // within halves of 32: and, or and xor masks of the lane's number
    constexpr unsigned keepAll = 0x1f, xorShift = 10;
    return e.intrinsic(In::amdgcn_ds_swizzle, {}, {word, e.i32(bits << xorShift | keepAll)});
  }
  return shuffle(e, word, e.b.CreateXor(e.lane(), e.i32(bits)));
}

// Lanes of a row first, then rows: this is Triton's order where one op combines all lanes, so that
// floats round alike.
unsigned AmdTarget::movesToLastLane(FunctionEmitter& e) const {
  return llvm::Log2_64(e.state().threadsPerWarp);
}

llvm::Value* AmdTarget::movedToLastLane(FunctionEmitter& e, llvm::Value* word,
                                        unsigned move) const {
  constexpr unsigned bitsOfRow = 4;
  if (move < bitsOfRow) return moved(e, word, dpp::rowShift + ((1u << (bitsOfRow - 1)) >> move));
  if (isCdna(generationOf(chip_)))
    return moved(e, word, move == bitsOfRow ? dpp::lastToNextRow : dpp::lastToUpperHalf);
  // The last lane of the other row, for all lanes.
  return e.intrinsic(In::amdgcn_permlanex16, {word->getType()},
                     {word, word, e.i32(-1), e.i32(-1), e.i1(true), e.i1(false)});
}

llvm::Value* AmdTarget::wordOfLastLane(FunctionEmitter& e, llvm::Value* word) const {
  return e.intrinsic(In::amdgcn_readlane, {word->getType()},
                     {word, e.i32(e.state().threadsPerWarp - 1)});
}

// As Triton combines them: sums of floats round by the order.
unsigned AmdTarget::combinedAtOnce(llvm::StringRef combiner, llvm::Type* type) const {
  bool isArithmetic = combiner == "arith.addf" || combiner == "arith.mulf";
  Generation generation = generationOf(chip_);
  bool hasPairsOfFloats =
      (isCdna(generation) && generation >= Generation::Cdna2) || generation == Generation::Cdna5;
  bool inPairs = type->is16bitFPTy() || (type->isFloatTy() && hasPairsOfFloats);
  return isArithmetic && inPairs ? 2 : 1;
}

} // namespace gluond::lowering::amd
