// Loads and stores of global memory under predicates and cache policies, and what one kernel of a
// stream knows of the one before.
#include "ir/ttng/Ops.h"
#include "lowering/Elementwise.h"
#include "lowering/nvidia/Instructions.h"
#include "lowering/nvidia/NvidiaTarget.h"

namespace gluond::lowering::nvidia {

// A load's `eviction_policy` is one for both caches.
static ttng::CachePolicyAttr policyOf(mlir::Attribute attribute) {
  auto plain = mlir::dyn_cast_or_null<tt::CachePolicyAttr>(attribute);
  if (!plain) return mlir::dyn_cast_or_null<ttng::CachePolicyAttr>(attribute);
  using Priority = ttng::CacheEvictionPriority;
  Priority priority =
      plain.getEvictionPolicy() == tt::EvictionPolicy::EVICT_FIRST  ? Priority::EVICT_FIRST
      : plain.getEvictionPolicy() == tt::EvictionPolicy::EVICT_LAST ? Priority::EVICT_LAST
                                                                    : Priority::NONE;
  return ttng::CachePolicyAttr::get(attribute.getContext(), plain.getCacheModifier(), priority,
                                    priority, Priority::NONE, {}, {});
}

// ".cg", ".L1::evict_last", and an L2 policy made before the access.
CacheHint NvidiaTarget::cacheHint(FunctionEmitter& e, mlir::Attribute attribute,
                                  bool isLoad) const {
  CacheHint hint;
  auto policy = policyOf(attribute);
  if (!policy) return hint;
  switch (policy.getCacheModifier()) {
  case tt::CacheModifier::NONE:
    break;
  case tt::CacheModifier::CA:
    hint.words += ".ca";
    break;
  case tt::CacheModifier::CG:
    hint.words += ".cg";
    break;
  case tt::CacheModifier::CS:
    hint.words += ".cs";
    break;
  case tt::CacheModifier::WB:
    hint.words += isLoad ? "" : ".wb";
    break;
  case tt::CacheModifier::WT:
    hint.words += isLoad ? "" : ".wt";
    break;
  case tt::CacheModifier::CV:
    hint.words += isLoad ? ".cv" : "";
    break;
  }
  using Priority = ttng::CacheEvictionPriority;
  auto name = [](Priority priority) -> std::string {
    return priority == Priority::NO_ALLOCATE ? "no_allocate"
                                             : ttng::stringifyCacheEvictionPriority(priority).str();
  };
  if (policy.getL1() != Priority::NONE) hint.words += ".L1::" + name(policy.getL1());
  if (policy.getL2Primary() != Priority::NONE && has(chips::Feature::AsyncCopy)) {
    double fraction = policy.getL2Fraction() ? policy.getL2Fraction().getValueAsDouble() : 1.0;
    std::string secondary =
        policy.getL2Secondary() == Priority::NONE ? "" : ".L2::" + name(policy.getL2Secondary());
    hint.value = e.assembly(e.b.getInt64Ty(),
                            "createpolicy.fractional.L2::" + name(policy.getL2Primary()) +
                                secondary + ".b64 $0, " + std::to_string(fraction) + ";",
                            "=l", {}, false);
    hint.words += ".L2::cache_hint";
  }
  if (policy.getL2PrefetchSize())
    hint.words += ".L2::" + std::to_string(policy.getL2PrefetchSize().getInt()) + "B";
  return hint;
}

namespace {

struct WordShape {
  unsigned words, bits; // of one access: words of 8, 16, 32 or 64 bits
  std::string ptx() const {
    return (words > 1 ? ".v" + std::to_string(words) : std::string()) + ".b" + std::to_string(bits);
  }
  char constraint() const { return bits == 64 ? 'l' : bits == 32 ? 'r' : 'h'; }
};
// Elements of 64 bits are words of their own: nothing takes them apart and puts them together.
WordShape wordShape(unsigned elements, unsigned elementBits) {
  if (elementBits == 64) return {elements, 64};
  unsigned accessBits = elements * elementBits;
  if (accessBits <= 32) return {1, accessBits};
  return {accessBits / 32, 32};
}

// b8 values travel in registers of 16 bits.
llvm::Type* wordType(FunctionEmitter& e, const WordShape& shape) {
  return e.b.getIntNTy(std::max(16u, shape.bits));
}

// An address as an instruction takes it: a register and an immediate offset.
struct Address {
  llvm::Value* base;
  int64_t offset;
};
Address addressOf(FunctionEmitter& e, llvm::Value* pointer) {
  const llvm::DataLayout& layout = e.b.GetInsertBlock()->getModule()->getDataLayout();
  llvm::APInt offset(layout.getIndexTypeSizeInBits(pointer->getType()), 0);
  llvm::Value* base = pointer->stripAndAccumulateConstantOffsets(layout, offset, true);
  if (base->getType() != pointer->getType() || !offset.isSignedIntN(24)) return {pointer, 0};
  return {base, offset.getSExtValue()};
}
std::string plus(int64_t offset) {
  return offset ? "+" + std::to_string(offset) : std::string(); // a negative one is "+-4"
}

WordShape wordShape(const GlobalAccess& access) {
  return wordShape(access.elements,
                   access.element->isIntegerTy(1) ? 8 : registerBits(access.element));
}
RegisterList wordsOf(FunctionEmitter& e, const WordShape& shape, Registers values) {
  if (shape.bits != 64) return pack(e, values);
  RegisterList words;
  for (llvm::Value* value : values)
    words.push_back(e.b.CreateBitOrPointerCast(value, e.b.getInt64Ty()));
  return words;
}

} // namespace

RegisterList NvidiaTarget::loadGlobal(FunctionEmitter& e, const GlobalAccess& access,
                                      Registers others) const {
  WordShape shape = wordShape(access);
  llvm::Type* word = wordType(e, shape);
  // Registers that are not loaded keep their contents: the operands, which are tied to the results.
  RegisterList operands;
  if (!others.empty())
    for (llvm::Value* value : wordsOf(e, shape, others))
      operands.push_back(e.b.CreateZExt(value, word));
  else
    operands.append(shape.words, llvm::Constant::getNullValue(word));
  std::string constraints, tied;
  for (unsigned k = 0; k < shape.words; ++k) {
    constraints += (k ? ",=" : "=") + std::string(1, shape.constraint());
    tied += "," + std::to_string(k);
  }
  unsigned next = 2 * shape.words;
  std::string text;
  constraints += tied;
  if (access.predicate) {
    text = "@$" + std::to_string(next++) + " ";
    constraints += ",b";
    operands.push_back(access.predicate);
  }
  Address address = addressOf(e, access.address);
  text += std::string("ld") + (access.isVolatile ? ".volatile" : "") + ".global" +
          access.cache.words + shape.ptx() + " " + operandList(0, shape.words) + ", [$" +
          std::to_string(next++) + plus(address.offset) + "]";
  constraints += ",l";
  operands.push_back(address.base);
  if (access.cache.value) {
    text += ", $" + std::to_string(next++);
    constraints += ",l";
    operands.push_back(access.cache.value);
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
  if (shape.bits != 64) return unpack(e, words, access.element, access.elements);
  for (llvm::Value*& loadedWord : words)
    loadedWord = e.b.CreateBitOrPointerCast(loadedWord, access.element);
  return words;
}

void NvidiaTarget::storeGlobal(FunctionEmitter& e, const GlobalAccess& access,
                               Registers values) const {
  WordShape shape = wordShape(access);
  RegisterList words = wordsOf(e, shape, values);
  std::string text, constraints;
  RegisterList operands;
  unsigned next = 0;
  auto add = [&](llvm::Value* value, char constraint) {
    constraints += (operands.empty() ? "" : ",") + std::string(1, constraint);
    operands.push_back(value);
    return "$" + std::to_string(next++);
  };
  if (access.predicate) text = "@" + add(access.predicate, 'b') + " ";
  Address address = addressOf(e, access.address);
  text += "st.global" + access.cache.words + shape.ptx() + " [" + add(address.base, 'l') +
          plus(address.offset) + "], " + operandList(next, shape.words);
  // A byte is no word of 16 bits here: nothing has to clear the half that is not stored, and the
  // bytes of a pair stay as alike for ptxas as they are.
  for (llvm::Value* word : words)
    add(word, shape.constraint());
  if (access.cache.value) text += ", " + add(access.cache.value, 'l');
  e.assembly(text + ";", constraints, operands);
}

namespace {

bool gridWait(FunctionEmitter& e, mlir::Operation*) {
  e.assembly("griddepcontrol.wait;", "", {});
  return true;
}
bool gridLaunch(FunctionEmitter& e, mlir::Operation*) {
  e.assembly("griddepcontrol.launch_dependents;", "", {});
  return true;
}

} // namespace

llvm::ArrayRef<OpRow> gridDependencyOps() {
  static constexpr OpRow rows[] = {{"tt.grid_dependency_wait", gridWait},
                                   {"tt.grid_dependency_launch_dependents", gridLaunch}};
  return rows;
}

} // namespace gluond::lowering::nvidia
