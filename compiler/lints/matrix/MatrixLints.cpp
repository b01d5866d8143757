#include "lints/matrix/MatrixLints.h"

#include "chips/MatrixInstructions.h"
#include "chips/Occupancy.h"
#include "ir/layouts/Layouts.h"
#include "ir/tt/ElementTypes.h"
#include "ir/ttg/ModuleTarget.h"
#include "ir/ttg/Ops.h"
#include "ir/ttng/Ops.h"
#include "layout/named/Properties.h"
#include "layout/named/Spelling.h"
#include "layout/tolinear/ToLinearLayout.h"
#include "lints/access/Access.h"
#include "lints/access/ViewedBuffer.h"
#include "passes/nvidia/TmaLimits.h"

namespace gluond::lints {
using namespace mlir;

namespace {

// The cost of one instruction of a warp group besides its arithmetic: it reads its operands from
// shared memory, `sharedBytes` per cycle, and needs half a cycle for each column. Narrow
// instructions read A again for every few columns.
constexpr int64_t sharedBytes = 128, narrowN = 64;

// Smaller products than this are no work for a matrix unit.
constexpr int64_t leastSide = 16;

class MatrixLints {
public:
  MatrixLints(ModuleOp module, Findings& findings)
      : findings_(findings), features_(ttg::featuresOf(module)),
        groupProduct_(chips::groupProductOf(features_)),
        chip_(chips::closestChip(ttg::targetOf(module))) {}

  void dot(tt::DotOp op) {
    auto type = cast<RankedTensorType>(op.getResult().getType());
    auto a = cast<RankedTensorType>(op.getA().getType());
    const layout::Layout& encoding = ir::toLayout(type.getEncoding());
    if (!encoding) return;
    if (auto* wmma = encoding.as<layout::AmdWmma>();
        wmma && chip_ &&
        chips::leavesKernelEmpty(chip_->wmmaVersion, wmma->version,
                                 tt::isFloat8(a.getElementType())))
      tellVersion(op, wmma->version);
    if (type.getRank() != 2) return;
    int64_t m = type.getDimSize(0), n = type.getDimSize(1), k = a.getDimSize(1);
    unsigned bits = tt::bitWidth(a.getElementType());
    if (encoding.as<layout::Blocked>()) {
      if (std::min({m, n, k}) < leastSide || bits > 32) return;
      std::string better = matrixCall(m, n);
      if (better.empty()) return;
      if (bits == 32) better += " (if the precision of tf32 is enough)";
      findings_(Id::SlowMma, op.getLoc(), "is computed without the matrix unit",
                better + " uses it");
    } else if (auto* mma = encoding.as<layout::NvidiaMma>(); mma && mma->versionMajor == 2) {
      const chips::GroupProduct* now = groupProduct_;
      int64_t warps = 1;
      for (int32_t count : mma->warpsPerCTA)
        warps *= count;
      if (!now || m < now->leastM || n < now->leastN || k * bits < 8 * now->kBytes || bits > 16 ||
          warps % chips::warpsOfGroup)
        return;
      findings_(Id::SlowMma, op.getLoc(), "uses Ampere's instruction",
                now->call.str() +
                    " uses the instruction of this target, with operands in shared memory");
    } else if (auto* mfma = encoding.as<layout::AmdMfma>(); mfma && mfma->instrShape.size() == 3) {
      auto operand = tt::mfmaOperandOf(a.getElementType());
      if (!operand) return;
      unsigned version =
          chips::bestMfmaVersion(chip_ ? chip_->mfmaVersion : 0, mfma->version, *operand);
      auto ks = chips::mfmaKs(
          version, *operand,
          {static_cast<unsigned>(mfma->instrShape[0]), static_cast<unsigned>(mfma->instrShape[1])});
      int64_t now = mfma->instrShape[2];
      if (llvm::is_contained(ks, now) && ks.back() > now && k >= ks.back())
        tellShape(op, *mfma, version, ks.back(), encoding);
    }
  }

  void tellVersion(tt::DotOp op, unsigned version) {
    std::string has = std::to_string(chip_->wmmaVersion);
    findings_(Id::SlowMma, op.getLoc(),
              "uses WMMA of version " + std::to_string(version) +
                  ", which this target does not have, so that Triton makes an empty kernel of it",
              "an AMDWMMALayout of version " + has + " uses the instruction of this target")
        .severity(Severity::Warning);
  }

  void tellShape(tt::DotOp op, const layout::AmdMfma& now, unsigned version, int64_t longestK,
                 const layout::Layout& encoding) {
    std::string side = std::to_string(now.instrShape[0]);
    std::string of = version == now.version ? "an instr_shape of ["
                                            : "an AMDMFMALayout of version " +
                                                  std::to_string(version) + " with instr_shape [";
    auto finding =
        findings_(Id::SlowMma, op.getLoc(),
                  "processes " + std::to_string(now.instrShape[2]) + " elements of K at a time",
                  of + side + ", " + side + ", " + std::to_string(longestK) +
                      "] processes more in the same time");
    layout::AmdMfma longer = now;
    longer.version = version;
    longer.instrShape[2] = static_cast<int32_t>(longestK);
    auto better = layout::Layout::make(longer);
    if (!better) return;
    finding.suggest(Suggestion::replaceLayout(op.getLoc(), encoding, *better));
  }

  // ---- Operands.

  void operand(Operation& product, Value memory, StringRef name) {
    auto type = dyn_cast<ttg::MemDescType>(memory.getType());
    if (!type || type.getRank() < 2) return;
    const layout::Layout& encoding = ir::toLayout(type.getEncoding());
    auto* nvmma = encoding ? encoding.as<layout::NvmmaShared>() : nullptr;
    if (!nvmma || nvmma->fp4Padded) return;
    // The rows in memory, of one CTA.
    auto shape = ttg::getShapePerCTA(type.getEncoding(), type.getShape());
    int64_t row = shape[shape.size() - (nvmma->transposed ? 2 : 1)] * nvmma->elementBitWidth / 8;
    constexpr int64_t widest = 128;
    int64_t swizzle = nvmma->swizzlingByteWidth;
    if (swizzle >= std::min(row, widest)) return;
    Operation* alloc = viewedBy(memory).getDefiningOp();
    auto finding = findings_(Id::NarrowSwizzle, alloc ? alloc->getLoc() : product.getLoc(), name,
                             layout::spelling(encoding), swizzle, row);
    finding.related(NoteId::AccessedHere, product.getLoc(), "read");
    layout::NvmmaShared wide = *nvmma;
    wide.swizzlingByteWidth = 32;
    while (wide.swizzlingByteWidth < widest && row % (int64_t{wide.swizzlingByteWidth} * 2) == 0)
      wide.swizzlingByteWidth *= 2;
    if (auto better = layout::Layout::make(wide)) {
      auto fix =
          Suggestion::replaceLayout(alloc ? alloc->getLoc() : product.getLoc(), encoding, *better);
      fix.onlyAlone = true;
      finding.suggest(std::move(fix));
    }
  }

  // ---- The shape of one instruction.

  // How many times as long a product takes in pieces of `now` columns as in pieces of `possible`,
  // in tenths: the larger of reading the operands (`rowBytes` of A and B for each row) and of
  // multiplying.
  static int64_t slowdown(int64_t m, int64_t now, int64_t possible, int64_t rowBytes) {
    auto cycles = [&](int64_t n) {
      return std::max(n * sharedBytes, (m + n) * rowBytes * 2) * possible / n;
    };
    return cycles(now) * 10 / cycles(possible);
  }
  static std::string tenths(int64_t value) {
    return std::to_string(value / 10) + (value % 10 ? "." + std::to_string(value % 10) : "");
  }

  // The most columns of so many that one wgmma computes, if that is more than `now`.
  static int64_t widestN(int64_t columns, int64_t now) {
    const chips::GroupProduct& wgmma = chips::groupProduct(chips::Feature::WarpGroupMma);
    int64_t possible = std::min(columns, wgmma.mostN);
    while (possible > now && (columns % possible || possible % wgmma.stepN))
      possible /= 2;
    return std::max(possible, now);
  }

  // The accumulator of a wgmma. `mma` is null where its layout is of another kind or has no rows
  // and columns of warps.
  struct Accumulator {
    RankedTensorType type;
    layout::Layout encoding; // keeps `mma`
    const layout::NvidiaMma* mma = nullptr;
  };
  static Accumulator accumulatorOf(ttng::WarpGroupDotOp op) {
    Accumulator found{cast<RankedTensorType>(op.getResult().getType()), {}};
    found.encoding = ir::toLayout(found.type.getEncoding());
    if (found.encoding) found.mma = found.encoding.as<layout::NvidiaMma>();
    if (found.mma && found.mma->warpsPerCTA.size() != 2) found.mma = nullptr;
    return found;
  }

  // wgmma: each warp of a group computes 16 rows of their own. A layout that gives two warps of a
  // group the same rows is compiled, and its results are wrong (measured on an H200), unless one
  // instruction computes the whole accumulator.
  void warps(ttng::WarpGroupDotOp op) {
    auto [type, encoding, mma] = accumulatorOf(op);
    if (!mma || mma->warpsPerCTA[0] % chips::warpsOfGroup == 0) return;
    constexpr int64_t rowsOfWarp = 16;
    bool isOneInstruction = mma->instrShape.size() == 3 &&
                            type.getDimSize(0) <= rowsOfWarp * chips::warpsOfGroup &&
                            type.getDimSize(1) <= mma->instrShape[1];
    if (isOneInstruction) return;
    int64_t warps = int64_t(mma->warpsPerCTA[0]) * mma->warpsPerCTA[1];
    layout::NvidiaMma right = *mma;
    right.warpsPerCTA[0] = static_cast<int32_t>(std::clamp<int64_t>(
        type.getDimSize(0) / rowsOfWarp, std::min<int64_t>(warps, chips::warpsOfGroup), warps));
    right.warpsPerCTA[1] = static_cast<int32_t>(warps / right.warpsPerCTA[0]);
    if (right.instrShape.size() == 3)
      right.instrShape[1] = static_cast<int32_t>(
          widestN(type.getDimSize(1) / right.warpsPerCTA[1], right.instrShape[1]));
    auto finding = findings_(Id::SlowMma, op.getLoc(),
                             "gives several warps of a group the same rows, which wgmma does not "
                             "do, so that its results are wrong",
                             "warps_per_cta must begin with a multiple of 4, such as [" +
                                 std::to_string(right.warpsPerCTA[0]) + ", " +
                                 std::to_string(right.warpsPerCTA[1]) + "]");
    finding.severity(Severity::Warning);
    if (auto better = layout::Layout::make(right))
      finding.suggest(Suggestion::replaceLayout(op.getLoc(), encoding, *better));
  }

  // Warps beyond the accumulator's rows or columns compute what others compute, too. Told where the
  // same warps have an arrangement in which each has elements of its own.
  void repeats(Operation* op, RankedTensorType type) {
    const layout::Layout& encoding = ir::toLayout(type.getEncoding());
    if (!encoding || type.getRank() != 2) return;
    int64_t copies = copiesIn(ir::toLinearLayout(type));
    if (copies < 2) return;
    std::optional<layout::Layout> better;
    if (auto* mma = encoding.as<layout::NvidiaMma>())
      better = withoutCopies(*mma, type.getShape(),
                             mma->versionMajor == 3 ? int64_t{chips::warpsOfGroup} : 1);
    else if (auto* mfma = encoding.as<layout::AmdMfma>())
      better = withoutCopies(*mfma, type.getShape(), 1);
    if (!better) return;
    findings_(Id::SlowMma, op->getLoc(),
              "computes every element " + std::to_string(copies) +
                  " times, because the warps of its layout cover more than the accumulator of " +
                  std::to_string(type.getDimSize(0)) + " x " + std::to_string(type.getDimSize(1)),
              "other warps_per_cta give each warp elements of its own")
        .suggest(Suggestion::replaceLayout(op->getLoc(), encoding, *better));
  }

  // wgmma: computes as many columns at a time as instr_shape has.
  void columns(ttng::WarpGroupDotOp op) {
    auto [type, encoding, mma] = accumulatorOf(op);
    // With A in registers only B is read, and read once.
    if (!mma || mma->instrShape.size() != 3 || !isa<ttg::MemDescType>(op.getA().getType())) return;
    const chips::GroupProduct& wgmma = chips::groupProduct(chips::Feature::WarpGroupMma);
    int64_t now = mma->instrShape[1], own = type.getDimSize(1) / mma->warpsPerCTA[1];
    int64_t possible = widestN(own, now);
    if (now >= narrowN || possible < 2 * now) return;
    layout::NvidiaMma wide = *mma;
    wide.instrShape[1] = static_cast<int32_t>(possible);
    auto better = layout::Layout::make(wide);
    if (!better) return;
    findings_(Id::SlowMma, op.getLoc(),
              "computes " + std::to_string(now) + " of " + std::to_string(own) +
                  " columns at a time and reads A again for each piece, which takes " +
                  tenths(slowdown(wgmma.mostM, now, possible, wgmma.kBytes)) + " times as long",
              "an instr_shape of [" + std::to_string(mma->instrShape[0]) + ", " +
                  std::to_string(possible) + ", " + std::to_string(mma->instrShape[2]) +
                  "] computes " + std::to_string(possible))
        .suggest(Suggestion::replaceLayout(op.getLoc(), encoding, *better));
  }

  // tcgen05: as many rows and columns at a time as the blocks of the accumulator's layout.
  void blocks(ttng::TCGen5MMAOp op) {
    ttg::MemDescType type = op.getD().getType();
    const layout::Layout& encoding = ir::toLayout(type.getEncoding());
    auto* memory = encoding ? encoding.as<layout::TensorMemory>() : nullptr;
    if (!memory || memory->twoCTAs || type.getRank() != 2) return;
    auto shape = ttg::getShapePerCTA(type.getEncoding(), type.getShape());
    const chips::GroupProduct& tcgen05 = chips::groupProduct(chips::Feature::TensorMemory);
    int64_t fullM = tcgen05.mostM;
    int64_t m = memory->blockM, n = memory->blockN;
    Operation* alloc = viewedBy(op.getD()).getDefiningOp();
    auto tell = [&](const std::string& problem, const std::string& better, int64_t blockM,
                    int64_t blockN) {
      auto finding = findings_(Id::SlowMma, op.getLoc(), problem, better);
      if (!alloc) return;
      finding.related(NoteId::AllocatedHere, alloc->getLoc());
      layout::TensorMemory larger = *memory;
      larger.blockM = static_cast<unsigned>(blockM);
      larger.blockN = static_cast<unsigned>(blockN);
      auto made = layout::Layout::make(larger);
      if (!made) return;
      finding.suggest(Suggestion::replaceLayout(alloc->getLoc(), encoding, *made));
    };
    if (m < fullM && shape[0] >= fullM)
      return tell("computes " + std::to_string(m) +
                      " rows at a time, which takes as long as 128 rows",
                  "a TensorMemoryLayout with block (128, " + std::to_string(n) + ") computes 128",
                  fullM, n);
    int64_t possible = std::min(shape[1], tcgen05.mostN);
    if (n < narrowN && possible >= 2 * n && isa<ttg::MemDescType>(op.getA().getType()))
      tell("computes " + std::to_string(n) + " of " + std::to_string(shape[1]) +
               " columns at a time and reads A again for each piece, which takes " +
               tenths(slowdown(m, n, possible, tcgen05.kBytes)) + " times as long",
           "a TensorMemoryLayout with block (" + std::to_string(m) + ", " +
               std::to_string(possible) + ") computes " + std::to_string(possible),
           m, possible);
  }

  // ---- Blocks of TMA.

  void block(Operation& op, StringRef name) {
    for (Value operand : op.getOperands()) {
      auto descriptor = dyn_cast<tt::TensorDescInterface>(operand.getType());
      if (!descriptor) continue;
      RankedTensorType type = descriptor.getBlockType();
      int64_t row = type.getShape().back() * tt::bitWidth(type.getElementType()) / 8;
      constexpr int64_t fast = 64, fewBytes = 1024;
      if (type.getRank() != 2 || row >= fast ||
          type.getNumElements() * tt::bitWidth(type.getElementType()) / 8 < fewBytes)
        return;
      findings_(Id::NarrowBlock, op.getLoc(), name, row, row);
      return;
    }
  }

  // A descriptor that the driver cannot encode: once, where the kernel makes it or where it is
  // first used. Returns whether there is one.
  bool refused(Operation& op) {
    for (Value operand : op.getOperands()) {
      auto descriptor = dyn_cast<tt::TensorDescInterface>(operand.getType());
      if (!descriptor) continue;
      std::string why = passes::refusedBlock(descriptor);
      if (why.empty()) return false;
      Operation* made = operand.getDefiningOp();
      if (made || refused_.insert(operand.getType()).second)
        findings_(Id::SimulatedDescriptor, (made ? made : &op)->getLoc(), why);
      return true;
    }
    return false;
  }

  // A block whose sizes are those of the buffer in another order.
  void order(Operation& op, StringRef name) {
    tt::TensorDescInterface descriptor;
    ttg::MemDescType buffer;
    for (Value operand : op.getOperands()) {
      if (auto type = dyn_cast<tt::TensorDescInterface>(operand.getType())) descriptor = type;
      auto type = dyn_cast<ttg::MemDescType>(operand.getType());
      if (type && descriptor && type.getElementType() == descriptor.getBlockType().getElementType())
        buffer = type;
    }
    if (!descriptor || !buffer) return;
    auto sizesOf = [](ArrayRef<int64_t> shape) {
      llvm::SmallVector<int64_t> sizes;
      llvm::copy_if(shape, std::back_inserter(sizes), [](int64_t size) { return size > 1; });
      return sizes;
    };
    RankedTensorType blockType = descriptor.getBlockType();
    auto block = sizesOf(blockType.getShape()), held = sizesOf(buffer.getShape());
    if (block == held) return;
    llvm::sort(block);
    llvm::sort(held);
    if (block == held)
      findings_(Id::TransposedCopy, op.getLoc(), name, shapeText(blockType.getShape()),
                shapeText(buffer.getShape()));
  }

private:
  // How many warps hold each element.
  static int64_t copiesIn(const layout::LinearLayout& linear) {
    int64_t copies = 1;
    for (layout::Replication replication : layout::replicationOf(linear))
      if (replication.dim == layout::Dim::Warp) copies *= replication.copies;
    return copies;
  }

  // Returns the layout with its warps arranged in another way, `step` or a multiple of it along the
  // rows and as many rows as possible, in which no two hold the same element; wgmma's instruction
  // may become narrower. Returns nullopt if there is none.
  template <typename Fields>
  static std::optional<layout::Layout> withoutCopies(const Fields& now, ArrayRef<int64_t> shape,
                                                     int64_t step) {
    if (now.warpsPerCTA.size() != 2 || now.instrShape.size() < 2) return std::nullopt;
    int64_t warps = int64_t(now.warpsPerCTA[0]) * now.warpsPerCTA[1];
    for (int64_t rows = warps; rows >= step; rows /= 2) {
      Fields other = now;
      other.warpsPerCTA[0] = static_cast<int32_t>(rows);
      other.warpsPerCTA[1] = static_cast<int32_t>(warps / rows);
      if (now.instrShape.size() == 3 && step > 1) {
        int64_t columns = shape[1] / other.warpsPerCTA[1];
        if (columns < other.instrShape[1]) other.instrShape[1] = static_cast<int32_t>(columns);
      }
      auto made = layout::Layout::make(other);
      if (!made) continue;
      auto linear = layout::toLinearLayout(*made, shape);
      if (linear && copiesIn(*linear) == 1) return *made;
    }
    return std::nullopt;
  }

  // Returns the call for an m x n product on this target's matrix unit, or "" if there is none.
  std::string matrixCall(int64_t m, int64_t n) const {
    if (groupProduct_ && m >= groupProduct_->leastM && n >= groupProduct_->leastN)
      return groupProduct_->call.str();
    if (features_.has(chips::Feature::AmpereMma)) return "mma_v2";
    if (features_.has(chips::Feature::Mfma)) return "gl.amd.cdna3.mfma";
    switch (chip_ ? chip_->wmmaVersion : 0) {
    case 1:
      return "gl.amd.rdna3.wmma";
    case 2:
      return "gl.amd.rdna4.wmma";
    case 3:
      return "gl.amd.cdna5.wmma";
    default:
      return {};
    }
  }

  llvm::SmallDenseSet<Type, 2> refused_; // of descriptors that the kernel gets
  Findings& findings_;
  chips::Features features_;
  const chips::GroupProduct* groupProduct_; // null if the target has none
  const chips::Chip* chip_;                 // null if it is not known
};

} // namespace

void lintMatrices(ModuleOp module, Findings& findings) {
  MatrixLints lints(module, findings);
  module.walk([&](Operation* op) {
    if (auto dot = dyn_cast<tt::DotOp>(op)) {
      lints.dot(dot);
      lints.repeats(op, cast<RankedTensorType>(dot.getResult().getType()));
    } else if (auto dot = dyn_cast<ttng::WarpGroupDotOp>(op)) {
      lints.warps(dot);
      lints.columns(dot);
      lints.repeats(op, cast<RankedTensorType>(dot.getResult().getType()));
      lints.operand(*op, dot.getA(), "a wgmma");
      lints.operand(*op, dot.getB(), "a wgmma");
    } else if (auto mma = dyn_cast<ttng::TCGen5MMAOp>(op)) {
      lints.blocks(mma);
      lints.operand(*op, mma.getA(), "a tcgen05 MMA");
      lints.operand(*op, mma.getB(), "a tcgen05 MMA");
    } else if (isa<ttng::AsyncTMACopyGlobalToLocalOp>(op)) {
      if (!lints.refused(*op)) lints.block(*op, "this load");
      lints.order(*op, "this load");
    } else if (isa<ttng::AsyncTMACopyLocalToGlobalOp>(op)) {
      if (!lints.refused(*op)) lints.block(*op, "this store");
      lints.order(*op, "this store");
    } else if (isa<ttng::AsyncTMAReduceOp, ttng::AsyncTMAGatherOp, ttng::AsyncTMAScatterOp>(op)) {
      lints.refused(*op);
    }
  });
}

} // namespace gluond::lints
