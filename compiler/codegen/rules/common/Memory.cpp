// gl.load, gl.store.
#include "codegen/rules/common/Memory.h"

#include "codegen/builder/KernelFixes.h"
#include "codegen/builder/OperandFixes.h"
#include "releases/Rules.h"

#include <llvm/ADT/StringMap.h>

namespace gluond::codegen {

static llvm::StringRef textOf(Value value) {
  auto* text = value.as<language::StrObject>();
  return text ? text->text : llvm::StringRef();
}

static void unknownOption(IrBuilder& emit, const Node* at, llvm::StringRef what,
                          llvm::StringRef written, const std::vector<std::string>& choices) {
  auto reported = emit.error(Id::UnknownOption, at, what, written, choices);
  offerChoices(emit, reported, at, written, choices);
}

// A string argument of atomics, with what other languages call its values.
struct StringOption {
  llvm::StringLiteral parameter, what;
  std::vector<std::string> choices;
  llvm::StringMap<llvm::StringLiteral> others;
};
static const StringOption& semantics() {
  static const StringOption option = {"sem",
                                      "memory semantic",
                                      {"acquire", "release", "acq_rel", "relaxed"},
                                      {{"acquire_release", "acq_rel"},
                                       {"monotonic", "relaxed"},
                                       {"seq_cst", "acq_rel"},
                                       {"volatile", "relaxed"},
                                       {"weak", "relaxed"}}};
  return option;
}
static const StringOption& scopes() {
  static const StringOption option = {"scope",
                                      "scope",
                                      {"cta", "gpu", "sys"},
                                      {{"agent", "gpu"},
                                       {"block", "cta"},
                                       {"device", "gpu"},
                                       {"global", "gpu"},
                                       {"grid", "gpu"},
                                       {"system", "sys"},
                                       {"threadblock", "cta"},
                                       {"workgroup", "cta"}}};
  return option;
}

// An unknown value of `option`, which may be a value of another argument of the call.
static void unknownValue(IrBuilder& emit, const Arguments& args, size_t i,
                         const StringOption& option, llvm::StringRef written,
                         const StringOption& other) {
  const Node* at = args.node(i);
  auto* constant = llvm::dyn_cast<syntax::Constant>(at);
  auto* call = llvm::dyn_cast_if_present<syntax::Call>(args.call);
  auto meant = option.others.find(written);
  bool isOfOther = llvm::is_contained(other.choices, written);
  if (!constant || (meant == option.others.end() && !(isOfOther && call)))
    return unknownOption(emit, at, option.what, written, option.choices);
  auto reported = emit.error(Id::UnknownOption, at, option.what, written, option.choices);
  if (meant != option.others.end()) {
    std::string text = "\"" + meant->second.str() + "\"";
    reported.fix(diagnostics::FixId::TryText, {{constant->range, text}}, text);
    return;
  }
  bool isGiven = llvm::any_of(call->keywords, [&](const syntax::Keyword& each) {
    return emit.names().text(each.name.name) == other.parameter;
  });
  if (isGiven) return;
  for (const syntax::Keyword& each : call->keywords)
    if (each.value == at) {
      std::string text = other.parameter.str() + "=" + emit.sourceText(constant).str();
      reported.fix(diagnostics::FixId::TryText, {{each.name.range, other.parameter.str()}}, text);
    }
  if (!call->args.empty() && call->args.back() == at) {
    std::string text = other.parameter.str() + "=" + emit.sourceText(constant).str();
    reported.fix(diagnostics::FixId::TryText, {{constant->range, text}}, text);
  }
}

mlir::Attribute cachePolicyAttribute(IrBuilder& emit, const LayoutObject* policy) {
  mlir::MLIRContext* context = emit.context();
  if (language::isA(policy, LayoutKind::CachePolicy)) {
    auto modifier = tt::symbolizeCacheModifier(textOf(policy->fields[0]));
    auto eviction = tt::symbolizeEvictionPolicy(textOf(policy->fields[1]));
    if (!modifier || !eviction) return {};
    if (*modifier == tt::CacheModifier::NONE && *eviction == tt::EvictionPolicy::NORMAL) return {};
    return tt::CachePolicyAttr::get(context, *modifier, *eviction);
  }
  return nvidiaCachePolicy(emit, policy);
}

std::optional<mlir::Attribute> cachePolicy(IrBuilder& emit, const Arguments& args, int policy,
                                           int modifier, int eviction) {
  auto given = [&](int i) { return i >= 0 && !args[static_cast<size_t>(i)].isNone(); };
  auto at = [&](int i) { return args[static_cast<size_t>(i)]; };
  if (given(policy)) {
    if (given(modifier) || given(eviction)) {
      int other = given(modifier) ? modifier : eviction;
      emit.error(Id::BadArgument, args.node(static_cast<size_t>(other)),
                 "cache_policy cannot be combined with cache_modifier or eviction_policy");
      return std::nullopt;
    }
    auto* object = layoutArgument(emit, args, static_cast<size_t>(policy),
                                  language::LayoutFamily::Policy, "cache_policy");
    if (!object) return std::nullopt;
    return cachePolicyAttribute(emit, object);
  }
  // Strings: None and "" are the default, and a leading dot is allowed.
  Value fields[2];
  llvm::StringLiteral defaults[] = {"none", "evict_normal"};
  for (int k = 0; k < 2; ++k) {
    int i = k == 0 ? modifier : eviction;
    bool isDefault = !given(i) || (at(i).is(ValueKind::Str) && textOf(at(i)).empty());
    fields[k] = isDefault ? emit.heap().str(defaults[k]) : at(i);
  }
  auto made = language::makeLayout(LayoutKind::CachePolicy, fields, emit.heap());
  if (!made) {
    int i = made.error().argument == 0 ? modifier : eviction;
    static const std::vector<std::string> known[] = {{".ca", ".cg", ".wb", ".cs", ".wt", ".cv"},
                                                     {"evict_normal", "evict_first", "evict_last"}};
    bool isModifier = i == modifier;
    if (i >= 0 && at(i).is(ValueKind::Str))
      unknownOption(emit, args.node(static_cast<size_t>(i)),
                    isModifier ? "cache modifier" : "eviction policy", textOf(at(i)),
                    known[!isModifier]);
    else
      emit.error(Id::BadArgument, i >= 0 ? args.node(static_cast<size_t>(i)) : args.call,
                 made.error().message);
    return std::nullopt;
  }
  return cachePolicyAttribute(emit, made->as<LayoutObject>());
}

std::optional<tt::CacheModifier> cacheModifier(IrBuilder& emit, const Arguments& args, size_t i,
                                               CacheUse use) {
  if (isNone(args, i)) return tt::CacheModifier::NONE;
  auto text = stringArgument(emit, args, i, "cache_modifier");
  if (!text) return std::nullopt;
  if (text->empty()) return tt::CacheModifier::NONE;
  static constexpr std::pair<llvm::StringLiteral, tt::CacheModifier> loads[] = {
      {".ca", tt::CacheModifier::CA},
      {".cg", tt::CacheModifier::CG},
      {".cs", tt::CacheModifier::CS},
      {".cv", tt::CacheModifier::CV}};
  static constexpr std::pair<llvm::StringLiteral, tt::CacheModifier> stores[] = {
      {".wb", tt::CacheModifier::WB},
      {".cg", tt::CacheModifier::CG},
      {".cs", tt::CacheModifier::CS},
      {".wt", tt::CacheModifier::WT}};
  std::vector<std::string> known;
  for (auto& [name, modifier] : use == CacheUse::Load ? loads : stores) {
    if (name == *text) return modifier;
    known.push_back(name.str());
  }
  unknownOption(emit, args.node(i), "cache modifier", *text, known);
  return std::nullopt;
}

std::optional<tt::MemSemantic> memSemantic(IrBuilder& emit, const Arguments& args, size_t i,
                                           tt::MemSemantic fallback) {
  if (isNone(args, i)) return fallback;
  auto text = stringArgument(emit, args, i, "sem");
  if (!text) return std::nullopt;
  if (text->empty()) return fallback;
  if (*text == "acquire") return tt::MemSemantic::ACQUIRE;
  if (*text == "release") return tt::MemSemantic::RELEASE;
  if (*text == "acq_rel") return tt::MemSemantic::ACQUIRE_RELEASE;
  if (*text == "relaxed") return tt::MemSemantic::RELAXED;
  unknownValue(emit, args, i, semantics(), *text, scopes());
  return std::nullopt;
}

std::optional<tt::MemSyncScope> memScope(IrBuilder& emit, const Arguments& args, size_t i) {
  if (isNone(args, i)) return tt::MemSyncScope::GPU;
  auto text = stringArgument(emit, args, i, "scope");
  if (!text) return std::nullopt;
  if (text->empty() || *text == "gpu") return tt::MemSyncScope::GPU;
  if (*text == "cta") return tt::MemSyncScope::CTA;
  if (*text == "sys") return tt::MemSyncScope::SYSTEM;
  unknownValue(emit, args, i, scopes(), *text, semantics());
  return std::nullopt;
}

std::optional<tt::PaddingOption> paddingOption(IrBuilder& emit, const Arguments& args, size_t i) {
  auto text = stringArgument(emit, args, i, "padding_option");
  if (!text) return std::nullopt;
  if (*text == "zero") return tt::PaddingOption::PAD_ZERO;
  if (*text == "nan") return tt::PaddingOption::PAD_NAN;
  unknownOption(emit, args.node(i), "padding option", *text, {"zero", "nan"});
  return std::nullopt;
}

std::optional<mlir::Value> initialValue(IrBuilder& emit, const Arguments& args, size_t i,
                                        const Type* buffer) {
  if (refusesNone(emit, args, i, "value")) return std::nullopt;
  if (isNone(args, i)) return mlir::Value();
  Tensor tensor = tensorArgument(emit, args, i, "value");
  if (!tensor) return std::nullopt;
  if (tensor.isBlock() && tensor.shape() != buffer->shape()) {
    emit.error(Id::SharedShapeMismatch, args.node(i), shapeText(tensor.shape()),
               shapeText(buffer->shape()));
    return std::nullopt;
  }
  // Signs are not part of the types that Triton compares.
  mlir::Type element = emit.irType(buffer->element());
  if (element && mlir::getElementTypeOrSelf(tensor.handle.getType()) != element) {
    Reported reported =
        emit.error(Id::SharedDtypeMismatch, args.node(i), tensor.scalar(), buffer->element());
    offerCast(emit, reported, args.node(i), buffer->element());
    return std::nullopt;
  }
  return tensor.handle;
}

bool maskArgument(IrBuilder& emit, const Arguments& args, size_t i, Tensor& mask) {
  if (isNone(args, i)) return true;
  mask = toTensorArgument(emit, args, i);
  return static_cast<bool>(mask);
}

bool checkMask(IrBuilder& emit, Tensor mask, const Node* at) {
  if (mask.scalar()->isBool()) return true;
  auto reported = emit.error(Id::MaskNotBoolean, at, mask.scalar());
  offerText(emit, reported, at,
            [&](const Node* mask) { return primaryText(emit, mask) + " != 0"; });
  return false;
}

bool booleanMask(IrBuilder& emit, const Arguments& args, size_t i, Tensor& mask) {
  if (isNone(args, i)) return true;
  mask = tensorArgument(emit, args, i, "mask");
  return mask && checkMask(emit, mask, args.node(i));
}

// Memory holds bools as bytes.
static Tensor pointerToBytes(IrBuilder& emit, Tensor pointer, const Node* at) {
  return cast(emit, pointer, emit.types().pointer(scalarType(ScalarKind::Int8)), at);
}

std::optional<DescriptorParts> descriptorParts(IrBuilder& emit, const Arguments& args) {
  auto wrong = [&](size_t i, const std::string& why) {
    emit.error(Id::BadArgument, args.node(i), why);
    return std::nullopt;
  };
  Tensor base = tensorArgument(emit, args, 0, "base");
  auto block = base ? intsArgument(emit, args, 3, "block_shape") : std::nullopt;
  if (!block) return std::nullopt;
  for (size_t i : {1, 2})
    if (!language::isSequence(args[i])) {
      emit.error(Id::NotAnInteger, args.node(i), i == 1 ? "shape" : "strides", "a list", args[i]);
      return std::nullopt;
    }
  language::Items sizes = language::itemsOf(args[1]), steps = language::itemsOf(args[2]);
  size_t rank = sizes.size();
  if (rank < 1 || rank > 5)
    return wrong(1, "a descriptor must have one to five dimensions, not " + std::to_string(rank));
  if (steps.size() != rank)
    return wrong(2, std::to_string(rank) + " strides are expected, but got " +
                        std::to_string(steps.size()));
  if (block->size() != rank)
    return wrong(3, "block_shape must have " + std::to_string(rank) + " dimensions, not " +
                        std::to_string(block->size()));
  if (base.isBlock() || !base.type->isPointer()) {
    emit.error(Id::NotATensor, args.node(0), "base", args[0]);
    return std::nullopt;
  }
  return DescriptorParts{base, sizes, steps, std::move(*block)};
}

namespace rules {

// Shared and tensor memory have a method that loads from them.
static Value loadNotAPointer(IrBuilder& emit, const Arguments& args) {
  auto reported = emit.error(Id::LoadNotAPointer, args.node(0), "load", args[0]);
  auto* call = llvm::dyn_cast<syntax::Call>(args.call);
  auto* ir = args[0].as<language::IrObject>();
  if (!ir || !call || call->args.size() + call->keywords.size() > 2) return reported;
  if (args[1].unwrapped().is(ValueKind::Layout)) { // gl.load(buffer, layout)
    std::string load =
        primaryText(emit, args.node(0)) + ".load(" + emit.sourceText(args.node(1)).str() + ")";
    return reported.fix(FixId::TryText, {{call->range, load}}, load);
  }
  if (call->args.size() != 1 || !call->keywords.empty()) return reported;
  auto layouts = variablesThat(emit, [&](Value held) {
    auto* layout = held.as<LayoutObject>();
    return layout && layout->cls->family == language::LayoutFamily::Distributed;
  });
  if (ir->type->is(TypeKind::TensorMemoryDescriptor)) layouts.insert(layouts.begin(), "");
  if (ir->type->is(TypeKind::SharedMemoryDescriptor) ||
      ir->type->is(TypeKind::TensorMemoryDescriptor))
    for (const std::string& layout : layouts) {
      std::string load = primaryText(emit, args.node(0)) + ".load(" + layout + ")";
      reported.fix(FixId::TryText, {{call->range, load}}, load);
    }
  return reported;
}

// load(pointer, mask, other, *, cache_modifier, eviction_policy, volatile[, cache_policy])
Value load(IrBuilder& emit, const Arguments& args) {
  Tensor mask, other;
  if (args[0].as<language::IrObject>() && !asTensor(args[0])) return loadNotAPointer(emit, args);
  if (!maskArgument(emit, args, 1, mask) || !maskArgument(emit, args, 2, other))
    return Value::unknown();
  auto isVolatile = flagArgument(emit, args, 5, "volatile");
  auto policy = isVolatile ? cachePolicy(emit, args, args.size() > 6 ? 6 : -1, 3, 4) : std::nullopt;
  if (!policy) return Value::unknown();
  Tensor pointer = asTensor(args[0]);
  if (!pointer || !pointer.scalar()->isPointer()) return loadNotAPointer(emit, args);
  if (other && !mask) return otherWithoutMask(emit, args, 2, pointer);
  if (!pointer.isBlock()) {
    if (mask && mask.isBlock()) return emit.error(Id::BlockForScalarPointer, args.node(1), "mask");
    if (other && other.isBlock())
      return emit.error(Id::BlockForScalarPointer, args.node(2), "fallback");
  } else {
    if (mask && !broadcast(emit, pointer, mask, args.node(0), args.node(1), "mask"))
      return Value::unknown();
    if (other && !broadcast(emit, pointer, other, args.node(0), args.node(2), "fallback"))
      return Value::unknown();
  }
  if (mask && !checkMask(emit, mask, args.node(1))) return Value::unknown();
  const Type* element = pointer.scalar()->element();
  bool isBool = element->isBool();
  if (isBool) {
    element = scalarType(ScalarKind::Int8);
    pointer = pointerToBytes(emit, pointer, args.node(0));
  }
  if (other && !(other = cast(emit, other, element, args.node(2)))) return Value::unknown();
  const Type* type = emit.types().withElement(pointer.type, element);
  mlir::Type ir = emit.irType(type);
  if (!ir) return Value::unknown();
  Tensor result{
      emit.create<tt::LoadOp>(ir, pointer.handle, mask.handle, other.handle, *policy, *isVolatile),
      type};
  if (isBool) result = cast(emit, result, scalarType(ScalarKind::Int1), args.call);
  return wrap(emit, result);
}

// Shared memory has a method that stores to it.
static Value storeNotAPointer(IrBuilder& emit, const Arguments& args) {
  auto reported = emit.error(Id::LoadNotAPointer, args.node(0), "store", args[0]);
  auto* ir = args[0].as<language::IrObject>();
  auto* call = llvm::dyn_cast<syntax::Call>(args.call);
  if (ir && ir->type->is(TypeKind::SharedMemoryDescriptor) && call && call->keywords.empty() &&
      call->args.size() == 2) {
    std::string store =
        primaryText(emit, args.node(0)) + ".store(" + emit.sourceText(args.node(1)).str() + ")";
    reported.fix(FixId::TryText, {{call->range, store}}, store);
  }
  return reported;
}

// store(pointer, value, mask, *, cache_modifier, eviction_policy[, cache_policy])
Value store(IrBuilder& emit, const Arguments& args) {
  Tensor value = toTensorArgument(emit, args, 1), mask;
  if (!value || !maskArgument(emit, args, 2, mask)) return Value::unknown();
  auto policy = cachePolicy(emit, args, args.size() > 5 ? 5 : -1, 3, 4);
  if (!policy) return Value::unknown();
  Tensor pointer = asTensor(args[0]);
  if (!pointer || !pointer.scalar()->isPointer()) return storeNotAPointer(emit, args);
  if (pointer.scalar()->isConstPointer()) return emit.error(Id::StoreToConst, args.node(0));
  if (!pointer.isBlock()) {
    if (value.isBlock()) return emit.error(Id::BlockForScalarPointer, args.node(1), "value");
    if (mask && mask.isBlock()) return emit.error(Id::BlockForScalarPointer, args.node(2), "mask");
  } else {
    llvm::SmallVector<int64_t, 4> shape(pointer.shape());
    Tensor tensors[] = {pointer, value, mask};
    const Node* at[] = {args.node(0), args.node(1), args.node(2)};
    size_t count = mask ? 3 : 2;
    static constexpr llvm::StringLiteral names[] = {"pointer", "value", "mask"};
    if (!broadcast(emit, llvm::MutableArrayRef(tensors, count), llvm::ArrayRef(at, count), names))
      return Value::unknown();
    pointer = tensors[0];
    value = tensors[1];
    mask = tensors[2];
    if (!keepsShape(emit, pointer, shape, args.node(0))) return Value::unknown();
  }
  const Type* element = pointer.scalar()->element();
  bool isBool = element->isBool();
  if (!isBool || !emit.follows(releases::Rule::BoolsAreStoredAsBytes))
    value = cast(emit, value, element, args.node(1));
  if (!value) return Value::unknown();
  if (isBool) {
    pointer = pointerToBytes(emit, pointer, args.node(0));
    value = cast(emit, value, scalarType(ScalarKind::Int8), args.node(1));
    if (!value) return Value::unknown();
  }
  if (mask && !checkMask(emit, mask, args.node(2))) return Value::unknown();
  emit.create<tt::StoreOp>(pointer.handle, value.handle, mask.handle, *policy);
  return Value::none();
}

Value removedBlockPointer(IrBuilder& emit, const Arguments& args) {
  return emit.error(Id::RemovedNameWithoutReplacement, args.call, "block pointers",
                    "use tensor descriptors instead");
}

} // namespace rules

Value otherWithoutMask(IrBuilder& emit, const Arguments& args, size_t other, Tensor elements) {
  auto reported = emit.error(Id::OtherWithoutMask, args.node(other));
  auto* call = llvm::dyn_cast<syntax::Call>(args.call);
  if (!call || !emit.source()) return reported;
  auto named = [&](llvm::StringRef name) {
    return llvm::find_if(call->keywords, [&](const syntax::Keyword& each) {
      return emit.names().text(each.name.name) == name;
    });
  };
  auto given = named("other");
  if (given == call->keywords.end()) return reported;
  text::Offset before = given->name.range.begin;
  text::Range written{before, given->value->range.end};
  if (named("mask") == call->keywords.end())
    for (const std::string& name : variablesThat(emit, [&](Value held) {
           Tensor tensor = asTensor(held);
           return tensor && tensor.isBlock() && tensor.scalar()->isBool() &&
                  tensor.shape() == elements.shape();
         })) {
      std::string mask = "mask=" + name + ", ";
      reported.fix(FixId::TryText, {{{before, before}, mask}},
                   mask + emit.source()->slice(written).str());
    }
  offerRemoval(emit, reported, *call, *given);
  return reported;
}

bool fitsBuffer(IrBuilder& emit, const Arguments& args, size_t i, Tensor value, Memory buffer) {
  if (value.shape() != buffer.type->shape()) {
    emit.error(Id::SharedShapeMismatch, args.node(i), shapeText(value.shape()),
               shapeText(buffer.type->shape()));
    return false;
  }
  if (same(value.scalar(), buffer.type->element())) return true;
  Reported reported =
      emit.error(Id::SharedDtypeMismatch, args.node(i), value.scalar(), buffer.type->element());
  offerCast(emit, reported, args.node(i), buffer.type->element());
  offerBufferType(emit, reported, args.node(0), value.scalar());
  emit.doubtElements(buffer.handle);
  return false;
}

} // namespace gluond::codegen
