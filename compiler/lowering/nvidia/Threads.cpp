// The thread's place, its registers, and what the lanes of a warp tell each other.
#include "chips/BlackwellFeatures.h"
#include "lowering/nvidia/Instructions.h"
#include "lowering/nvidia/NvidiaTarget.h"

#include <llvm/IR/IntrinsicsNVPTX.h>

namespace gluond::lowering::nvidia {

namespace {
namespace In = llvm::Intrinsic;
constexpr int allLanes = -1, lastLane = 31;
} // namespace

llvm::Value* NvidiaTarget::threadOfCta(FunctionEmitter& e) const {
  return e.intrinsic(In::nvvm_read_ptx_sreg_tid_x, {}, {});
}

llvm::Value* NvidiaTarget::blockOfCluster(FunctionEmitter& e) const {
  return e.intrinsic(In::nvvm_read_ptx_sreg_cluster_ctarank, {}, {});
}

llvm::Value* NvidiaTarget::warpOfCta(FunctionEmitter& e, llvm::Value* thread) const {
  return uniform(e, e.b.CreateLShr(thread, e.i32(llvm::Log2_32(e.state().threadsPerWarp))));
}

llvm::Value* NvidiaTarget::uniform(FunctionEmitter& e, llvm::Value* value) const {
  return shuffle(e, value, e.i32(0));
}

llvm::Value* NvidiaTarget::gridNumber(FunctionEmitter& e, GridNumber number, unsigned axis) const {
  static constexpr In::ID ctaIds[] = {In::nvvm_read_ptx_sreg_ctaid_x,
                                      In::nvvm_read_ptx_sreg_ctaid_y,
                                      In::nvvm_read_ptx_sreg_ctaid_z};
  static constexpr In::ID clusterIds[] = {In::nvvm_read_ptx_sreg_clusterid_x,
                                          In::nvvm_read_ptx_sreg_clusterid_y,
                                          In::nvvm_read_ptx_sreg_clusterid_z};
  static constexpr In::ID ctaCounts[] = {In::nvvm_read_ptx_sreg_nctaid_x,
                                         In::nvvm_read_ptx_sreg_nctaid_y,
                                         In::nvvm_read_ptx_sreg_nctaid_z};
  static constexpr In::ID clusterCounts[] = {In::nvvm_read_ptx_sreg_nclusterid_x,
                                             In::nvvm_read_ptx_sreg_nclusterid_y,
                                             In::nvvm_read_ptx_sreg_nclusterid_z};
  bool hasClusters = e.state().ctas > 1;
  auto read = [&](llvm::StringRef name) {
    std::string text = ("mov.u32 $0, %" + name + "." + llvm::Twine("xyz"[axis]) + ";").str();
    return e.assembly(e.b.getInt32Ty(), text, "=r", {}, false);
  };
  switch (number) {
  case GridNumber::Program:
    return e.intrinsic((hasClusters ? clusterIds : ctaIds)[axis], {}, {});
  case GridNumber::Programs:
    return e.intrinsic((hasClusters ? clusterCounts : ctaCounts)[axis], {}, {});
  case GridNumber::Cta:
    return read("ctaid");
  case GridNumber::Ctas:
    return read("nctaid");
  }
  return nullptr;
}

llvm::Value* NvidiaTarget::nanoseconds(FunctionEmitter& e) const {
  return e.assembly(e.b.getInt64Ty(), "mov.u64 $0, %globaltimer;", "=l", {});
}

// setmaxnreg wants to know whether more or less than now.
void NvidiaTarget::setRegisters(FunctionEmitter& e, unsigned registers, unsigned now) const {
  e.assembly((llvm::Twine("setmaxnreg.") + (registers > now ? "inc" : "dec") +
              ".sync.aligned.u32 " + llvm::Twine(registers) + ";")
                 .str(),
             "", {});
}

llvm::Value* NvidiaTarget::shuffle(FunctionEmitter& e, llvm::Value* word, llvm::Value* lane) const {
  return e.intrinsic(In::nvvm_shfl_sync_idx_i32, {},
                     {e.i32(allLanes), word, lane, e.i32(lastLane)});
}

llvm::Value* NvidiaTarget::shuffleXor(FunctionEmitter& e, llvm::Value* word, unsigned bits) const {
  return e.intrinsic(In::nvvm_shfl_sync_bfly_i32, {},
                     {e.i32(allLanes), word, e.i32(bits), e.i32(lastLane)});
}

// Lanes without another one so far before (or after) them get their own word.
llvm::Value* NvidiaTarget::shuffleBefore(FunctionEmitter& e, llvm::Value* word,
                                         int distance) const {
  bool isBefore = distance > 0;
  return e.intrinsic(
      isBefore ? In::nvvm_shfl_sync_up_i32 : In::nvvm_shfl_sync_down_i32, {},
      {e.i32(allLanes), word, e.i32(std::abs(distance)), e.i32(isBefore ? 0 : lastLane)});
}

namespace {

// The instructions that combine the 32-bit integers of all lanes. Numbers of 64 bits are combined
// by halves: the larger ones are among those whose upper halves are the largest.
struct WarpReduction {
  llvm::StringLiteral combiner;
  unsigned instruction;
  bool isSigned = false;
  // The instruction for the lower halves where the upper ones decide, and the number that it never
  // chooses.
  unsigned ofLower = 0;
  int never = 0;
  bool isBitwise = false;
};
constexpr WarpReduction warpReductions[] = {
    {.combiner = "arith.addi", .instruction = In::nvvm_redux_sync_add},
    {"arith.minsi", In::nvvm_redux_sync_min, true, In::nvvm_redux_sync_umin, -1},
    {"arith.maxsi", In::nvvm_redux_sync_max, true, In::nvvm_redux_sync_umax, 0},
    {"arith.minui", In::nvvm_redux_sync_umin, false, In::nvvm_redux_sync_umin, -1},
    {"arith.maxui", In::nvvm_redux_sync_umax, false, In::nvvm_redux_sync_umax, 0},
    {.combiner = "arith.andi", .instruction = In::nvvm_redux_sync_and, .isBitwise = true},
    {.combiner = "arith.ori", .instruction = In::nvvm_redux_sync_or, .isBitwise = true},
    {.combiner = "arith.xori", .instruction = In::nvvm_redux_sync_xor, .isBitwise = true}};

llvm::Value* reduceIntegers(FunctionEmitter& e, const WarpReduction& row, llvm::Value* value) {
  auto combined = [&](unsigned instruction, llvm::Value* word) {
    return e.intrinsic(instruction, {}, {word, e.i32(allLanes)});
  };
  llvm::Type *type = value->getType(), *word = e.b.getInt32Ty();
  if (type->getIntegerBitWidth() <= 32) {
    llvm::Value* wide = row.isSigned ? e.b.CreateSExt(value, word) : e.b.CreateZExt(value, word);
    return e.b.CreateTrunc(combined(row.instruction, wide), type);
  }
  if (!type->isIntegerTy(64) || (!row.ofLower && !row.isBitwise)) return nullptr;
  llvm::Value *lower = e.b.CreateTrunc(value, word),
              *upper = e.b.CreateTrunc(e.b.CreateLShr(value, 32), word);
  llvm::Value* upperResult = combined(row.instruction, upper);
  if (row.ofLower)
    lower = e.b.CreateSelect(e.b.CreateICmpEQ(upper, upperResult), lower, e.i32(row.never));
  llvm::Value* lowerResult = combined(row.ofLower ? row.ofLower : row.instruction, lower);
  return e.b.CreateOr(e.b.CreateShl(e.b.CreateZExt(upperResult, type), 32),
                      e.b.CreateZExt(lowerResult, type));
}

} // namespace

llvm::Value* NvidiaTarget::reduceWarp(FunctionEmitter& e, llvm::StringRef combiner,
                                      llvm::Value* value) const {
  static const llvm::StringMap<unsigned> ofFloats = {
      {"arith.minnumf", In::nvvm_redux_sync_fmin},
      {"arith.maxnumf", In::nvvm_redux_sync_fmax},
      {"arith.minimumf", In::nvvm_redux_sync_fmin_NaN},
      {"arith.maximumf", In::nvvm_redux_sync_fmax_NaN}};
  if (llvm::Type* type = value->getType();
      type->isFloatTy() || type->isHalfTy() || type->isBFloatTy()) {
    unsigned instruction =
        chips::blackwellPartsOf(chip()).floatRedux ? ofFloats.lookup(combiner) : 0;
    if (!instruction) return nullptr;
    llvm::Value* wide = e.b.CreateFPExt(value, e.b.getFloatTy());
    return e.b.CreateFPTrunc(e.intrinsic(instruction, {}, {wide, e.i32(allLanes)}), type);
  }
  if (!has(chips::Feature::WarpReduce) || !value->getType()->isIntegerTy()) return nullptr;
  const auto* row = llvm::find_if(
      warpReductions, [&](const WarpReduction& each) { return each.combiner == combiner; });
  return row == std::end(warpReductions) ? nullptr : reduceIntegers(e, *row, value);
}

unsigned NvidiaTarget::combinedAtOnce(llvm::StringRef combiner, llvm::Type* type) const {
  bool isArithmetic = combiner == "arith.addf" || combiner == "arith.mulf";
  bool isExtreme = combiner == "arith.maxnumf" || combiner == "arith.minnumf" ||
                   combiner == "arith.maximumf" || combiner == "arith.minimumf";
  if (type->isFloatTy()) return isArithmetic && has(packedFloats) ? 2 : 1;
  return type->is16bitFPTy() && (isArithmetic || isExtreme) && has(packedHalves) ? 2 : 1;
}

} // namespace gluond::lowering::nvidia
