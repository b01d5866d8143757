#include "codegen/context/QuickVerify.h"

#include "ir/layouts/Layouts.h"
#include "ir/tt/Ops.h"
#include "ir/tt/Traits.h"
#include "ir/ttg/Ops.h"
#include "ir/ttng/Ops.h"

#include <llvm/ADT/DenseMap.h>
#include <llvm/ADT/DenseSet.h>
#include <llvm/ADT/StringSet.h>
#include <mlir/Dialect/Arith/IR/Arith.h>
#include <mlir/Dialect/Math/IR/Math.h>
#include <mlir/Dialect/UB/IR/UBOps.h>

#include <array>

namespace gluond::codegen {

namespace {

mlir::RankedTensorType tensorOf(mlir::Type type) {
  return llvm::dyn_cast<mlir::RankedTensorType>(type);
}

// The element type of a tensor, or the type of a scalar itself.
mlir::Type elementOf(mlir::Type type) {
  auto tensor = tensorOf(type);
  return tensor ? tensor.getElementType() : type;
}

bool isScalar(mlir::Type type) {
  return llvm::isa<mlir::IntegerType, mlir::FloatType, tt::PointerType>(type);
}

// Both scalars, or tensors of one shape and one encoding.
bool sameForm(mlir::Type a, mlir::Type b) {
  auto x = tensorOf(a), y = tensorOf(b);
  if (!x || !y) return !x && !y;
  return x.getShape() == y.getShape() && x.getEncoding() == y.getEncoding();
}

// Ops whose verifiers only check their types, their attributes, the module's attributes and
// the number of warps. (Loads and stores of tensor memory also check a partition's
// registers.)
bool isVerifiedByTypes(mlir::OperationName name) {
  static const llvm::DenseSet<mlir::TypeID> ops = [] {
    auto set = []<typename... Ops>() {
      return llvm::DenseSet<mlir::TypeID>{mlir::TypeID::get<Ops>()...};
    };
    return set.operator()<
        tt::BroadcastOp, tt::CallOp, tt::ExpandDimsOp, tt::JoinOp, tt::LoadOp, tt::MakeRangeOp,
        tt::ReshapeOp, tt::SplatOp, tt::SplitOp, tt::StoreOp, tt::TransOp,
        ttg::AsyncCopyGlobalToLocalOp, ttg::ConvertLayoutOp, ttg::LocalAllocOp, ttg::LocalLoadOp,
        ttg::LocalStoreOp, ttg::MemDescIndexOp, ttg::MemDescReinterpretOp, ttg::MemDescReshapeOp,
        ttg::MemDescSubsliceOp, ttg::MemDescTransOp, ttng::ArriveBarrierOp,
        ttng::AsyncTMACopyGlobalToLocalOp, ttng::AsyncTMACopyLocalToGlobalOp,
        ttng::AsyncTMAGatherOp, ttng::AsyncTMAReduceOp, ttng::AsyncTMAScatterOp,
        ttng::BarrierExpectOp, ttng::FenceAsyncSharedOp, ttng::InvalBarrierOp, ttng::TCGen5CommitOp,
        ttng::TCGen5MMAOp, ttng::TCGen5MMAScaledOp, ttng::TMEMCopyOp, ttng::TMEMSubSliceOp,
        ttng::WaitBarrierOp, ttng::WarpGroupDotOp, ttng::WarpGroupDotWaitOp>();
  }();
  return ops.contains(name.getTypeID());
}

} // namespace

struct QuickVerifier::Memory {
  explicit Memory(mlir::MLIRContext& context)
      : arith(context.getLoadedDialect<mlir::arith::ArithDialect>()),
        math(context.getLoadedDialect<mlir::math::MathDialect>()),
        ub(context.getLoadedDialect<mlir::ub::UBDialect>()),
        tt(context.getLoadedDialect<tt::TTDialect>()) {}

  // The facts about an op's name that the checks need, computed once for each.
  struct Kind {
    const void* name = nullptr;
    bool isFunction = false, isPlain = false, isTriton = false, isTerminator = false,
         isUniform = false, isByTypes = false;
  };
  const Kind& kindOf(mlir::OperationName name) {
    const void* key = name.getAsOpaquePointer();
    Kind& kind = kinds[(reinterpret_cast<uintptr_t>(key) / 16) % kinds.size()];
    if (kind.name != key) {
      mlir::Dialect* dialect = name.getDialect();
      kind = {key,
              name.getTypeID() == mlir::TypeID::get<tt::FuncOp>(),
              dialect == arith || dialect == math || dialect == ub,
              dialect == tt,
              name.hasTrait<mlir::OpTrait::IsTerminator>(),
              name.hasTrait<mlir::OpTrait::SameOperandsAndResultType>(),
              isVerifiedByTypes(name)};
    }
    return kind;
  }

  mlir::Dialect *arith, *math, *ub, *tt;
  std::array<Kind, 512> kinds; // by name; of two in one place the later one
  // A number for each pair of module attributes and number of warps: the context of an op.
  llvm::DenseMap<std::pair<mlir::Attribute, unsigned>, unsigned> surroundings;
  llvm::DenseSet<std::pair<mlir::Type, unsigned>> types; // that fit surroundings
  llvm::StringSet<> ops;                                 // see Checker::verifiesByTypes
  static constexpr size_t mostEntries = 1 << 14;
};

namespace {

template <typename Memory> class Checker { // QuickVerifier::Memory, which has no name here
public:
  Checker(mlir::ModuleOp module, Memory& memory) : module_(module), memory_(memory) {}

  bool check(mlir::Operation& op) { return check(op, memory_.kindOf(op.getName())); }

private:
  using Kind = typename Memory::Kind;

  bool check(mlir::Operation& op, Kind kind) {
    if (kind.isPlain) return checkPlain(op, kind.isUniform) || verifies(op);
    if (kind.isFunction) return checkFunction(llvm::cast<tt::FuncOp>(op));
    if (!(kind.isTriton && checkTriton(op)) &&
        !(kind.isByTypes ? verifiesByTypes(op) : verifies(op)))
      return false;
    if (op.getNumRegions() == 0) return true;
    // Functions and partitions have a number of warps of their own.
    bool hasWarps = llvm::isa<ttg::WarpSpecializePartitionsOp>(op);
    unsigned outside = surroundings_;
    for (mlir::Region& region : op.getRegions()) {
      if (hasWarps) surroundings_ = surroundingsIn(region);
      for (mlir::Block& block : region)
        if (!check(block, op)) return false;
    }
    surroundings_ = outside;
    return mlir::succeeded(op.getName().verifyRegionInvariants(&op));
  }

  // Except for its body, what codegen gives a function follows from the function's type.
  bool checkFunction(tt::FuncOp function) {
    mlir::Region& body = function.getBody();
    if (body.empty() || llvm::ArrayRef<mlir::Type>(llvm::to_vector<16>(
                            body.front().getArgumentTypes())) != function.getArgumentTypes())
      return false;
    surroundings_ = surroundingsIn(body);
    function_ = &body;
    return llvm::all_of(body, [&](mlir::Block& block) { return check(block, *function); });
  }

  // Whether all operands of the op are of this function; most are from the op's own block.
  bool usesItsFunction(mlir::Operation& op) const {
    for (mlir::Value operand : op.getOperands()) {
      mlir::Block* block = operand.getParentBlock();
      if (block == op.getBlock()) continue;
      mlir::Region* region = block ? block->getParent() : nullptr;
      while (region && region != function_)
        region = region->getParentRegion();
      if (!region) return false;
    }
    return true;
  }

  static bool verifies(mlir::Operation& op) {
    return mlir::succeeded(op.getName().verifyInvariants(&op));
  }

  // The same, cached by everything that the verifier of such an op checks.
  bool verifiesByTypes(mlir::Operation& op) {
    if (op.getNumRegions() != 0 || op.getNumSuccessors() != 0) return verifies(op);
    llvm::SmallVector<const void*, 32> key = {
        op.getName().getAsOpaquePointer(), op.getRawDictionaryAttrs().getAsOpaquePointer(),
        reinterpret_cast<const void*>(uintptr_t{surroundings_} << 32 | op.getNumOperands())};
    for (mlir::Value operand : op.getOperands())
      key.push_back(operand.getType().getAsOpaquePointer());
    for (mlir::Type type : op.getResultTypes())
      key.push_back(type.getAsOpaquePointer());
    llvm::SmallString<256> bytes(
        llvm::StringRef(reinterpret_cast<const char*>(key.data()), key.size() * sizeof(void*)));
    // Properties are attributes, which are unique, and numbers.
    bytes.append(llvm::StringRef(op.getPropertiesStorage().as<const char*>(),
                                 static_cast<size_t>(op.getPropertiesStorageSize())));
    if (memory_.ops.contains(bytes)) return true;
    if (!verifies(op)) return false;
    if (memory_.ops.size() >= memory_.mostEntries) memory_.ops.clear();
    memory_.ops.insert(bytes);
    return true;
  }

  unsigned surroundingsIn(mlir::Region& region) {
    std::optional<unsigned> warps;
    if (!region.empty() && !region.front().empty())
      warps = ttg::lookupNumWarps(&region.front().front());
    auto next = static_cast<unsigned>(memory_.surroundings.size() + 1);
    return memory_.surroundings
        .try_emplace({module_->getDiscardableAttrDictionary(), warps.value_or(0)}, next)
        .first->second;
  }

  bool check(mlir::Block& block, mlir::Operation& parent) {
    bool graph = parent.mightHaveTrait<mlir::OpTrait::NoTerminator>();
    if (block.empty()) return graph;
    mlir::Operation& last = block.back();
    if (!graph && !memory_.kindOf(last.getName()).isTerminator) return false;
    for (mlir::Operation& op : block) {
      Kind kind = memory_.kindOf(op.getName());
      if (&op != &last && (kind.isTerminator || op.getNumSuccessors() != 0)) return false;
      if (!usesItsFunction(op) || !check(op, kind)) return false;
    }
    return true;
  }

  // ------------------------------------------------------------- arith, math, ub

  // Operands and result of one type, a constant of its type, a comparison of one type, a cast.
  static bool checkPlain(mlir::Operation& op, bool isUniform) {
    if (op.getNumResults() != 1) return false;
    mlir::Type result = op.getResult(0).getType();
    if (auto constant = llvm::dyn_cast<mlir::arith::ConstantOp>(op))
      return constant.getValue().getType() == result;
    unsigned operands = op.getNumOperands();
    if (operands == 0) return llvm::isa<mlir::ub::PoisonOp>(op);
    mlir::Type type = op.getOperand(0).getType();
    if (operands == 1 && (type != result || llvm::isa<mlir::arith::BitcastOp>(op)))
      return checkCast(op, type, result);
    if (operands == 2 && op.getOperand(1).getType() != type) return false;
    if (operands > 2) return false;
    // An 8-bit float that MLIR lacks is an integer of the IR.
    if (llvm::isa<mlir::IntegerType>(elementOf(type)) &&
        llvm::isa<mlir::arith::ArithFastMathInterface>(op))
      return false;
    if (isUniform) return type == result;
    if (!llvm::isa<mlir::arith::CmpIOp, mlir::arith::CmpFOp>(op)) return false;
    return sameForm(type, result) && elementOf(result).isInteger(1);
  }

  static bool checkCast(mlir::Operation& op, mlir::Type from, mlir::Type to) {
    if (!sameForm(from, to)) return false;
    from = elementOf(from);
    to = elementOf(to);
    bool integers = llvm::isa<mlir::IntegerType>(from) && llvm::isa<mlir::IntegerType>(to);
    bool floats = llvm::isa<mlir::FloatType>(from) && llvm::isa<mlir::FloatType>(to);
    bool wider = (integers || floats) && tt::bitWidth(from) < tt::bitWidth(to);
    bool narrower = (integers || floats) && tt::bitWidth(from) > tt::bitWidth(to);
    if (llvm::isa<mlir::arith::BitcastOp>(op))
      return from.isIntOrFloat() && to.isIntOrFloat() && tt::bitWidth(from) == tt::bitWidth(to);
    if (llvm::isa<mlir::arith::ExtSIOp, mlir::arith::ExtUIOp>(op)) return integers && wider;
    if (llvm::isa<mlir::arith::TruncIOp>(op)) return integers && narrower;
    if (llvm::isa<mlir::arith::ExtFOp>(op)) return floats && wider;
    if (llvm::isa<mlir::arith::TruncFOp>(op)) return floats && narrower;
    if (llvm::isa<mlir::arith::SIToFPOp, mlir::arith::UIToFPOp>(op))
      return llvm::isa<mlir::IntegerType>(from) && llvm::isa<mlir::FloatType>(to);
    if (llvm::isa<mlir::arith::FPToSIOp, mlir::arith::FPToUIOp>(op))
      return llvm::isa<mlir::FloatType>(from) && llvm::isa<mlir::IntegerType>(to);
    return false;
  }

  // ------------------------------------------------------------- tt

  bool checkTriton(mlir::Operation& op) {
    if (auto splat = llvm::dyn_cast<tt::SplatOp>(op))
      return fits(splat.getType(), op) && elementOf(splat.getType()) == splat.getSrc().getType();
    if (auto add = llvm::dyn_cast<tt::AddPtrOp>(op)) {
      mlir::Type type = add.getPtr().getType(), offset = add.getOffset().getType();
      return add.getType() == type && llvm::isa<tt::PointerType>(elementOf(type)) &&
             llvm::isa<mlir::IntegerType>(elementOf(offset)) && sameForm(type, offset) &&
             fits(type, op) && fits(offset, op);
    }
    if (auto range = llvm::dyn_cast<tt::MakeRangeOp>(op))
      return fits(range.getType(), op) && mlir::succeeded(range.verify());
    if (auto load = llvm::dyn_cast<tt::LoadOp>(op)) {
      mlir::Type pointer = load.getPtr().getType(), type = load.getType();
      return isPointee(pointer, type) && isMask(load.getMask(), type) &&
             (!load.getOther() || load.getOther().getType() == type) && fits(pointer, op) &&
             fits(type, op) && mlir::succeeded(load.verify());
    }
    if (auto store = llvm::dyn_cast<tt::StoreOp>(op)) {
      mlir::Type pointer = store.getPtr().getType(), type = store.getValue().getType();
      return isPointee(pointer, type) && isMask(store.getMask(), type) && fits(pointer, op) &&
             fits(type, op) && mlir::succeeded(store.verify());
    }
    if (auto broadcast = llvm::dyn_cast<tt::BroadcastOp>(op)) return checkBroadcast(broadcast);
    if (auto expand = llvm::dyn_cast<tt::ExpandDimsOp>(op)) return checkExpandDims(expand);
    if (auto leave = llvm::dyn_cast<tt::ReturnOp>(op))
      return llvm::isa<tt::FuncOp>(op.getParentOp()) && mlir::succeeded(leave.verify()) &&
             llvm::all_of(op.getOperandTypes(),
                          [&](mlir::Type type) { return !tensorOf(type) || fits(type, op); });
    return llvm::isa<tt::GetProgramIdOp, tt::GetNumProgramsOp>(op) &&
           op.getResult(0).getType().isInteger(32);
  }

  static bool isPointee(mlir::Type pointer, mlir::Type type) {
    auto element = llvm::dyn_cast<tt::PointerType>(elementOf(pointer));
    return element && element.getPointeeType() == elementOf(type) && sameForm(pointer, type);
  }
  bool isMask(mlir::Value mask, mlir::Type type) {
    return !mask || (elementOf(mask.getType()).isInteger(1) && sameForm(mask.getType(), type));
  }

  // A blocked layout repeats over elements beyond it, so repeating in the tensor moves nothing.
  bool checkBroadcast(tt::BroadcastOp op) {
    mlir::RankedTensorType from = op.getSrc().getType(), to = op.getType();
    if (from.getRank() != to.getRank() || from.getElementType() != to.getElementType() ||
        from.getEncoding() != to.getEncoding() ||
        !llvm::isa_and_present<ttg::BlockedEncodingAttr>(to.getEncoding()))
      return false;
    for (auto [a, b] : llvm::zip(from.getShape(), to.getShape()))
      if (a != 1 && a != b) return false;
    return fits(from, *op) && fits(to, *op);
  }

  bool checkExpandDims(tt::ExpandDimsOp op) {
    mlir::RankedTensorType from = op.getSrc().getType(), to = op.getType();
    auto slice = llvm::dyn_cast_if_present<ttg::SliceEncodingAttr>(from.getEncoding());
    unsigned axis = op.getAxis();
    if (!slice || slice.getDim() != axis ||
        to.getEncoding() != mlir::Attribute(slice.getParent()) ||
        from.getElementType() != to.getElementType() || axis >= to.getShape().size() ||
        to.getShape()[axis] != 1)
      return false;
    return to.getShape().take_front(axis) == from.getShape().take_front(axis) &&
           to.getShape().drop_front(axis + 1) == from.getShape().drop_front(axis) &&
           fits(from, *op) && fits(to, *op);
  }

  // Whether the type is valid here: its size is supported, and its layout is made for the number of
  // warps, lanes and CTAs of the surrounding code.
  bool fits(mlir::Type type, mlir::Operation& op) {
    auto tensor = tensorOf(type);
    if (!tensor) return isScalar(type);
    if (memory_.types.contains({type, surroundings_})) return true;
    mlir::Attribute layout = tensor.getEncoding();
    // Whether a generic layout is valid depends on the op.
    if (!layout || ir::isGenericLinear(layout) || !isScalar(tensor.getElementType())) return false;
    int64_t elements = 1;
    for (int64_t size : tensor.getShape()) {
      if (size < 1 || size > tt::maxTensorElements) return false;
      elements *= size;
      if (elements > tt::maxTensorElements) return false;
    }
    if ((elements & (elements - 1)) != 0) return false;
    auto* interface = layout.getDialect().getRegisteredInterface<tt::VerifyLayoutInterface>();
    bool fits = interface && mlir::succeeded(interface->verifyTensor(
                                 layout, tensor, &op, [&] { return op.emitError(); }));
    if (memory_.types.size() >= memory_.mostEntries) memory_.types.clear();
    if (fits) memory_.types.insert({type, surroundings_});
    return fits;
  }

  mlir::ModuleOp module_;
  Memory& memory_;
  unsigned surroundings_ = 0;
  mlir::Region* function_ = nullptr; // its body
};

} // namespace

QuickVerifier::QuickVerifier(mlir::MLIRContext& context)
    : memory_(std::make_unique<Memory>(context)) {}
QuickVerifier::~QuickVerifier() = default;

bool QuickVerifier::isSurelyValid(mlir::ModuleOp module) {
  if (memory_->surroundings.size() >= Memory::mostEntries)
    memory_ = std::make_unique<Memory>(*module.getContext());
  Checker checker(module, *memory_);
  for (mlir::Operation& op : *module.getBody())
    if (!checker.check(op)) return false;
  return true;
}

} // namespace gluond::codegen
