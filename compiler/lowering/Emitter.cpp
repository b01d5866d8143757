#include "lowering/Emitter.h"

#include "ir/ttg/Ops.h"
#include "lowering/WarpSpecialize.h"
#include "support/Allowance.h"

#include <llvm/IR/InlineAsm.h>
#include <llvm/Support/MathExtras.h>
#include <mlir/Dialect/Arith/IR/Arith.h>
#include <mlir/Dialect/Math/IR/Math.h>
#include <mlir/IR/TypeUtilities.h>

namespace gluond::lowering {

namespace {
bool isShared(ttg::MemDescType type) {
  return mlir::isa<ttg::SharedMemorySpaceAttr>(type.getMemorySpace());
}

bool isZero(llvm::Value* value) {
  auto* number = llvm::dyn_cast<llvm::ConstantInt>(value);
  return number && number->isZero();
}
} // namespace

Emitter::Emitter(ModuleState& state, mlir::Operation* function)
    : b(state.context), state_(state), source_(function),
      function_(state.functions[function].get()) {}

void Emitter::set(mlir::Value value, Registers registers) {
  values_[value] = llvm::ArrayRef(registers).copy(arena_);
}

llvm::Type* Emitter::elementType(mlir::Type type) {
  if (auto tensor = mlir::dyn_cast<mlir::RankedTensorType>(type)) type = tensor.getElementType();
  llvm::Type*& known = types_[type];
  if (known) return known;
  if (auto integer = mlir::dyn_cast<mlir::IntegerType>(type))
    return known = b.getIntNTy(integer.getWidth());
  if (mlir::isa<mlir::IndexType>(type)) return known = b.getInt32Ty();
  if (type.isF16()) return known = b.getHalfTy();
  if (type.isBF16()) return known = b.getBFloatTy();
  if (type.isF32()) return known = b.getFloatTy();
  if (type.isF64()) return known = b.getDoubleTy();
  if (mlir::isa<mlir::FloatType>(type)) return known = b.getIntNTy(tt::bitWidth(type));
  if (auto pointer = mlir::dyn_cast<tt::PointerType>(type)) {
    switch (pointer.getAddressSpace()) {
    case tt::PtrAddrSpace::Global:
      return known = b.getPtrTy(globalSpace);
    case tt::PtrAddrSpace::Constant:
      return known = b.getPtrTy(constantSpace);
    case tt::PtrAddrSpace::Descriptor:
      return known = b.getPtrTy();
    }
  }
  return known = target().descriptorType(state_.context, type);
}

llvm::Type* Emitter::memoryType(mlir::Type type) {
  llvm::Type* element = elementType(type);
  return element->isIntegerTy(1) ? b.getInt8Ty() : element;
}

unsigned Emitter::memoryBits(mlir::Type type) {
  llvm::Type* element = memoryType(type);
  return registerBits(element);
}

const LinearLayout& Emitter::layoutOf(mlir::Type type) {
  std::unique_ptr<LinearLayout>& known = layouts_[type];
  if (!known)
    known =
        std::make_unique<LinearLayout>(ir::toLinearLayout(mlir::cast<mlir::RankedTensorType>(type))
                                           .removeZeroBases(Dim::Register));
  return *known;
}

unsigned Emitter::registerCount(mlir::Type type) {
  if (mlir::isa<mlir::RankedTensorType>(type))
    return static_cast<unsigned>(layoutOf(type).inSize(Dim::Register));
  if (auto memory = mlir::dyn_cast<ttg::MemDescType>(type))
    return isShared(memory) ? 1 + static_cast<unsigned>(memory.getRank()) : 1;
  return mlir::isa<ttg::AsyncTokenType>(type) ? 0 : 1;
}

void Emitter::registerTypes(mlir::Type type, llvm::SmallVectorImpl<llvm::Type*>& types) {
  if (auto memory = mlir::dyn_cast<ttg::MemDescType>(type)) {
    if (!isShared(memory)) {
      types.push_back(b.getInt32Ty());
      return;
    }
    types.push_back(b.getPtrTy(sharedSpace));
    types.append(memory.getRank(), b.getInt32Ty());
    return;
  }
  unsigned count = registerCount(type);
  if (count) types.append(count, elementType(type));
}

RegisterList Emitter::flatten(mlir::ValueRange values) const {
  RegisterList all;
  for (mlir::Value value : values)
    llvm::append_range(all, get(value));
  return all;
}

void Emitter::bind(mlir::ValueRange values, Registers registers) {
  for (mlir::Value value : values) {
    unsigned count = registerCount(value.getType());
    set(value, registers.take_front(count));
    registers = registers.drop_front(count);
  }
}

llvm::SmallVector<llvm::PHINode*> Emitter::phis(mlir::TypeRange types, unsigned incoming) {
  llvm::SmallVector<llvm::Type*> registers;
  for (mlir::Type type : types)
    registerTypes(type, registers);
  llvm::SmallVector<llvm::PHINode*> made;
  for (llvm::Type* type : registers)
    made.push_back(b.CreatePHI(type, incoming));
  return made;
}

llvm::BasicBlock* Emitter::newBlock(const llvm::Twine& name) {
  return llvm::BasicBlock::Create(state_.context, name, llvm_);
}

// ---------------------------------------------------------------- place

llvm::CallInst* Emitter::intrinsic(unsigned id, llvm::ArrayRef<llvm::Type*> overloads,
                                   Registers operands) {
  return b.CreateIntrinsic(static_cast<llvm::Intrinsic::ID>(id), overloads, operands);
}

void Emitter::beginPlace() {
  llvm::Value* tid = target().threadOfCta(*this);
  unsigned threads = group_.warps * state_.threadsPerWarp;
  llvm::Value* own = tid;
  llvm::Value* warpOfCta = b.CreateLShr(tid, i32(llvm::Log2_32(state_.threadsPerWarp)));
  warp_ = target().uniform(*this, warpOfCta);
  if (group_.firstWarp) {
    warp_ = b.CreateSub(warp_, i32(group_.firstWarp));
    own = b.CreateSub(tid, i32(int64_t{group_.firstWarp} * state_.threadsPerWarp));
  }
  thread_ = llvm::isPowerOf2_32(threads) ? b.CreateAnd(own, i32(threads - 1)) : own;
  lane_ = b.CreateAnd(tid, i32(state_.threadsPerWarp - 1));
  ownWarp_ = b.CreateLShr(thread_, i32(llvm::Log2_32(state_.threadsPerWarp)));
  block_ = state_.ctas == 1 ? i32(0) : target().blockOfCluster(*this);
}

llvm::Value* Emitter::thread() {
  return thread_;
}
llvm::Value* Emitter::lane() {
  return lane_;
}
llvm::Value* Emitter::warp() {
  return warp_;
}
llvm::Value* Emitter::ownWarp() {
  return ownWarp_;
}
llvm::Value* Emitter::block() {
  return block_;
}

Emitter::Place Emitter::enterGroup(WarpGroup group) {
  Place before{group_, thread_, lane_, warp_, ownWarp_, block_};
  group_ = group;
  beginPlace();
  return before;
}

void Emitter::leaveGroup(Place place) {
  group_ = place.group;
  thread_ = place.thread;
  lane_ = place.lane;
  warp_ = place.warp;
  ownWarp_ = place.ownWarp;
  block_ = place.block;
}

// Each output coordinate is a xor of input bits. Bits that move by the same distance go together:
// one `and`, one shift.
RegisterList Emitter::apply(const LinearLayout& layout,
                            llvm::ArrayRef<std::pair<Dim, llvm::Value*>> place) {
  uint64_t constant = 0;
  llvm::SmallVector<std::pair<Dim, llvm::Value*>, 4> variable;
  for (auto [dim, value] : place) {
    if (!layout.hasIn(dim)) continue;
    if (auto* number = llvm::dyn_cast<llvm::ConstantInt>(value))
      constant ^= layout::f2::multiply(layout.columns(dim),
                                       number->getZExtValue() & (uint64_t(layout.inSize(dim)) - 1));
    else
      variable.push_back({dim, value});
  }
  layout::Coordinates constants = layout.unpack(constant);
  RegisterList result;
  for (auto [index, out] : llvm::enumerate(layout.outs())) {
    llvm::Value* sum = nullptr;
    uint64_t reached = 0;
    auto add = [&](llvm::Value* term, uint64_t bits) {
      if (!sum)
        sum = term;
      else if (reached & bits)
        sum = b.CreateXor(sum, term);
      else
        sum = disjointOr(sum, term);
      reached |= bits;
    };
    for (auto [dim, value] : variable) {
      llvm::SmallDenseMap<int, uint64_t, 8> moves; // distance -> bits that move so
      llvm::SmallVector<int, 8> order;
      for (unsigned bit = 0; bit < layout.inBits(dim); ++bit)
        for (uint64_t basis = static_cast<uint32_t>(layout.basis(dim, bit, out.dim)); basis;
             basis &= basis - 1) {
          int distance = llvm::countr_zero(basis) - static_cast<int>(bit);
          if (!moves.count(distance)) order.push_back(distance);
          moves[distance] |= uint64_t(1) << bit;
        }
      for (int distance : order) {
        uint64_t bits = moves[distance];
        llvm::Value* term = b.CreateAnd(value, i32(static_cast<int64_t>(bits)));
        if (distance > 0) term = b.CreateShl(term, i32(distance), "", true, true);
        if (distance < 0) term = b.CreateLShr(term, i32(-distance), "", true);
        add(term, distance > 0 ? bits << distance : bits >> -distance);
      }
    }
    if (constants[index] || !sum) {
      if (!sum)
        sum = i32(constants[index]);
      else
        add(i32(constants[index]), static_cast<uint32_t>(constants[index]));
    }
    result.push_back(sum);
  }
  return result;
}

RegisterList Emitter::applyHere(const LinearLayout& layout, llvm::Value* registerNumber) {
  return apply(layout, {{Dim::Register, registerNumber},
                        {Dim::Lane, lane()},
                        {Dim::Warp, ownWarp()},
                        {Dim::Block, block()}});
}

llvm::Value* Emitter::isFirstCopy(const LinearLayout& layout, bool ofOwnCta) {
  llvm::Value* first = nullptr;
  for (auto [dim, value] :
       {std::pair(Dim::Lane, lane()), {Dim::Warp, ownWarp()}, {Dim::Block, block()}}) {
    if (!layout.hasIn(dim) || (ofOwnCta && dim == Dim::Block)) continue;
    uint64_t mask = layout.freeMask(dim);
    if (!mask) continue;
    llvm::Value* here = b.CreateICmpEQ(b.CreateAnd(value, i32(static_cast<int64_t>(mask))), i32(0));
    first = first ? b.CreateAnd(first, here) : here;
  }
  return first ? first : i1(true);
}

// ---------------------------------------------------------------- meeting

void Emitter::barrier() {
  if (group_.warps == 1 && !group_.isWholeCta)
    warpBarrier();
  else
    target().barrier(*this, group_);
}

void Emitter::warpBarrier() {
  target().warpBarrier(*this);
}

void Emitter::clusterBarrier(bool relaxed) {
  if (group_.isWholeCta)
    wholeClusterBarrier(relaxed);
  else
    meetGroupsOfCluster(*this);
}

void Emitter::wholeClusterBarrier(bool relaxed) {
  target().clusterBarrier(*this, relaxed);
}

llvm::Value* Emitter::assembly(llvm::Type* result, llvm::StringRef text,
                               llvm::StringRef constraints, Registers operands, bool sideEffects) {
  llvm::SmallVector<llvm::Type*> types;
  for (llvm::Value* operand : operands)
    types.push_back(operand->getType());
  auto* type = llvm::FunctionType::get(result, types, false);
  std::string all = constraints.str();
  if (sideEffects) all += all.empty() ? "~{memory}" : ",~{memory}";
  auto* code = llvm::InlineAsm::get(type, text, all, sideEffects);
  llvm::CallInst* call = b.CreateCall(code, operands);
  call->addFnAttr(llvm::Attribute::NoUnwind);
  if (sideEffects)
    call->addFnAttr(llvm::Attribute::Convergent);
  else
    call->setDoesNotAccessMemory();
  return call;
}

// ---------------------------------------------------------------- shared memory

llvm::Value* Emitter::sharedAddress(int64_t offset) {
  return b.CreateConstInBoundsGEP1_32(b.getInt8Ty(), sharedBase_, static_cast<unsigned>(offset));
}

llvm::Value* Emitter::scratch(mlir::Operation* op) {
  return sharedAddress(memory().of(op)->offset);
}

llvm::Value* Emitter::inBlock(llvm::Value* address, llvm::Value* block) {
  return target().addressInBlock(*this, address, block);
}

llvm::Value* Emitter::viewBlock(mlir::Value descriptor) {
  auto type = mlir::cast<ttg::MemDescType>(descriptor.getType());
  Registers registers = get(descriptor).drop_front();
  if (state_.ctas == 1 || llvm::all_of(registers, isZero)) return nullptr;
  LinearLayout layout = ir::toLinearLayout(type);
  std::optional<LinearLayout> places = layout.pseudoInvert();
  if (!places || !places->hasOut(Dim::Block) || !places->outBits(Dim::Block)) return nullptr;
  llvm::SmallVector<std::pair<Dim, llvm::Value*>, 4> begin;
  for (auto [i, value] : llvm::enumerate(registers.take_back(layout.outs().size())))
    begin.push_back({layout::tensorDim(i), value});
  llvm::Value* block = apply(places->sublayout(places->inDims(), {Dim::Block}), begin).front();
  return isZero(block) ? nullptr : block;
}

llvm::Value* Emitter::viewOffset(mlir::Value descriptor) {
  auto type = mlir::cast<ttg::MemDescType>(descriptor.getType());
  Registers registers = get(descriptor).drop_front();
  if (llvm::all_of(registers, isZero)) return i32(0);
  LinearLayout layout = ir::toLinearLayout(type);
  std::optional<LinearLayout> offsets = layout.pseudoInvert();
  // The layout is of one element where the buffer has several: those before it are skipped.
  size_t elements = registers.size() - std::min(registers.size(), layout.outs().size());
  llvm::SmallVector<std::pair<Dim, llvm::Value*>, 4> place;
  for (auto [i, value] : llvm::enumerate(registers.drop_front(elements)))
    place.push_back({layout::tensorDim(i), value});
  llvm::Value* offset = apply(offsets->sublayout(offsets->inDims(), {Dim::Offset}), place).front();
  for (size_t i = 0; i < elements; ++i) {
    int64_t stride = layout.inSize(Dim::Offset);
    for (size_t k = i + 1; k < elements; ++k)
      stride *= type.getAllocShape()[k];
    offset = b.CreateAdd(offset, b.CreateMul(registers[i], i32(stride)));
  }
  return offset;
}

// ---------------------------------------------------------------- what handlers share

bool makesNoCode(Emitter&, mlir::Operation*) {
  return true;
}

bool isNoinline(mlir::Operation* function) {
  auto attribute = function->getAttrOfType<mlir::BoolAttr>("noinline");
  return attribute && attribute.getValue();
}

unsigned registerBits(llvm::Type* type) {
  return type->isPointerTy()
             ? 64
             : static_cast<unsigned>(type->getPrimitiveSizeInBits().getFixedValue());
}

llvm::SmallVector<uint64_t> registerPlaces(const LinearLayout& layout) {
  llvm::SmallVector<uint64_t> places;
  for (uint64_t r = 0; r < static_cast<uint64_t>(layout.inSize(Dim::Register)); ++r)
    places.push_back(layout::f2::multiply(layout.columns(Dim::Register), r));
  return places;
}

// ---------------------------------------------------------------- ops

bool Emitter::fail(mlir::Operation* op, llvm::Twine message) {
  if (!state_.failure)
    state_.failure = passes::Failure{
        passes::FailureKind::Unsupported, op->getLoc(), message.str(), {}, {}, {}, "lowering"};
  return false;
}

bool Emitter::reject(mlir::Operation* op, llvm::Twine message) {
  if (!state_.failure)
    state_.failure = passes::Failure{
        passes::FailureKind::Invalid, op->getLoc(), message.str(), {}, {}, {}, "lowering"};
  return false;
}

bool Emitter::needs(mlir::Operation* op, Feature feature, llvm::Twine what) {
  std::string lacking = target().lacks(feature);
  return lacking.empty() || fail(op, what + " " + lacking);
}

// LLVM has no floats of 8 bits: they are bytes here, which tt.fp_to_fp alone converts. An
// instruction that is made of them nevertheless is invalid, and some handlers never end. The
// absolute value is that of the bytes without their sign.
static bool computesOnByteFloats(mlir::Operation* op) {
  llvm::StringRef dialect = op->getName().getDialectNamespace();
  if ((dialect != "arith" && dialect != "math") ||
      mlir::isa<mlir::arith::ConstantOp, mlir::arith::SelectOp, mlir::arith::BitcastOp,
                mlir::math::AbsFOp>(op))
    return false;
  auto isByteFloat = [](mlir::Type type) {
    auto element = mlir::dyn_cast<mlir::FloatType>(mlir::getElementTypeOrSelf(type));
    return element && element.getWidth() <= 8;
  };
  return llvm::any_of(op->getOperandTypes(), isByteFloat) ||
         llvm::any_of(op->getResultTypes(), isByteFloat);
}

bool Emitter::op(mlir::Operation* op) {
  if (mustStop(state_.cancellation)) {
    state_.failure = passes::Failure{
        passes::FailureKind::Cancelled, op->getLoc(), "cancelled", {}, {}, {}, "lowering"};
    return false;
  }
  locate(op->getLoc());
  const passes::Synchronization& meets = function_->synchronization;
  if (!meets.fenceBefore.empty() && meets.fenceBefore.contains(op))
    target().fenceAsyncShared(*this, /*ofCluster=*/false);
  if (!meets.tensorStoresDoneBefore.empty() && meets.tensorStoresDoneBefore.contains(op))
    target().finishTensorStores(*this);
  if (!meets.initializationsMetBefore.empty() && meets.initializationsMetBefore.contains(op)) {
    target().fenceInitializations(*this);
    clusterBarrier(/*relaxed=*/true);
  }
  if (meets.barrierBefore.contains(op)) barrier();
  auto handler = state_.handlers.find(op->getName().getStringRef());
  if (handler == state_.handlers.end())
    return fail(op,
                "gluond cannot compile `" + op->getName().getStringRef() + "` for this target yet");
  if (computesOnByteFloats(op))
    return reject(op, "`" + op->getName().getStringRef() +
                          "` has no instruction for 8-bit floats: only tensors can be converted to "
                          "and from them, and nothing can be computed with them");
  if (!handler->second.handler(*this, op)) return false;
  if (meets.barrierAfter.contains(op)) barrier();
  return true;
}

bool Emitter::region(mlir::Block& block) {
  for (mlir::Operation& inner : block)
    if (!op(&inner)) return false;
  return true;
}

void Emitter::locate(mlir::Location location) {
  if (!state_.debug) return;
  auto fileOf = [&](llvm::StringRef name) {
    llvm::DIFile*& file = state_.files[name];
    if (!file) {
      auto [folder, base] = name.rsplit('/');
      file = base.empty() ? state_.debug->createFile(folder, ".")
                          : state_.debug->createFile(base, folder);
    }
    return file;
  };
  // The innermost line, in the scope of the kernel; calls that led there as inlined places.
  auto visit = [&](auto&& self, mlir::Location at,
                   llvm::DILocation* inlinedAt) -> llvm::DILocation* {
    if (auto named = mlir::dyn_cast<mlir::NameLoc>(at))
      return self(self, named.getChildLoc(), inlinedAt);
    if (auto call = mlir::dyn_cast<mlir::CallSiteLoc>(at))
      return self(self, call.getCallee(), self(self, call.getCaller(), inlinedAt));
    if (auto fused = mlir::dyn_cast<mlir::FusedLoc>(at)) {
      for (mlir::Location part : fused.getLocations())
        if (llvm::DILocation* found = self(self, part, inlinedAt)) return found;
      return nullptr;
    }
    auto line = mlir::dyn_cast<mlir::FileLineColRange>(mlir::LocationAttr(at));
    if (!line) return nullptr;
    llvm::DIFile* file = fileOf(line.getFilename().getValue());
    if (!subprogram_) {
      subprogram_ = state_.debug->createFunction(
          file, llvm_->getName(), llvm_->getName(), file, line.getStartLine(),
          state_.debug->createSubroutineType(state_.debug->getOrCreateTypeArray({})),
          line.getStartLine(), llvm::DINode::FlagZero,
          llvm::DISubprogram::SPFlagDefinition | llvm::DISubprogram::SPFlagOptimized);
      llvm_->setSubprogram(subprogram_);
    }
    llvm::DILocalScope* scope = subprogram_;
    if (file != subprogram_->getFile())
      scope = state_.debug->createLexicalBlockFile(subprogram_, file);
    return llvm::DILocation::get(state_.context, line.getStartLine(), line.getStartColumn(), scope);
  };
  if (llvm::DILocation* found = visit(visit, location, nullptr)) b.SetCurrentDebugLocation(found);
}

bool Emitter::function(llvm::Function* function) {
  llvm_ = function;
  auto source = mlir::cast<tt::FuncOp>(source_);
  llvm::BasicBlock* entry = newBlock("entry");
  b.SetInsertPoint(entry);
  locate(source.getLoc());
  group_.warps = ttg::lookupNumWarps(source_).value_or(4);
  if (auto own = source_->getAttrOfType<mlir::IntegerAttr>(ttg::numWarpsAttr))
    group_.warps = static_cast<unsigned>(own.getInt());
  RegisterList arguments;
  for (llvm::Argument& argument : function->args())
    arguments.push_back(&argument);
  // A kernel ends with the scratch that the launcher gives it, another function begins its shared
  // memory where its caller says.
  if (isKernel()) {
    globalScratch_ = arguments[arguments.size() - 2];
    sharedBase_ = state_.shared;
  } else {
    sharedBase_ = arguments.back();
    globalScratch_ = arguments[arguments.size() - 2];
  }
  bind(source.getArguments(), Registers(arguments).drop_back(2));
  if (isKernel()) {
    group_.isWholeCta = !function_->warpSpecializationOffset;
    if (!beginWarps(*this)) return false;
  }
  beginPlace();
  if (isKernel() && !target().beginKernel(*this)) return false;
  return blocks(source.getBody());
}

bool Emitter::inPlace(mlir::Region& body, mlir::TypeRange types, RegisterList& results) {
  Inlining own;
  own.after = newBlock("returned");
  {
    llvm::IRBuilder<>::InsertPointGuard guard(b);
    b.SetInsertPoint(own.after);
    own.results = phis(types, 2);
  }
  std::swap(inlining_, own);
  bool isFine = blocks(body);
  std::swap(inlining_, own);
  b.SetInsertPoint(own.after);
  results.assign(own.results.begin(), own.results.end());
  return isFine;
}

bool Emitter::inlined(mlir::Operation* callee, Registers arguments, llvm::Value* sharedBase,
                      mlir::ResultRange results) {
  auto source = mlir::cast<tt::FuncOp>(callee);
  auto* caller = std::exchange(function_, state_.functions[callee].get());
  auto* callersBase = std::exchange(sharedBase_, sharedBase);
  bind(source.getArguments(), arguments);
  RegisterList registers;
  bool isFine = inPlace(source.getBody(), source.getResultTypes(), registers);
  sharedBase_ = callersBase;
  function_ = caller;
  bind(results, registers);
  return isFine;
}

bool Emitter::returnInlined(Registers results) {
  if (!inlining_.after) return false;
  for (auto [phi, value] : llvm::zip(inlining_.results, results))
    phi->addIncoming(value, b.GetInsertBlock());
  b.CreateBr(inlining_.after);
  return true;
}

// Branches of early returns: an LLVM block for each block, with phis for its arguments.
bool Emitter::blocks(mlir::Region& body) {
  if (body.hasOneBlock()) return region(body.front());
  llvm::BasicBlock* entry = b.GetInsertBlock();
  for (mlir::Block& block : body) {
    if (&block == &body.front()) {
      blocks_[&block] = entry;
      continue;
    }
    llvm::BasicBlock* made = blocks_[&block] = newBlock("block");
    b.SetInsertPoint(made);
    RegisterList arguments;
    unsigned incoming = static_cast<unsigned>(std::distance(block.pred_begin(), block.pred_end()));
    for (llvm::PHINode* phi : phis(block.getArgumentTypes(), incoming))
      arguments.push_back(phi);
    bind(block.getArguments(), arguments);
  }
  for (mlir::Block& block : body) {
    b.SetInsertPoint(blocks_[&block]);
    if (!region(block)) return false;
  }
  return true;
}

llvm::BasicBlock* Emitter::branchTo(mlir::Block* block, mlir::ValueRange operands) {
  llvm::BasicBlock* target = blocks_.lookup(block);
  RegisterList registers = flatten(operands);
  for (auto [phi, value] : llvm::zip(target->phis(), registers))
    phi.addIncoming(value, b.GetInsertBlock());
  return target;
}

} // namespace gluond::lowering
