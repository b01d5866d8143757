#include "lowering/memory/GlobalMemory.h"

#include "ir/ttg/Ops.h"
#include "ir/ttng/Ops.h"
#include "lowering/Elementwise.h"

#include <llvm/Support/MathExtras.h>

namespace gluond::lowering {

unsigned accessElements(Emitter& e, mlir::Value pointer, mlir::Value mask) {
  auto type = mlir::dyn_cast<mlir::RankedTensorType>(pointer.getType());
  if (!type) return 1;
  const LinearLayout& layout = e.layoutOf(type);
  llvm::ArrayRef<uint64_t> registers = layout.columns(Dim::Register);
  if (registers.empty()) return 1;
  // The dimension that registers run along first.
  unsigned axis = 0;
  while (axis < layout.outs().size() &&
         registers.front() != uint64_t(1) << layout.outShift(layout.outs()[axis].dim))
    ++axis;
  if (axis == layout.outs().size()) return 1;
  unsigned run = 0, shift = layout.outShift(layout.outs()[axis].dim);
  while (run < registers.size() && registers[run] == uint64_t(1) << (shift + run))
    ++run;
  unsigned dim = layout::tensorDimIndex(layout.outs()[axis].dim);

  unsigned bytes = std::max(
      1u, e.memoryBits(mlir::cast<tt::PointerType>(type.getElementType()).getPointeeType()) / 8);
  passes::AxisInfo info = e.state().axes.at(pointer);
  if (info.rank() <= dim) return 1;
  int64_t most = std::min<int64_t>({int64_t(1) << run, info.contiguity[dim],
                                    std::max<int64_t>(1, info.divisibility[dim] / bytes),
                                    std::max<int64_t>(1, 16 / bytes)});
  if (mask) {
    passes::AxisInfo masks = e.state().axes.at(mask);
    most = std::min(most, masks.rank() > dim ? masks.constancy[dim] : 1);
  }
  return llvm::bit_floor(static_cast<unsigned>(std::max<int64_t>(1, most)));
}

CacheWords cacheWords(Emitter& e, mlir::Attribute attribute, bool isLoad) {
  CacheWords words;
  auto policy = mlir::dyn_cast_or_null<ttng::CachePolicyAttr>(attribute);
  if (!policy) return words;
  switch (policy.getCacheModifier()) {
  case tt::CacheModifier::NONE:
    break;
  case tt::CacheModifier::CA:
    words.qualifiers += ".ca";
    break;
  case tt::CacheModifier::CG:
    words.qualifiers += ".cg";
    break;
  case tt::CacheModifier::CS:
    words.qualifiers += ".cs";
    break;
  case tt::CacheModifier::WB:
    words.qualifiers += isLoad ? "" : ".wb";
    break;
  case tt::CacheModifier::WT:
    words.qualifiers += isLoad ? "" : ".wt";
    break;
  case tt::CacheModifier::CV:
    words.qualifiers += isLoad ? ".cv" : "";
    break;
  }
  using Priority = ttng::CacheEvictionPriority;
  auto name = [](Priority priority) -> std::string {
    return priority == Priority::NO_ALLOCATE ? "no_allocate"
                                             : ttng::stringifyCacheEvictionPriority(priority).str();
  };
  if (policy.getL1() != Priority::NONE) words.qualifiers += ".L1::" + name(policy.getL1());
  if (policy.getL2Primary() != Priority::NONE) {
    double fraction = policy.getL2Fraction() ? policy.getL2Fraction().getValueAsDouble() : 1.0;
    std::string secondary =
        policy.getL2Secondary() == Priority::NONE ? "" : ".L2::" + name(policy.getL2Secondary());
    words.policy = e.assembly(e.b.getInt64Ty(),
                              "createpolicy.fractional.L2::" + name(policy.getL2Primary()) +
                                  secondary + ".b64 $0, " + std::to_string(fraction) + ";",
                              "=l", {}, false);
    words.qualifiers += ".L2::cache_hint";
  }
  if (policy.getL2PrefetchSize())
    words.qualifiers += ".L2::" + std::to_string(policy.getL2PrefetchSize().getInt()) + "B";
  return words;
}

namespace {

struct WordShape {
  unsigned words, bits; // of one access: words of 8, 16, 32 or 64 bits
  std::string ptx() const {
    return (words > 1 ? ".v" + std::to_string(words) : std::string()) + ".b" + std::to_string(bits);
  }
  char constraint() const { return bits == 64 ? 'l' : bits == 32 ? 'r' : 'h'; }
};
WordShape wordShape(unsigned accessBits) {
  if (accessBits <= 32) return {1, accessBits};
  return {accessBits / 32, 32};
}

// b8 values travel in registers of 16 bits.
llvm::Type* wordType(Emitter& e, const WordShape& shape) {
  return e.b.getIntNTy(std::max(16u, shape.bits));
}

bool load(Emitter& e, mlir::Operation* op) {
  auto load = mlir::cast<tt::LoadOp>(op);
  Registers pointers = e.get(load.getPtr());
  Registers masks = load.getMask() ? e.get(load.getMask()) : Registers();
  Registers others = load.getOther() ? e.get(load.getOther()) : Registers();
  llvm::Type* element = e.elementType(load.getType());
  unsigned elementBits = e.memoryBits(mlir::getElementTypeOrSelf(load.getType()));
  unsigned run = accessElements(e, load.getPtr(), load.getMask());
  CacheWords cache = cacheWords(e, load.getCachePolicyAttr(), true);
  WordShape shape = wordShape(run * elementBits);
  RegisterList results;
  for (size_t i = 0; i < pointers.size(); i += run) {
    auto* mask = masks.empty() ? nullptr : masks[i];
    if (auto* always = llvm::dyn_cast_or_null<llvm::ConstantInt>(mask); always && always->isOne())
      mask = nullptr;
    if (!mask && cache.none()) {
      llvm::Type* memory = element->isIntegerTy(1) ? e.b.getInt8Ty() : element;
      llvm::Type* whole = run == 1 ? memory : llvm::FixedVectorType::get(memory, run);
      llvm::LoadInst* value = e.b.CreateAlignedLoad(
          whole, pointers[i], llvm::Align(run * elementBits / 8), load.getIsVolatile());
      for (unsigned k = 0; k < run; ++k) {
        llvm::Value* one =
            run == 1 ? static_cast<llvm::Value*>(value) : e.b.CreateExtractElement(value, k);
        results.push_back(element->isIntegerTy(1) ? e.b.CreateTrunc(one, element) : one);
      }
      continue;
    }
    // What is not loaded is what the registers held before: `other`, or zero.
    RegisterList before, operands;
    llvm::Type* word = wordType(e, shape);
    if (!others.empty())
      for (llvm::Value* value :
           pack(e, others.size() == 1 && run > 1 ? Registers(RegisterList(run, others[0]))
                                                 : others.slice(i, run)))
        before.push_back(e.b.CreateZExt(value, word));
    else
      before.append(shape.words, llvm::Constant::getNullValue(word));
    std::string constraints, tied;
    for (unsigned k = 0; k < shape.words; ++k) {
      constraints += (k ? ",=" : "=") + std::string(1, shape.constraint());
      tied += "," + std::to_string(k);
    }
    operands = before;
    unsigned next = 2 * shape.words;
    std::string text;
    constraints += tied;
    if (mask) {
      text = "@$" + std::to_string(next++) + " ";
      constraints += ",b";
      operands.push_back(mask);
    }
    text += std::string("ld") + (load.getIsVolatile() ? ".volatile" : "") + ".global" +
            cache.qualifiers + shape.ptx() + " " + operandList(0, shape.words) + ", [$" +
            std::to_string(next++) + "]";
    constraints += ",l";
    operands.push_back(pointers[i]);
    if (cache.policy) {
      text += ", $" + std::to_string(next++);
      constraints += ",l";
      operands.push_back(cache.policy);
    }
    llvm::Type* result =
        shape.words == 1 ? word
                         : llvm::StructType::get(e.b.getContext(),
                                                 llvm::SmallVector<llvm::Type*>(shape.words, word));
    llvm::Value* loaded = e.assembly(result, text + ";", constraints, operands);
    RegisterList words;
    for (unsigned k = 0; k < shape.words; ++k) {
      llvm::Value* one = shape.words == 1 ? loaded : e.b.CreateExtractValue(loaded, k);
      words.push_back(e.b.CreateTrunc(one, e.b.getIntNTy(shape.bits)));
    }
    llvm::append_range(results, unpack(e, words, element, run));
  }
  e.set(load, results);
  return true;
}

bool store(Emitter& e, mlir::Operation* op) {
  auto store = mlir::cast<tt::StoreOp>(op);
  Registers pointers = e.get(store.getPtr()), values = e.get(store.getValue());
  Registers masks = store.getMask() ? e.get(store.getMask()) : Registers();
  mlir::Type type = store.getValue().getType();
  unsigned elementBits = e.memoryBits(mlir::getElementTypeOrSelf(type));
  unsigned run = accessElements(e, store.getPtr(), store.getMask());
  CacheWords cache = cacheWords(e, store.getCachePolicyAttr(), false);
  WordShape shape = wordShape(run * elementBits);
  llvm::Value* mine;
  if (mlir::isa<mlir::RankedTensorType>(type)) {
    mine = e.isFirstCopy(e.layoutOf(type));
  } else {
    mine = e.b.CreateICmpEQ(e.thread(), e.i32(0));
    if (e.state().ctas > 1 && !store.getIgnoreCta())
      mine = e.b.CreateAnd(mine, e.b.CreateICmpEQ(e.block(), e.i32(0)));
  }
  auto* always = llvm::dyn_cast<llvm::ConstantInt>(mine);
  for (size_t i = 0; i < pointers.size(); i += run) {
    llvm::Value* mask = always ? nullptr : mine;
    if (!masks.empty()) {
      auto* known = llvm::dyn_cast<llvm::ConstantInt>(masks[i]);
      if (!known || !known->isOne()) mask = mask ? e.b.CreateAnd(mask, masks[i]) : masks[i];
    }
    RegisterList words = pack(e, values.slice(i, run));
    if (!mask && cache.none()) {
      llvm::Value* whole = words.front();
      if (words.size() > 1) {
        whole = llvm::PoisonValue::get(
            llvm::FixedVectorType::get(whole->getType(), static_cast<unsigned>(words.size())));
        for (auto [k, word] : llvm::enumerate(words))
          whole = e.b.CreateInsertElement(whole, word, k);
      }
      e.b.CreateAlignedStore(whole, pointers[i], llvm::Align(run * elementBits / 8));
      continue;
    }
    std::string text, constraints;
    RegisterList operands;
    unsigned next = 0;
    auto add = [&](llvm::Value* value, char constraint) {
      constraints += (operands.empty() ? "" : ",") + std::string(1, constraint);
      operands.push_back(value);
      return "$" + std::to_string(next++);
    };
    if (mask) text = "@" + add(mask, 'b') + " ";
    text += "st.global" + cache.qualifiers + shape.ptx() + " [" + add(pointers[i], 'l') + "], " +
            operandList(next, shape.words);
    for (llvm::Value* word : words)
      add(e.b.CreateZExt(word, wordType(e, shape)), shape.constraint());
    if (cache.policy) text += ", " + add(cache.policy, 'l');
    e.assembly(text + ";", constraints, operands);
  }
  return true;
}

bool gridWait(Emitter& e, mlir::Operation*) {
  e.assembly("griddepcontrol.wait;", "", {});
  return true;
}
bool gridLaunch(Emitter& e, mlir::Operation*) {
  e.assembly("griddepcontrol.launch_dependents;", "", {});
  return true;
}

// Each CTA of the grid has its own part of the launcher's scratch.
bool globalScratch(Emitter& e, mlir::Operation* op) {
  auto& own = e.functionState();
  llvm::Value* ctaOfGrid = nullptr;
  auto special = [&](llvm::StringRef name) {
    return e.assembly(e.b.getInt32Ty(), ("mov.u32 $0, %" + name + ";").str(), "=r", {}, false);
  };
  ctaOfGrid =
      e.b.CreateAdd(e.b.CreateMul(special("ctaid.z"), special("nctaid.y")), special("ctaid.y"));
  ctaOfGrid = e.b.CreateAdd(e.b.CreateMul(ctaOfGrid, special("nctaid.x")), special("ctaid.x"));
  llvm::Value* offset =
      e.b.CreateMul(e.b.CreateZExt(ctaOfGrid, e.b.getInt64Ty()), e.i64(own.globalScratchBytes));
  offset = e.b.CreateAdd(offset, e.i64(own.globalScratch.lookup(op)));
  e.set(op->getResult(0), e.b.CreateGEP(e.b.getInt8Ty(), e.globalScratch(), offset));
  return true;
}

} // namespace

void addGlobalMemory(HandlerTable& table) {
  table["tt.load"] = load;
  table["tt.store"] = store;
  table["tt.grid_dependency_wait"] = gridWait;
  table["tt.grid_dependency_launch_dependents"] = gridLaunch;
  table["ttg.global_scratch_alloc"] = globalScratch;
}

} // namespace gluond::lowering
