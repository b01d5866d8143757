#include "lints/work/WorkLints.h"

#include "ir/amdg/Ops.h"
#include "ir/layouts/Layouts.h"
#include "ir/tt/Ops.h"
#include "ir/ttng/Ops.h"
#include "layout/named/Spelling.h"
#include "lints/access/Access.h"
#include "passes/analysis/Conversions.h"
#include "passes/analysis/SameElements.h"

#include <llvm/ADT/SetVector.h>
#include <llvm/ADT/StringMap.h>
#include <mlir/Interfaces/CallInterfaces.h>
#include <mlir/Interfaces/FunctionInterfaces.h>
#include <mlir/Interfaces/LoopLikeInterface.h>

namespace gluond::lints {
using namespace mlir;

namespace {

// Instructions that repeat the same work: fewer are common if a block is small.
constexpr int64_t manyRepeats = 4;

Suggestion hoist(Operation& op) {
  return {Suggestion::Kind::Hoist, op.getLoc(), diagnostics::fixTitle(FixId::MoveBeforeLoop), ""};
}

// ---- Conversions.

// The same value in any layout: no conversion is necessary.
bool isUniform(Value value) {
  Operation* op = value.getDefiningOp();
  return op && (isa<tt::SplatOp>(op) || op->hasTrait<OpTrait::ConstantLike>());
}

// Returns the op where a converted value, after only elementwise arithmetic, is converted back to
// its original layout; null if some of it is used in between.
Operation* takenBack(ttg::ConvertLayoutOp convert) {
  auto from = cast<RankedTensorType>(convert.getSrc().getType()).getEncoding();
  llvm::SmallSetVector<Operation*, 8> slice;
  slice.insert(convert);
  Operation* back = nullptr;
  for (unsigned i = 0; i < slice.size() && i < 32; ++i)
    for (Operation* user : slice[i]->getUsers()) {
      if (auto again = dyn_cast<ttg::ConvertLayoutOp>(user);
          again && again.getType().getEncoding() == from) {
        back = again;
        continue;
      }
      if (!user->hasTrait<OpTrait::Elementwise>() || !isMemoryEffectFree(user) ||
          user->getNumRegions())
        return nullptr;
      slice.insert(user);
    }
  if (!back || slice.size() >= 32) return nullptr;
  for (Operation* op : slice.getArrayRef().drop_front())
    for (Value operand : op->getOperands())
      if (!isUniform(operand) && !slice.contains(operand.getDefiningOp())) return nullptr;
  return back;
}

void conversion(ttg::ConvertLayoutOp op, Findings& findings) {
  auto plan = passes::planOf(op);
  if (!plan || plan->cost.kind < layout::ConversionKind::Lanes) return;
  if (Operation* back = takenBack(op)) {
    findings(Id::ConvertedBack, op.getLoc(), 2 * plan->cost.bytesMoved)
        .related(NoteId::ConvertedBackHere, back->getLoc())
        .suggest({Suggestion::Kind::ReplaceCall, op.getLoc(),
                  diagnostics::fixTitle(FixId::KeepLayout), "{0}"});
    return;
  }
  auto loop = op->getParentOfType<LoopLikeOpInterface>();
  if (!loop || plan->cost.kind < layout::ConversionKind::Warps) return;
  auto finding = findings(Id::ConversionInLoop, op.getLoc(), plan->sharedBytes());
  // A value that does not change in the loop need not be converted in it.
  if (loop.isDefinedOutsideOfLoop(op.getSrc()))
    finding.severity(Severity::Warning).suggest(hoist(*op));
}

// ---- Reductions and scans in loops, along a dimension that is spread over the warps although the
// others have room for them.

void reduction(Operation& op, unsigned axis, StringRef name, Findings& findings) {
  if (!op.getParentOfType<LoopLikeOpInterface>()) return;
  auto type = cast<RankedTensorType>(op.getOperand(0).getType());
  const layout::Layout& encoding = ir::toLayout(type.getEncoding());
  // Layouts of matrix units are chosen for the product.
  auto* blocked = encoding ? encoding.as<layout::Blocked>() : nullptr;
  if (!blocked || type.getRank() < 2 || blocked->warpsPerCTA[axis] < 2) return;
  const layout::LinearLayout& registers = ir::toLinearLayout(type);
  layout::Dim along = layout::tensorDim(axis);
  int64_t crossing = int64_t(1) << llvm::popcount(registers.inputMask(layout::Dim::Warp, {along}));
  if (crossing < 2) return;
  // The dimension that has the most left for its registers takes the warps.
  layout::Blocked moved = *blocked;
  unsigned best = axis;
  auto room = [&](unsigned dim) {
    return type.getDimSize(dim) / (int64_t(blocked->sizePerThread[dim]) *
                                   blocked->threadsPerWarp[dim] * blocked->warpsPerCTA[dim]);
  };
  for (unsigned dim = 0; dim < type.getRank(); ++dim)
    if (dim != axis && (best == axis || room(dim) > room(best))) best = dim;
  if (room(best) < blocked->warpsPerCTA[axis]) return;
  moved.warpsPerCTA[best] *= moved.warpsPerCTA[axis];
  moved.warpsPerCTA[axis] = 1;
  auto better = layout::Layout::make(moved);
  if (!better) return;
  std::string text = layout::spelling(*better);
  findings(Id::ReductionInLoop, op.getLoc(), name, crossing, text)
      .suggest(Suggestion::replaceLayout(op.getLoc(), encoding, *better));
}

// ---- Shared memory.

// A store and a load of the whole of an otherwise unused buffer, in one layout.
void roundTrip(ttg::LocalLoadOp load, Findings& findings) {
  auto alloc = load.getSrc().getDefiningOp<ttg::LocalAllocOp>();
  if (!alloc || load->getBlock() != alloc->getBlock()) return;
  Value stored = alloc.getSrc();
  Operation* storing = alloc;
  for (Operation* user : alloc->getUsers()) {
    if (user == load || isa<ttg::LocalDeallocOp>(user)) continue;
    auto store = dyn_cast<ttg::LocalStoreOp>(user);
    if (!store || stored || store->getBlock() != load->getBlock() || !store->isBeforeInBlock(load))
      return;
    stored = store.getSrc();
    storing = store;
  }
  if (!stored || stored.getType() != load.getResult().getType()) return;
  int64_t bytes = load.getResult().getType().getNumElements() *
                  tt::bitWidth(load.getSrc().getType().getElementType()) / 8;
  auto finding = findings(Id::SharedRoundTrip, load.getLoc(), bytes);
  finding.related(NoteId::StoredHere, storing->getLoc())
      .related(NoteId::AllocatedHere, alloc.getLoc());
  if (storing != alloc) {
    Suggestion fix{Suggestion::Kind::ReplaceCall, load.getLoc(),
                   diagnostics::fixTitle(FixId::UseStored), "{other.0}"};
    fix.argumentsAt = storing->getLoc();
    finding.suggest(std::move(fix));
  }
}

// ---- Loads.

// Arithmetic in a loop on values from outside has the same result each time. `known` holds values
// that were found invariant.
bool isInvariant(Value value, LoopLikeOpInterface loop, llvm::SmallPtrSetImpl<Operation*>& known,
                 unsigned depth = 0) {
  if (loop.isDefinedOutsideOfLoop(value)) return true;
  Operation* op = value.getDefiningOp();
  if (!op || depth > 16 || op->getNumRegions() || !isMemoryEffectFree(op)) return false;
  if (known.contains(op)) return true;
  bool is = llvm::all_of(op->getOperands(), [&](Value operand) {
    return isInvariant(operand, loop, known, depth + 1);
  });
  if (is) known.insert(op);
  return is;
}

// Returns the argument from which addresses are derived, or null if it is not known.
Value baseOf(Value value) {
  while (Operation* op = value.getDefiningOp()) {
    if (!passes::hasSameElements(op) && !isa<tt::AddPtrOp>(op)) return {};
    value = op->getOperand(0);
  }
  auto argument = dyn_cast<BlockArgument>(value);
  return argument && isa<FunctionOpInterface>(argument.getOwner()->getParentOp()) ? value : Value();
}

// Returns the pointer through which an op writes to global memory, or nullopt if it does not.
std::optional<Value> writtenBy(Operation& op) {
  if (auto store = dyn_cast<tt::StoreOp>(op)) return baseOf(store.getPtr());
  if (auto store = dyn_cast<amdg::BufferStoreOp>(op)) return baseOf(store.getPtr());
  return std::nullopt;
}

// A load from the same addresses in every iteration, not stored to by the loop. Scalars count.
void invariant(Operation& load, Value pointer, Findings& findings) {
  auto loop = load.getParentOfType<LoopLikeOpInterface>();
  if (!loop) return;
  llvm::SmallPtrSet<Operation*, 16> known;
  if (!llvm::all_of(load.getOperands(), [&](Value v) { return isInvariant(v, loop, known); }))
    return;
  Value base = baseOf(pointer);
  bool mayChange = loop->walk([&](Operation* inner) {
                         bool writes =
                             isa<tt::AtomicRMWOp, tt::AtomicCASOp, CallOpInterface>(inner);
                         if (auto written = writtenBy(*inner))
                           writes |= !*written || *written == base;
                         return writes ? WalkResult::interrupt() : WalkResult::advance();
                       })
                       .wasInterrupted();
  if (!mayChange) findings(Id::InvariantLoad, load.getLoc()).suggest(hoist(load));
}

// One thread loads the same address in several registers: elements along a dimension in which the
// addresses do not step.
void repeated(Operation& op, const GlobalAccess& access, Findings& findings) {
  auto strides = stridesOf(access.pointers);
  if (!strides || strides->size() != size_t(access.type.getRank())) return;
  llvm::SmallVector<layout::Dim, 4> steps;
  std::optional<unsigned> still;
  for (auto [i, stride] : llvm::enumerate(*strides)) {
    if (!stride.isKnown || stride.known != 0 || access.type.getDimSize(i) == 1)
      steps.push_back(layout::tensorDim(static_cast<unsigned>(i)));
    else
      still = static_cast<unsigned>(i);
  }
  if (!still) return;
  const layout::LinearLayout& registers = ir::toLinearLayout(access.type);
  if (!registers.valid()) return;
  uint64_t moving = registers.inputMask(layout::Dim::Register, steps);
  int64_t copies = int64_t(1) << (registers.inBits(layout::Dim::Register) -
                                  static_cast<unsigned>(llvm::popcount(moving)));
  if (copies < manyRepeats) return;
  findings(Id::RepeatedLoad, op.getLoc(), copies, static_cast<int64_t>(*still));
}

// Loads of a tensor that the caches may not keep. Polling of a flag loads a scalar, or turns in a
// loop until something changes.
void uncached(tt::LoadOp load, Findings& findings) {
  auto type = dyn_cast<RankedTensorType>(load.getType());
  if (!type || load->getParentOfType<scf::WhileOp>()) return;
  auto policy = dyn_cast_if_present<tt::CachePolicyAttr>(load.getCachePolicyAttr());
  bool isRefetched = policy && policy.getCacheModifier() == tt::CacheModifier::CV;
  if (isRefetched)
    findings(Id::UncachedLoad, load.getLoc(), "cache_modifier=\".cv\"");
  else if (load.getIsVolatile())
    findings(Id::UncachedLoad, load.getLoc(), "volatile=True");
}

// ---- Unused results.

// Results that are worth a line of their own.
llvm::StringRef workOf(Operation& op) {
  if (isa<ttg::ConvertLayoutOp>(op)) return "conversion";
  if (isa<tt::LoadOp, ttg::LocalLoadOp, ttng::TMEMLoadOp>(op)) return "load";
  if (isa<tt::ReduceOp>(op)) return "reduction";
  if (isa<tt::DotOp, ttng::WarpGroupDotOp>(op)) return "matrix product";
  if (isMemoryEffectFree(&op) && !op.hasTrait<OpTrait::ConstantLike>() && op.getNumResults() &&
      isa<RankedTensorType>(op.getResult(0).getType()))
    return "operation";
  return {};
}

// Functions that only compute: they read memory, and have no other effect.
class PureFunctions {
public:
  explicit PureFunctions(ModuleOp module) : module_(module) {}

  bool isPureCall(Operation& op) {
    auto call = dyn_cast<tt::CallOp>(op);
    return call && call->getNumResults() && isPure(call.getCallee());
  }

private:
  bool isPure(llvm::StringRef name) {
    auto [known, isNew] = pure_.try_emplace(name, false); // a function that calls itself is not
    if (!isNew) return known->second;
    auto function = module_.lookupSymbol<FunctionOpInterface>(name);
    bool isPure = function && !function.isDeclaration() &&
                  !function
                       .walk([&](Operation* op) {
                         return onlyReads(*op) ? WalkResult::advance() : WalkResult::interrupt();
                       })
                       .wasInterrupted();
    return pure_[name] = isPure;
  }
  bool onlyReads(Operation& op) {
    if (isa<FunctionOpInterface>(op) || op.hasTrait<OpTrait::IsTerminator>()) return true;
    if (auto call = dyn_cast<tt::CallOp>(op)) return isPure(call.getCallee());
    if (op.hasTrait<OpTrait::HasRecursiveMemoryEffects>()) return true; // its ops are visited
    if (isMemoryEffectFree(&op)) return true;
    auto effects = dyn_cast<MemoryEffectOpInterface>(op);
    return effects && effects.onlyHasEffect<MemoryEffects::Read>();
  }

  ModuleOp module_;
  llvm::StringMap<bool> pure_;
};

} // namespace

void lintUnusedResults(ModuleOp module, Findings& findings) {
  PureFunctions pure(module);
  // An expression may have an effect as well as a result, such as the maximum of floats in memory,
  // which is two operations and what joins their results.
  llvm::DenseSet<Location> withEffects;
  module.walk([&](Operation* op) {
    if (hasEffect<MemoryEffects::Write>(op)) withEffects.insert(op->getLoc());
  });
  module.walk([&](Operation* op) {
    if (!op->use_empty() || withEffects.contains(op->getLoc())) return;
    llvm::StringRef work = pure.isPureCall(*op) ? "call" : workOf(*op);
    if (!work.empty())
      findings(Id::UnusedResult, op->getLoc(), work)
          .suggest({Suggestion::Kind::Remove, op->getLoc(),
                    diagnostics::fixTitle(FixId::RemoveStatement), ""});
  });
}

void lintWork(ModuleOp module, Findings& findings) {
  module.walk([&](Operation* op) {
    if (auto convert = dyn_cast<ttg::ConvertLayoutOp>(op)) {
      conversion(convert, findings);
    } else if (auto reduce = dyn_cast<tt::ReduceOp>(op)) {
      reduction(*op, reduce.getAxis(), "this reduction", findings);
    } else if (auto scan = dyn_cast<tt::ScanOp>(op)) {
      reduction(*op, scan.getAxis(), "this scan", findings);
    } else if (auto load = dyn_cast<ttg::LocalLoadOp>(op)) {
      roundTrip(load, findings);
    } else if (auto load = dyn_cast<tt::LoadOp>(op)) {
      if (!load.getIsVolatile()) invariant(*op, load.getPtr(), findings);
      if (auto access = globalAccessOf(*op)) repeated(*op, *access, findings);
      uncached(load, findings);
    } else if (auto load = dyn_cast<amdg::BufferLoadOp>(op)) {
      invariant(*op, load.getPtr(), findings);
      if (auto access = globalAccessOf(*op)) repeated(*op, *access, findings);
    }
  });
}

} // namespace gluond::lints
