#include "FakeTarget.h"

#include "lowering/FunctionEmitter.h"
#include "lowering/Handlers.h"

namespace gluond::test {

using namespace lowering;

namespace {

// An op of its own, and one that it compiles in its own way.
bool ownBarrier(FunctionEmitter& e, mlir::Operation*) {
  e.target().fence(e, tt::MemSyncScope::SYSTEM);
  return true;
}
constexpr OpRow ownOps[] = {
    {"ttng.cluster_barrier", ownBarrier},
    {"ttg.barrier", ownBarrier, [](mlir::Operation*) -> int64_t { return 48; }}};

std::string shape(const GlobalAccess& access) {
  std::string text;
  llvm::raw_string_ostream(text) << access.elements << " x " << *access.element
                                 << (access.predicate ? " masked" : "");
  return text;
}

} // namespace

FakeTarget::FakeTarget(TargetTraits traits) : TargetEmitter(std::move(traits)) {}

llvm::CallInst* FakeTarget::call(FunctionEmitter& e, const std::string& name, llvm::Type* result,
                                 Registers operands, const std::string& detail) const {
  asked.push_back(detail.empty() ? name : name + " " + detail);
  llvm::SmallVector<llvm::Type*> types;
  for (llvm::Value* operand : operands)
    types.push_back(operand->getType());
  return e.b.CreateCall(e.state().module.getOrInsertFunction(
                            "fake." + name, llvm::FunctionType::get(result, types, false)),
                        operands);
}

const HandlerTable& FakeTarget::handlers() const {
  static const HandlerTable table = withSharedHandlers({ownOps});
  return table;
}

std::string FakeTarget::lacks(Feature) const {
  return hasClusters ? "" : "a chip with clusters";
}

void FakeTarget::declareKernel(const ModuleState& state, mlir::TypeRange arguments,
                               llvm::Function& kernel) const {
  kernel.addFnAttr("fake.kernel", std::to_string(arguments.size()) + " arguments, " +
                                      std::to_string(state.warps) + " warps of " +
                                      std::to_string(state.threadsPerWarp));
}

// Four words in registers.
llvm::Type* FakeTarget::descriptorType(llvm::LLVMContext& context, mlir::Type) const {
  return llvm::FixedVectorType::get(llvm::Type::getInt32Ty(context), 4);
}

llvm::Value* FakeTarget::threadOfCta(FunctionEmitter& e) const {
  return call(e, "thread", e.b.getInt32Ty(), {});
}
llvm::Value* FakeTarget::blockOfCluster(FunctionEmitter& e) const {
  return call(e, "block", e.b.getInt32Ty(), {});
}
llvm::Value* FakeTarget::warpOfCta(FunctionEmitter& e, llvm::Value* thread) const {
  return call(e, "warp", e.b.getInt32Ty(), {thread});
}
llvm::Value* FakeTarget::uniform(FunctionEmitter& e, llvm::Value* value) const {
  return call(e, "uniform", e.b.getInt32Ty(), {value});
}
llvm::Value* FakeTarget::gridNumber(FunctionEmitter& e, GridNumber number, unsigned axis) const {
  return call(e, "grid", e.b.getInt32Ty(), {},
              std::to_string(static_cast<unsigned>(number)) + " " + std::to_string(axis));
}
llvm::Value* FakeTarget::nanoseconds(FunctionEmitter& e) const {
  return call(e, "nanoseconds", e.b.getInt64Ty(), {});
}

void FakeTarget::barrier(FunctionEmitter& e, const WarpGroup& group) const {
  call(e, "barrier", e.b.getVoidTy(), {},
       group.isWholeCta ? "" : std::to_string(group.warps) + " warps");
}
void FakeTarget::warpBarrier(FunctionEmitter& e) const {
  call(e, "warp_barrier", e.b.getVoidTy(), {});
}
void FakeTarget::barrierOfAllWarps(FunctionEmitter& e) const {
  call(e, "barrier_of_all", e.b.getVoidTy(), {});
}
void FakeTarget::clusterBarrier(FunctionEmitter& e, bool) const {
  call(e, "cluster_barrier", e.b.getVoidTy(), {});
}
void FakeTarget::fence(FunctionEmitter& e, tt::MemSyncScope scope) const {
  call(e, "fence", e.b.getVoidTy(), {}, tt::stringifyMemSyncScope(scope).str());
}

llvm::Value* FakeTarget::shuffle(FunctionEmitter& e, llvm::Value* word, llvm::Value* lane) const {
  return call(e, "shuffle", e.b.getInt32Ty(), {word, lane});
}
llvm::Value* FakeTarget::shuffleXor(FunctionEmitter& e, llvm::Value* word, unsigned bits) const {
  return call(e, "shuffle_xor", e.b.getInt32Ty(), {word, e.i32(bits)}, std::to_string(bits));
}
llvm::Value* FakeTarget::reduceWarp(FunctionEmitter& e, llvm::StringRef combiner,
                                    llvm::Value* value) const {
  return reducesWarps ? call(e, "reduce_warp", value->getType(), {value}, combiner.str()) : nullptr;
}

RegisterList FakeTarget::loadGlobal(FunctionEmitter& e, const GlobalAccess& access,
                                    Registers others) const {
  std::string detail = shape(access);
  if (!others.empty()) detail += ", else " + std::to_string(others.size());
  auto* vector = llvm::FixedVectorType::get(access.element, access.elements);
  llvm::Value* loaded = call(e, "load", vector, {access.address, access.predicate}, detail);
  RegisterList values;
  for (unsigned i = 0; i < access.elements; ++i)
    values.push_back(e.b.CreateExtractElement(loaded, i));
  return values;
}
void FakeTarget::storeGlobal(FunctionEmitter& e, const GlobalAccess& access,
                             Registers values) const {
  RegisterList operands{access.address, access.predicate};
  operands.append(values.begin(), values.end());
  call(e, "store", e.b.getVoidTy(), operands, shape(access));
}
void FakeTarget::storeShared(FunctionEmitter& e, llvm::Value* predicate, llvm::Value* address,
                             llvm::Value* word) const {
  call(e, "store_shared", e.b.getVoidTy(), {predicate, address, word});
}
void FakeTarget::countShared(FunctionEmitter& e, llvm::Value* predicate,
                             llvm::Value* address) const {
  call(e, "count", e.b.getVoidTy(), {predicate, address});
}

unsigned FakeTarget::atomicElements(tt::RMWOp kind, mlir::Type element) const {
  if (element.isInteger(8)) return 0;
  return kind == tt::RMWOp::FADD ? 2 : 1;
}
RegisterList FakeTarget::atomicUpdate(FunctionEmitter& e, const AtomicAccess& access,
                                      tt::RMWOp kind, Registers values) const {
  RegisterList operands{access.address, access.predicate}, results;
  operands.append(values.begin(), values.end());
  std::string detail = tt::stringifyRMWOp(kind).str() + " x " + std::to_string(values.size());
  llvm::Value* old = call(e, "atomic", values.front()->getType(), operands,
                          detail + (access.isResultUsed ? "" : ", no result"));
  results.assign(values.size(), old);
  return results;
}
llvm::Value* FakeTarget::compareAndSwap(FunctionEmitter& e, const AtomicAccess& access,
                                        llvm::Value* expected, llvm::Value* value) const {
  return call(e, "compare_and_swap", value->getType(),
              {access.address, access.predicate, expected, value});
}
llvm::Value* FakeTarget::atomicLoad(FunctionEmitter& e, const AtomicAccess& access,
                                    llvm::Type* type) const {
  return call(e, "atomic_load", type, {access.address, access.predicate});
}
void FakeTarget::atomicStore(FunctionEmitter& e, const AtomicAccess& access,
                             llvm::Value* value) const {
  call(e, "atomic_store", e.b.getVoidTy(), {access.address, access.predicate, value});
}

llvm::Value* FakeTarget::math(FunctionEmitter& e, llvm::StringRef op, Registers operands) const {
  return call(e, "math", operands.front()->getType(), operands, op.str());
}
void FakeTarget::print(FunctionEmitter& e, llvm::StringRef format, Registers values) const {
  call(e, "print", e.b.getVoidTy(), values, format.str());
}
void FakeTarget::assertionFailed(FunctionEmitter& e, llvm::StringRef message,
                                 const SourcePlace&) const {
  call(e, "assertion_failed", e.b.getVoidTy(), {}, message.str());
}

} // namespace gluond::test
