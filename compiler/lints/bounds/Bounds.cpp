#include "lints/bounds/Bounds.h"

#include "lints/access/Access.h"

#include <llvm/ADT/MapVector.h>
#include <mlir/Dialect/Arith/IR/Arith.h>
#include <mlir/IR/Matchers.h>
#include <mlir/Interfaces/CallInterfaces.h>
#include <mlir/Interfaces/FunctionInterfaces.h>

namespace gluond::lints {
using namespace mlir;

namespace {

// ---- Masks.

// The offsets of `splat(base) + offsets`; null for other addresses.
Value offsetsOf(Value pointers) {
  auto add = pointers.getDefiningOp<tt::AddPtrOp>();
  return add && add.getPtr().getDefiningOp<tt::SplatOp>() ? add.getOffset() : Value();
}

// Whether the mask compares these very offsets with a bound.
bool bounds(Value mask, Value offsets, unsigned depth = 0) {
  Operation* op = mask.getDefiningOp();
  if (!op || depth > 8) return false;
  if (isa<arith::AndIOp>(op))
    return bounds(op->getOperand(0), offsets, depth + 1) ||
           bounds(op->getOperand(1), offsets, depth + 1);
  auto compared = dyn_cast<arith::CmpIOp>(op);
  return compared && (compared.getLhs() == offsets || compared.getRhs() == offsets);
}

// Where the values of a module's functions come from, each worked out once: values are shared by
// many, and the arguments of a function by all its calls.
class Origins {
public:
  explicit Origins(ModuleOp module) {
    module.walk([&](CallOpInterface call) {
      if (auto callee = dyn_cast<SymbolRefAttr>(call.getCallableForCallee()))
        calls_[callee.getLeafReference()].push_back(call);
    });
  }

  // Whether a value depends on the program id.
  bool dependsOnProgram(Value value, unsigned depth = 0) {
    return remembered(depends_, value, depth > 16, false, [&] {
      auto depends = [&](Value operand) { return dependsOnProgram(operand, depth + 1); };
      Operation* op = value.getDefiningOp();
      return op ? isa<tt::GetProgramIdOp>(op) || llvm::any_of(op->getOperands(), depends)
                : llvm::any_of(passedFor(value), depends);
    });
  }

  // The largest value of an integer, were it computed without overflow, for program id 1 and the
  // last index of every range; nothing where it depends on anything else.
  std::optional<__int128> largest(Value value, unsigned depth = 0) {
    return remembered(largest_, value, depth > 32, std::optional<__int128>(),
                      [&] { return findLargest(value, depth); });
  }

private:
  // `otherwise` where it goes too deep; what follows from that is not kept: asked for from
  // somewhere nearer it may be something else.
  template <typename Answer, typename Find>
  Answer remembered(llvm::DenseMap<Value, Answer>& known, Value value, bool isTooDeep,
                    Answer otherwise, Find find) {
    if (isTooDeep) {
      isCut_ = true;
      return otherwise;
    }
    if (auto it = known.find(value); it != known.end()) return it->second;
    bool wasCut = std::exchange(isCut_, false);
    Answer answer = find();
    if (!isCut_) known[value] = answer;
    isCut_ |= wasCut;
    return answer;
  }

  // What the calls of a function pass for one of its arguments; none for a kernel's.
  llvm::SmallVector<Value, 2> passedFor(Value value) const {
    llvm::SmallVector<Value, 2> passed;
    auto argument = dyn_cast<BlockArgument>(value);
    auto function = argument ? dyn_cast<FunctionOpInterface>(argument.getOwner()->getParentOp())
                             : FunctionOpInterface();
    if (!function || !argument.getOwner()->isEntryBlock() || function.isPublic()) return passed;
    auto calls = calls_.find(function.getNameAttr());
    if (calls == calls_.end()) return passed;
    for (CallOpInterface call : calls->second)
      passed.push_back(call.getArgOperands()[argument.getArgNumber()]);
    return passed;
  }

  std::optional<__int128> findLargest(Value value, unsigned depth);

  llvm::DenseMap<StringAttr, llvm::SmallVector<CallOpInterface, 2>> calls_; // by callee
  bool isCut_ = false; // the answer in the making
  llvm::DenseMap<Value, bool> depends_;
  llvm::DenseMap<Value, std::optional<__int128>> largest_;
};

// ---- Overflow.

std::optional<__int128> Origins::findLargest(Value value, unsigned depth) {
  Operation* op = value.getDefiningOp();
  if (!op) {
    std::optional<__int128> most;
    for (Value passed : passedFor(value)) {
      auto each = largest(passed, depth + 1);
      if (!each) return std::nullopt;
      most = most ? std::max(*most, *each) : *each;
    }
    return most;
  }
  Attribute constant;
  if (matchPattern(value, m_Constant(&constant))) {
    if (auto integer = dyn_cast<IntegerAttr>(constant)) return integer.getValue().getSExtValue();
    auto dense = dyn_cast<DenseIntElementsAttr>(constant);
    if (dense && dense.isSplat()) return dense.getSplatValue<APInt>().getSExtValue();
    return std::nullopt;
  }
  if (isa<tt::GetProgramIdOp>(op)) return 1;
  if (auto range = dyn_cast<tt::MakeRangeOp>(op)) return static_cast<int64_t>(range.getEnd()) - 1;
  auto of = [&](unsigned i) { return largest(op->getOperand(i), depth + 1); };
  if (isa<tt::SplatOp, tt::BroadcastOp, tt::ExpandDimsOp, ttg::ConvertLayoutOp, arith::ExtSIOp,
          arith::ExtUIOp>(op))
    return of(0);
  if (!isa<arith::AddIOp, arith::MulIOp>(op)) return std::nullopt;
  auto a = of(0), b = of(1);
  if (!a || !b) return std::nullopt;
  constexpr __int128 bound = __int128(1) << 62;
  if (*a > bound || *b > bound || *a < 0 || *b < 0) return std::nullopt;
  return isa<arith::AddIOp>(op) ? *a + *b : *a * *b;
}

} // namespace

void lintMasks(ModuleOp module, Findings& findings) {
  Origins origins(module);
  for (auto kernel : module.getOps<FunctionOpInterface>()) {
    if (!kernel.isPublic() || kernel.isDeclaration()) continue;
    struct Seen {
      Operation* op;
      GlobalAccess access;
    };
    llvm::MapVector<Value, llvm::SmallVector<Seen, 4>> byOffsets;
    bool hasMask = false;
    kernel.walk([&](Operation* op) {
      auto access = globalAccessOf(*op);
      if (!access) return;
      hasMask |= static_cast<bool>(access->mask);
      if (Value offsets = offsetsOf(access->pointers)) byOffsets[offsets].push_back({op, *access});
    });
    for (auto& [offsets, all] : byOffsets) {
      auto masked = llvm::find_if(all, [&](const Seen& seen) {
        return seen.access.mask && bounds(seen.access.mask, offsets);
      });
      if (masked == all.end()) continue;
      for (const Seen& seen : all)
        if (!seen.access.mask)
          findings(Id::MissingMask, seen.op->getLoc(), seen.access.name,
                   ", and others of the same offsets have one")
              .related(NoteId::MaskedHere, masked->op->getLoc());
    }
    if (hasMask) continue;
    // A size that the kernel is given and does not look at.
    bool hasIdleSize = llvm::any_of(kernel.getArguments(), [](BlockArgument argument) {
      return argument.use_empty() && argument.getType().isInteger();
    });
    bool hasDescriptor = llvm::any_of(kernel.getArguments(), [](BlockArgument argument) {
      return isa<tt::TensorDescInterface>(argument.getType());
    });
    if (!hasIdleSize || hasDescriptor) continue; // the sizes of descriptors are arguments as well
    for (auto& [offsets, all] : byOffsets)
      if (origins.dependsOnProgram(offsets))
        for (const Seen& seen : all)
          findings(Id::MissingMask, seen.op->getLoc(), seen.access.name,
                   ": its last block may go beyond the end, and a size among the parameters is not "
                   "used");
  }
}

void lintOverflow(ModuleOp module, Findings& findings) {
  Origins origins(module);
  module.walk([&](Operation* op) {
    if (!isa<arith::MulIOp, arith::AddIOp>(op)) return;
    auto type = dyn_cast<IntegerType>(getElementTypeOrSelf(op->getResult(0).getType()));
    if (!type || type.getWidth() != 32 || !origins.dependsOnProgram(op->getResult(0))) return;
    auto value = origins.largest(op->getResult(0));
    if (!value || *value <= std::numeric_limits<int32_t>::max() ||
        *value > std::numeric_limits<int64_t>::max())
      return;
    // Of a chain of them the first is to blame.
    auto isOver = [&](Value operand) {
      auto v = origins.largest(operand);
      return v && *v > std::numeric_limits<int32_t>::max();
    };
    if (llvm::any_of(op->getOperands(), isOver)) return;
    findings(Id::OffsetOverflow, op->getLoc(), 32,
             isa<arith::MulIOp>(op) ? "multiplication" : "addition", 1,
             static_cast<int64_t>(*value));
  });
}

} // namespace gluond::lints
