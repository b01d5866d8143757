#include "lints/access/AccessLints.h"

#include "chips/MemorySizes.h"
#include "chips/Vendor.h"
#include "ir/amdg/Ops.h"
#include "ir/layouts/Layouts.h"
#include "ir/ttg/ModuleTarget.h"
#include "layout/named/Properties.h"
#include "layout/named/Spelling.h"
#include "lints/access/LayoutSearch.h"
#include "lints/access/ViewedBuffer.h"
#include "support/Allowance.h"

#include <llvm/ADT/SmallPtrSet.h>
#include <mlir/Interfaces/LoopLikeInterface.h>

#include <map>
#include <memory>
#include <set>
#include <tuple>
#include <unordered_map>
#include <vector>

namespace gluond::lints {
using namespace mlir;

namespace {

// What is judged slow. An access is not coalesced when it moves this many times the sectors, or
// touches this many times the lines, that it needs: factors of 2 are lost in the caches (tutorial
// 02 measures them), factors of 4 are not.
constexpr int64_t slowFactor = 4;
// Fewer copies than this are common where a block is a little smaller than its layout, and cost
// little.
constexpr int64_t manyCopies = 4;
constexpr int64_t largeTensor = 512; // elements: here even two copies of each are wasted work
// 2-way conflicts are common and cheap compared with the latency of a wide access.
constexpr int64_t worstConflicts = 2; // beyond the first wavefront

class AccessLints {
public:
  AccessLints(ModuleOp module, llvm::function_ref<bool(Value)> isTooLong, Findings& findings)
      : module_(module), isTooLong_(isTooLong), findings_(findings), axes_(module) {
    target_ = ttg::targetOf(module);
    features_ = chips::featuresOf(target_);
  }

  void run() {
    module_.walk([&](Operation* op) {
      if (Spending::isSpent()) return WalkResult::interrupt();
      if (auto access = globalAccessOf(*op))
        global(*op, *access);
      else if (auto shared = sharedAccessOf(*op))
        memory(*op, *shared);
      else if (auto range = dyn_cast<tt::MakeRangeOp>(op); range && isOffset(range))
        replication(*op, range.getResult().getType());
      return WalkResult::advance();
    });
  }

private:
  void global(Operation& op, const GlobalAccess& access) {
    // One suggestion at a time: another layout is needed anyway.
    if (!isSlow(op, access)) replication(op, access.type);
    pointers(op, access);
  }

  // Masked accesses in loops on CDNA chips that could use a scalar pointer and 32-bit offsets.
  void pointers(Operation& op, const GlobalAccess& access) {
    if (!features_.has(chips::Feature::BufferAccess) || !access.mask ||
        !isa<tt::LoadOp, tt::StoreOp>(op) || !op.getParentOfType<LoopLikeOpInterface>())
      return;
    Value pointer = access.pointers;
    bool isNarrow = false;
    while (auto add = pointer.getDefiningOp<tt::AddPtrOp>()) {
      if (!getElementTypeOrSelf(add.getOffset().getType()).isInteger(32)) return;
      isNarrow = true;
      pointer = add.getPtr();
      while (auto wide = pointer.getDefiningOp<tt::BroadcastOp>())
        pointer = wide.getSrc();
    }
    if (!isNarrow || !pointer.getDefiningOp<tt::SplatOp>() || isTooLong_(pointer)) return;
    findings_(Id::PointerAccess, op.getLoc(), access.name,
              access.isStore ? "gl.amd.cdna3.buffer_store" : "gl.amd.cdna3.buffer_load");
  }

  bool isSlow(Operation& op, const GlobalAccess& access) {
    auto strides = stridesOf(access.pointers);
    if (!strides || strides->size() != static_cast<size_t>(access.type.getRank())) return false;
    const layout::LinearLayout& registers = ir::toLinearLayout(access.type);
    auto cost = costUnder(registers, access, *strides, chips::widestAccessBytes);
    if (!cost || cost->instructions == 0) return false;
    int64_t sectors = cost->sectors / cost->instructions,
            least = std::max<int64_t>(1, cost->leastSectors / cost->instructions);
    int64_t lines = cost->lines / cost->instructions, run = bytesInARow(access, *strides),
            leastLines = std::max<int64_t>(1, (least * chips::sectorBytes + run - 1) / run);
    bool isScattered = sectors >= slowFactor * least;
    // Results of matrix units are stored in their own layout: that another layout would be better
    // is not a mistake.
    bool isChosen = isa<ttg::BlockedEncodingAttr>(access.type.getEncoding());
    if (isScattered || (isChosen && lines >= slowFactor * leastLines)) {
      uncoalesced(op, access, *strides, *cost,
                  isScattered ? std::to_string(sectors) + " sectors of " +
                                    std::to_string(chips::sectorBytes) + " bytes"
                              : std::to_string(lines) + " lines of " +
                                    std::to_string(chips::lineBytes) + " bytes",
                  isScattered ? least : leastLines);
      return true;
    }
    narrow(op, access, *strides);
    return false;
  }

  void uncoalesced(Operation& op, const GlobalAccess& access, const Strides& strides,
                   const layout::GlobalAccessCost& cost, const std::string& touched,
                   int64_t least) {
    const layout::Layout& now = ir::toLayout(access.type.getEncoding());
    if (!now) return;
    std::optional<unsigned> unit = contiguousDim(access, strides);
    auto [known, isNew] = coalesced_.try_emplace(patternOf(access, strides));
    if (isNew) {
      known->second.layout = coalescedLayout(now, access, strides);
      if (known->second.layout)
        known->second.helpsAll =
            *known->second.layout != now && helpsAll(now, *known->second.layout);
    }
    const std::optional<layout::Layout>& better = known->second.layout;
    // Every element is in a sector of its own with any layout: if the strides are constants, the
    // program's own choice of elements is slow.
    bool isStrided = !better && !unit;
    auto nearest = llvm::min_element(
        strides, [](const Stride& a, const Stride& b) { return distance(a) < distance(b); });
    // A stride that is only known at run time is large, because 1 would be a constant. In a block
    // of a single row or column the other dimension is the contiguous one.
    llvm::ArrayRef<int64_t> shape = access.type.getShape();
    bool isStrip =
        shape.size() > 1 && llvm::count_if(shape, [](int64_t size) { return size > 1; }) == 1;
    if (isStrided && !nearest->isKnown && (!isStrip || nearest->isData)) return;
    std::string why;
    if (isStrided && !nearest->isKnown) {
      auto thin = static_cast<unsigned>(llvm::find(shape, 1) - shape.begin());
      why = "each step is a stride that is only known at run time, and the block is one element "
            "wide along dimension " +
            std::to_string(thin) +
            "; if memory is contiguous along that dimension, swap the sizes of the block and the "
            "order of its layout";
    } else if (isStrided) {
      why = "adjacent elements are " + std::to_string(distance(*nearest)) +
            " elements apart in memory; load whole rows, and use shared memory to reorder them";
    } else if (better && *better != now) {
      why = "adjacent lanes access distant addresses; " + layout::spelling(*better) +
            " makes the addresses adjacent";
    } else if (!better && access.type.getDimSize(*unit) * access.elementBits / 8 < 32) {
      why = "memory is contiguous along dimension " + std::to_string(*unit) +
            ", but the block is only " + std::to_string(access.type.getDimSize(*unit)) +
            " elements wide there; swap the sizes of the block and the order of its layout";
    } else {
      why = "adjacent lanes access distant addresses";
    }
    auto finding =
        findings_(Id::Uncoalesced, op.getLoc(), access.name, touched, least, cost.bytes, why);
    if (isStrided) finding.severity(Severity::Hint);
    if (better && known->second.helpsAll)
      finding.suggest(Suggestion::replaceLayout(op.getLoc(), now, *better));
  }

  // Accesses of the same block at the same strides, which one layout serves in the same way.
  // The type of the pointers, the bits of an element, and of each stride whether it is known and
  // which.
  using Pattern = std::tuple<const void*, unsigned, std::vector<std::pair<bool, int64_t>>>;
  static Pattern patternOf(const GlobalAccess& access, const Strides& strides) {
    Pattern pattern{access.type.getAsOpaquePointer(), access.elementBits, {}};
    for (const Stride& each : strides)
      std::get<2>(pattern).push_back({each.isKnown, each.known});
    return pattern;
  }

  // Whether no access with this layout gets slower by another one: where some do, each side needs
  // its own. The module's patterns are collected once, and each pair of layouts is judged once.
  bool helpsAll(const layout::Layout& now, const layout::Layout& better) {
    if (!quick_) {
      quick_.emplace();
      std::set<Pattern> known;
      module_.walk([&](Operation* op) {
        if (Spending::isSpent()) return WalkResult::interrupt();
        auto access = globalAccessOf(*op);
        if (!access) return WalkResult::advance();
        auto strides = stridesOf(access->pointers);
        if (!strides || strides->size() != size_t(access->type.getRank()) ||
            !known.insert(patternOf(*access, *strides)).second)
          return WalkResult::advance();
        if (const layout::Layout& own = ir::toLayout(access->type.getEncoding());
            own && isCoalesced(own, *access, *strides))
          (*quick_)[own].push_back({*access, *strides});
        return WalkResult::advance();
      });
    }
    auto [judged, isNew] = helpsAll_.try_emplace({now, better});
    if (isNew)
      judged->second = llvm::all_of((*quick_)[now], [&](const auto& each) {
        return !Spending::isSpent() && isCoalesced(better, each.first, each.second);
      });
    return judged->second;
  }

  // The dimension in which memory is contiguous; of several the longest.
  static std::optional<unsigned> contiguousDim(const GlobalAccess& access, const Strides& strides) {
    std::optional<unsigned> unit;
    for (auto [i, stride] : llvm::enumerate(strides))
      if (stride.isKnown && distance(stride) == 1 &&
          (!unit || access.type.getDimSize(i) >= access.type.getDimSize(*unit)))
        unit = static_cast<unsigned>(i);
    return unit;
  }

  // The most bytes of the block that lie side by side in one line of memory: a row of the block may
  // be shorter than a line, so that no layout needs fewer lines.
  static int64_t bytesInARow(const GlobalAccess& access, const Strides& strides) {
    auto unit = contiguousDim(access, strides);
    if (!unit) return chips::lineBytes;
    int64_t elements = access.type.getDimSize(*unit);
    // Rows that follow each other are one.
    for (bool isLonger = true; isLonger;) {
      isLonger = false;
      for (auto [i, stride] : llvm::enumerate(strides)) {
        int64_t size = access.type.getDimSize(i);
        if (size < 2 || !stride.isKnown || distance(stride) != elements || elements < 2) continue;
        elements *= size;
        isLonger = true;
      }
    }
    return std::clamp<int64_t>(elements * access.elementBits / 8, 1, chips::lineBytes);
  }

  void narrow(Operation& op, const GlobalAccess& access, const Strides& strides) {
    if (isa<tt::AtomicRMWOp, amdg::BufferAtomicRMWOp>(op)) return; // element by element
    int64_t bytes = std::max(1u, access.elementBits / 8);
    // Copies into shared memory are one instruction for each piece, loads are gathered by the
    // caches.
    bool isAsync = isa<ttg::AsyncCopyGlobalToLocalOp, amdg::BufferLoadToLocalOp>(op);
    bool isCopy =
        isAsync && (!chips::isAmd(target_) || features_.has(chips::Feature::WideSharedCopies));
    int64_t wanted = isCopy ? chips::widestAccessBytes : narrowBytes;
    if (bytes >= wanted) return;
    passes::AccessWidth width = passes::accessWidth(access, axes_.get(), target_);
    if (width.elements * bytes >= wanted) return;
    if (isAsync && width.elements * bytes < narrowBytes) return; // passes/refusals/DirectCopies.h
    // The elements of the block per thread, along the contiguous dimension.
    std::optional<unsigned> unit = contiguousDim(access, strides);
    if (!unit) return;
    const layout::LinearLayout& registers = ir::toLinearLayout(access.type);
    int64_t own =
        access.type.getNumElements() /
        (registers.inSize(layout::Dim::Lane) * registers.inSize(layout::Dim::Warp) *
         (registers.hasIn(layout::Dim::Block) ? registers.inSize(layout::Dim::Block) : 1));
    int64_t possible =
        std::min({own, access.type.getDimSize(*unit), chips::widestAccessBytes / bytes}) * bytes;
    if (possible < wanted || possible <= width.elements * bytes) return;
    const layout::Layout& now = ir::toLayout(access.type.getEncoding());
    bool isLayout = width.layout * bytes < wanted;
    std::string why = isLayout ? "each thread has too few consecutive elements" : limitOf(width);
    auto finding = findings_(Id::Unvectorized, op.getLoc(), access.name, width.elements * bytes,
                             isLayout ? possible : width.layout * bytes, why);
    // Sizes and alignment are those of one launch, and may be intended.
    if (!isLayout || isCopy) finding.severity(Severity::Hint);
    if (!isLayout) return;
    if (auto better = widened(now, access, *unit, possible / bytes))
      finding.suggest(Suggestion::replaceLayout(op.getLoc(), now, *better));
  }

  // Explains why the compiler uses narrower accesses than the layout allows.
  static std::string limitOf(const passes::AccessWidth& width) {
    using Limit = passes::AccessWidth::Limit;
    switch (width.limit) {
    case Limit::Mask:
      return "the mask may change at every element; if its bound is always a multiple of 16, "
             "launch with such a value, or use `gl.multiple_of`";
    case Limit::Contiguity:
      return "the compiler does not know that the addresses are consecutive; use "
             "`gl.max_contiguous` to tell it";
    case Limit::Alignment:
      return "a size or stride in the address is not known to be a multiple of 16; if it always "
             "is, launch with such a value, or use `gl.multiple_of`";
    case Limit::Buffer:
      return "the layout of the buffer separates the elements";
    case Limit::Layout:
      break;
    }
    return "the layout does not allow more";
  }

  // The same layout with more consecutive elements per thread.
  static std::optional<layout::Layout>
  widened(const layout::Layout& now, const GlobalAccess& access, unsigned dim, int64_t elements) {
    auto* blocked = now.as<layout::Blocked>();
    if (!blocked || blocked->order.front() != dim) return std::nullopt;
    layout::Blocked wide = *blocked;
    wide.sizePerThread[dim] = static_cast<int32_t>(elements);
    // Lanes and warps that no longer fit along the dimension go to the next ones.
    for (auto* sizes : {&wide.warpsPerCTA, &wide.threadsPerWarp}) {
      for (size_t next = 1; next < blocked->order.size(); ++next)
        while (int64_t(wide.sizePerThread[dim]) * wide.threadsPerWarp[dim] * wide.warpsPerCTA[dim] >
                   access.type.getDimSize(dim) &&
               (*sizes)[dim] > 1) {
          (*sizes)[dim] /= 2;
          (*sizes)[blocked->order[next]] *= 2;
        }
    }
    auto layout = layout::Layout::make(wide);
    return layout ? std::optional(*layout) : std::nullopt;
  }

  void memory(Operation& op, const SharedMemoryAccess& access) {
    const layout::Layout& shared = ir::toLayout(access.memory.getEncoding());
    auto cost = bankCost(access, shared, target_);
    if (cost && cost->bytes < narrowBytes && cost->conflicts <= worstConflicts)
      narrowShared(op, access, *cost);
    if (!cost || cost->conflicts <= worstConflicts) return;
    layout::MemoryView view{access.registers.getShape(), access.memory.getAllocShape(),
                            tt::bitWidth(access.memory.getElementType())};
    auto traffic = layout::countSharedTraffic(ir::toLayout(access.registers.getEncoding()), shared,
                                              view, access.isStore, 0, layout::banksOf(target_));
    if (!traffic) return;
    auto finding = findings_(Id::BankConflict, op.getLoc(), access.name, cost->conflicts + 1,
                             traffic->wavefronts, traffic->least);
    if (!finding) return;
    Value buffer = viewedBy(access.buffer);
    if (Operation* alloc = buffer.getDefiningOp()) {
      finding.related(NoteId::AllocatedHere, alloc->getLoc());
      const Buffer& found = searched(buffer);
      if (found.better)
        finding.suggest(Suggestion::replaceLayout(alloc->getLoc(), found.own, *found.better));
    }
  }

  // A buffer in shared memory: its accesses, and a layout with fewer conflicts; no layout where
  // something else uses it (TMA, MMA, other views), which wants the one that it has.
  struct Buffer {
    layout::Layout own;
    std::optional<layout::Layout> better;
    llvm::SmallVector<SharedMemoryAccess, 8> accesses;
  };
  // Searches once for all accesses of a buffer.
  const Buffer& searched(Value buffer) {
    auto [at, isNew] = buffers_.try_emplace(buffer);
    if (!isNew) return *at->second;
    at->second = std::make_unique<Buffer>();
    Buffer& found = *at->second;
    found.own = ir::toLayout(cast<ttg::MemDescType>(buffer.getType()).getEncoding());
    if (collect(buffer, found.accesses))
      found.better = conflictFreeLayout(found.own, found.accesses, target_);
    return found;
  }

  // Accesses of fewer bytes than a bank has, where another swizzle takes several banks at once.
  void narrowShared(Operation& op, const SharedMemoryAccess& access, const BankCost& cost) {
    Value buffer = viewedBy(access.buffer);
    Operation* alloc = buffer.getDefiningOp();
    if (!alloc) return;
    const auto& [own, better, all] = searched(buffer);
    if (!better) return;
    const auto* same = llvm::find_if(all, [&](const SharedMemoryAccess& each) {
      return each.registers == access.registers && each.name == access.name;
    });
    if (same == all.end() || same->isTransposed) return;
    auto wide = bankCost(*same, *better, target_);
    if (!wide || wide->bytes < slowFactor * cost.bytes || wide->conflicts > cost.conflicts) return;
    findings_(Id::Unvectorized, op.getLoc(), access.name, cost.bytes, wide->bytes,
              "the swizzle of the buffer separates the elements")
        .related(NoteId::AllocatedHere, alloc->getLoc())
        .suggest(Suggestion::replaceLayout(alloc->getLoc(), own, *better));
  }

  // All loads and stores of a buffer; false where something else uses it.
  static bool collect(Value buffer, llvm::SmallVectorImpl<SharedMemoryAccess>& out,
                      bool isTransposed = false) {
    for (Operation* user : buffer.getUsers()) {
      if (isa<ttg::MemDescIndexOp>(user)) {
        if (!collect(user->getResult(0), out, isTransposed)) return false;
      } else if (auto trans = dyn_cast<ttg::MemDescTransOp>(user);
                 trans && trans.getOrder().size() == 2) {
        bool isSwap = trans.getOrder()[0] == 1;
        if (!collect(trans.getResult(), out, isTransposed != isSwap)) return false;
      } else if (auto access = sharedAccessOf(*user)) {
        access->isTransposed = isTransposed;
        out.push_back(*access);
      } else if (!isa<ttg::LocalDeallocOp, ttg::AsyncCopyGlobalToLocalOp>(user)) {
        return false;
      }
    }
    return true;
  }

  // Whether the indices become addresses of a load or store in this very layout.
  static bool isOffset(tt::MakeRangeOp range) {
    llvm::SmallVector<Value, 8> todo = {range.getResult()};
    for (unsigned steps = 0; !todo.empty() && steps < 64; ++steps) {
      Value value = todo.pop_back_val();
      for (Operation* user : value.getUsers()) {
        if (globalAccessOf(*user)) return true;
        for (Value result : user->getResults())
          if (auto type = dyn_cast<RankedTensorType>(result.getType()))
            if (type.getEncoding() == range.getType().getEncoding() && !isa<tt::LoadOp>(user))
              todo.push_back(result);
      }
    }
    return false;
  }

  void replication(Operation& op, RankedTensorType type) {
    if (!type || !type.getEncoding() || isa<ttg::SliceEncodingAttr>(type.getEncoding())) return;
    auto* blocked = isa<ttg::BlockedEncodingAttr>(type.getEncoding())
                        ? &ir::toLayout(type.getEncoding())
                        : nullptr;
    if (!blocked || !*blocked || type.getNumElements() < 2) return;
    if (!replicated_.insert(type.cloneWith(std::nullopt, IntegerType::get(type.getContext(), 1)))
             .second)
      return;
    int64_t copies = 1;
    for (layout::Replication replication : layout::replicationOf(ir::toLinearLayout(type)))
      if (replication.dim != layout::Dim::Block) copies *= replication.copies;
    if (copies < (type.getNumElements() >= largeTensor ? 2 : manyCopies)) return;
    auto finding = findings_(Id::ReplicatedLayout, op.getLoc(), layout::spelling(*blocked),
                             shapeText(type.getShape()), copies);
    if (auto better = fittedLayout(*blocked, type.getShape()))
      finding.suggest(Suggestion::replaceLayout(op.getLoc(), *blocked, *better));
  }

  ModuleOp module_;
  llvm::function_ref<bool(Value)> isTooLong_; // for buffer instructions
  Findings& findings_;
  LazyAxisInfo axes_;
  StringRef target_;
  chips::Features features_;
  llvm::DenseSet<Type> replicated_;
  llvm::DenseMap<Value, std::unique_ptr<Buffer>> buffers_;
  struct ByStructure {
    size_t operator()(const layout::Layout& layout) const { return layout.hash(); }
    size_t operator()(const std::pair<layout::Layout, layout::Layout>& pair) const {
      return llvm::hash_combine(pair.first.hash(), pair.second.hash());
    }
  };
  // The accesses that are coalesced, one of each pattern, by their layout.
  using Accesses = std::vector<std::pair<GlobalAccess, Strides>>;
  std::optional<std::unordered_map<layout::Layout, Accesses, ByStructure>> quick_;
  std::unordered_map<std::pair<layout::Layout, layout::Layout>, bool, ByStructure> helpsAll_;
  struct Coalesced {
    std::optional<layout::Layout> layout;
    bool helpsAll = false; // and is another one
  };
  std::map<Pattern, Coalesced> coalesced_;
};

} // namespace

void lintAccesses(ModuleOp module, llvm::function_ref<bool(Value)> isTooLong, Findings& findings) {
  AccessLints(module, isTooLong, findings).run();
}

} // namespace gluond::lints
