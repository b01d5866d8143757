// Asynchronous matrix products: Hopper's wgmma, Blackwell's tcgen05.
#include "chips/ChipsWithFeature.h"
#include "chips/MemorySizes.h"
#include "codegen/builder/Values.h"
#include "codegen/rules/common/Args.h"
#include "ir/ttng/Ops.h"
#include "layout/named/FieldNames.h"

namespace gluond::codegen {

using language::field;
using language::OpaqueKind;

// An accumulator that is still being computed, or a tensor: its tensor type; null for anything
// else.
static const Type* accumulatorType(Value value) {
  auto* ir = value.as<language::IrObject>();
  if (!ir) return nullptr;
  if (ir->type->is(TypeKind::Opaque) &&
      ir->type->opaqueKind() == OpaqueKind::WarpgroupMmaAccumulator)
    return ir->type->element();
  return ir->type->isTensor() ? ir->type : nullptr;
}

namespace rules {

Value warpgroupMmaInit(IrBuilder& emit, const Arguments& args) {
  Tensor value = tensorArgument(emit, args, 0, "value");
  if (!value) return Value::unknown();
  return emit.value(value.handle,
                    emit.types().opaque(OpaqueKind::WarpgroupMmaAccumulator, value.type));
}

// (a, b, acc, use_acc, precision, max_num_imprecise_acc, is_async)
Value warpgroupMma(IrBuilder& emit, const Arguments& args) {
  if (emit.target().isCuda() && !emit.target().has(Feature::WarpGroupMma)) {
    std::string needed = chips::chipsWith(Feature::WarpGroupMma);
    if (emit.target().has(Feature::LaunchControl))
      needed.insert(needed.size() - 1, "; Blackwell has tcgen05_mma");
    emit.warning(Id::TargetTooOld, args.call, "warpgroup_mma", needed, emit.target().name());
  }
  Memory a;
  if (Tensor tensor = asTensor(args[0]); tensor && tensor.isBlock())
    a = {tensor.handle, tensor.type};
  else
    a = sharedArgument(emit, args, 0, "a");
  Memory b = a ? sharedArgument(emit, args, 1, "b") : Memory();
  if (!b) return Value::unknown();
  const Type* type = accumulatorType(args[2]);
  if (!type) return emit.error(Id::NotATensor, args.node(2), "acc", args[2]);
  if (refusesNone(emit, args, 4, "precision") ||
      refusesNone(emit, args, 5, "max_num_imprecise_acc"))
    return Value::unknown();
  Tensor useAcc = toTensorArgument(emit, args, 3);
  auto precision = useAcc ? inputPrecision(emit, args.unwrapped(4), args.node(4)) : std::nullopt;
  if (!precision) return Value::unknown();
  bool fp8 = a.type->element()->isFp8() && b.type->element()->isFp8();
  int64_t imprecise = fp8 ? emit.options().maxNumImpreciseAccDefault : 0;
  if (!isNone(args, 5)) {
    auto given = intArgument(emit, args, 5, "max_num_imprecise_acc");
    if (!given) return Value::unknown();
    int64_t k = a.type->shape().back();
    if (fp8 && *given > k)
      return emit.error(Id::BadArgument, args.node(5),
                        "max_num_imprecise_acc must be at most K = " + std::to_string(k) +
                            ", not " + std::to_string(*given));
    imprecise = *given;
  }
  auto isAsync = flagArgument(emit, args, 6, "is_async");
  if (!isAsync) return Value::unknown();
  auto op = emit.create<ttng::WarpGroupDotOp>(
      IrBuilder::handle(args[2]).getType(), a.handle, b.handle, IrBuilder::handle(args[2]),
      useAcc.handle, *precision, static_cast<uint32_t>(imprecise), *isAsync);
  return emit.value(op, *isAsync ? emit.types().opaque(OpaqueKind::WarpgroupMmaAccumulator, type)
                                 : type);
}

Value warpgroupMmaWait(IrBuilder& emit, const Arguments& args) {
  auto outstanding = intArgument(emit, args, 0, "num_outstanding");
  if (!outstanding) return Value::unknown();
  if (isNone(args, 1)) {
    Reported reported =
        emit.error(Id::BadArgument, args.call, "warpgroup_mma_wait requires the argument 'deps'");
    auto* call = llvm::dyn_cast_if_present<syntax::Call>(args.call);
    if (!call || !emit.source() || !emit.sourceText(call).ends_with(")")) return reported;
    text::Offset end = call->range.end - 1;
    bool isFirst = call->args.empty() && call->keywords.empty();
    emit.forEachVariable([&](llvm::StringRef name, Value value) {
      if (!IrBuilder::isIr(value) || !isAccumulator(value)) return;
      std::string deps = "deps=(" + name.str() + ",)";
      reported.fix(FixId::TryText, {{{end, end}, (isFirst ? "" : ", ") + deps}}, deps);
    });
    return reported;
  }
  if (!language::isSequence(args[1]))
    return emit.error(Id::BadArgument, args.node(1), "deps takes a tuple or a list of accumulators")
        .fix(FixId::UseText,
             {{args.node(1)->range, "(" + emit.sourceText(args.node(1)).str() + ",)"}},
             "(" + emit.sourceText(args.node(1)).str() + ",)");
  llvm::SmallVector<mlir::Value, 4> handles;
  llvm::SmallVector<const Type*, 4> types;
  for (Value dep : language::itemsOf(args[1])) {
    if (!IrBuilder::isIr(dep)) return emit.error(Id::NotATensor, args.node(1), "dep", dep);
    handles.push_back(IrBuilder::handle(dep));
    const Type* accumulator = accumulatorType(dep);
    types.push_back(accumulator ? accumulator : dep.as<language::IrObject>()->type);
  }
  auto op = emit.create<ttng::WarpGroupDotWaitOp>(mlir::ValueRange(handles),
                                                  static_cast<uint32_t>(*outstanding), false);
  llvm::SmallVector<Value, 4> results;
  unsigned cursor = 0;
  for (const Type* type : types)
    results.push_back(emit.unflatten(type, op->getResults(), cursor));
  return results.size() == 1 ? results[0] : emit.heap().tuple(results);
}

// ---------------------------------------------------------------- tcgen05

Value tcgen05Copy(IrBuilder& emit, const Arguments& args) {
  Memory src = sharedArgument(emit, args, 0, "src");
  Memory dst = src ? tensorMemoryArgument(emit, args, 1, "dst") : Memory();
  if (!dst) return Value::unknown();
  emit.create<ttng::TMEMCopyOp>(src.handle, dst.handle);
  return Value::none();
}

struct Completion { // use_acc, pred, multicast, mbarriers, mbarrier_preds
  Tensor useAcc, pred;
  llvm::SmallVector<mlir::Value, 2> barriers, preds;
  bool multicast = false;
};

static bool completion(IrBuilder& emit, const Arguments& args, size_t first, Completion& out) {
  if (!(out.useAcc = toTensorArgument(emit, args, first)) ||
      !(out.pred = toTensorArgument(emit, args, first + 1)))
    return false;
  size_t barriers = first + 3, preds = first + 4;
  if (refusesNone(emit, args, barriers, "mbarriers") ||
      refusesNone(emit, args, preds, "mbarrier_preds"))
    return false;
  if (isNone(args, barriers)) {
    if (!isNone(args, preds)) {
      emit.error(Id::BadArgument, args.node(preds), "mbarrier_preds requires mbarriers");
      return false;
    }
  } else {
    if (!handlesArgument(emit, args, barriers, out.barriers)) return false;
    if (isNone(args, preds))
      out.preds.assign(out.barriers.size(), emit.constantInt(1, 1));
    else if (!coordinates(emit, args, preds, false, out.preds))
      return false;
  }
  auto multicast = boolArgument(emit, args, first + 2, "multicast");
  if (multicast) out.multicast = *multicast;
  return multicast.has_value();
}

static bool usesTwoCtas(const Type* memory) {
  const Value* value = field(*memory->layout(), layout::fields::twoCTAs);
  return value && value->isIntegral() && value->asInt();
}

Value tcgen05Mma(IrBuilder& emit, const Arguments& args) {
  mlir::Value a = handleArgument(emit, args, 0, "a");
  Memory b = a ? sharedArgument(emit, args, 1, "b") : Memory();
  Memory acc = b ? tensorMemoryArgument(emit, args, 2, "acc") : Memory();
  Completion done;
  if (!acc || !completion(emit, args, 3, done)) return Value::unknown();
  emit.create<ttng::TCGen5MMAOp>(emit.opBuilder().getType<ttg::AsyncTokenType>(), a, b.handle,
                                 acc.handle, mlir::Value(), done.useAcc.handle, done.pred.handle,
                                 done.barriers, done.preds, !done.barriers.empty(),
                                 usesTwoCtas(acc.type), done.multicast, false);
  return Value::none();
}

static std::optional<tt::ScaleDotElemType> elementFormat(IrBuilder& emit, const Arguments& args,
                                                         size_t i, llvm::StringRef name) {
  auto text = stringArgument(emit, args, i, name);
  if (!text) return std::nullopt;
  if (*text == "e2m1") return tt::ScaleDotElemType::E2M1;
  if (*text == "e4m3") return tt::ScaleDotElemType::E4M3;
  if (*text == "e5m2") return tt::ScaleDotElemType::E5M2;
  emit.error(Id::BadArgument, args.node(i),
             "format '" + text->str() + "' is not one of e2m1, e4m3, e5m2");
  return std::nullopt;
}

// (a, b, acc, a_scale, b_scale, a_type, b_type, use_acc, pred, multicast, mbarriers,
// mbarrier_preds)
Value tcgen05MmaScaled(IrBuilder& emit, const Arguments& args) {
  mlir::Value a = handleArgument(emit, args, 0, "a"),
              b = a ? handleArgument(emit, args, 1, "b") : mlir::Value();
  Memory acc = b ? tensorMemoryArgument(emit, args, 2, "acc") : Memory();
  mlir::Value aScale = acc ? handleArgument(emit, args, 3, "a_scale") : mlir::Value();
  mlir::Value bScale = aScale ? handleArgument(emit, args, 4, "b_scale") : mlir::Value();
  Completion done;
  if (!bScale || !completion(emit, args, 7, done)) return Value::unknown();
  const Value* block = field(*acc.type->layout(), layout::fields::block);
  auto sizes = block ? language::ints(*block) : std::nullopt;
  if (sizes && !sizes->empty() && (*sizes)[0] == chips::halfTensorMemoryRows)
    return emit.error(Id::BadArgument, args.node(2),
                      "tcgen05_mma_scaled does not support an accumulator with blocks of 64 rows");
  auto aType = elementFormat(emit, args, 5, "a_type");
  auto bType = aType ? elementFormat(emit, args, 6, "b_type") : std::nullopt;
  if (!bType) return Value::unknown();
  emit.create<ttng::TCGen5MMAScaledOp>(
      emit.opBuilder().getType<ttg::AsyncTokenType>(), a, b, acc.handle, mlir::Value(), aScale,
      bScale, *aType, *bType, done.useAcc.handle, done.pred.handle, done.barriers, done.preds,
      usesTwoCtas(acc.type), done.multicast, !done.barriers.empty());
  return Value::none();
}

// (smems, multicast, two_ctas): a number that follows from the layouts alone.
Value tcgen05BarrierCount(IrBuilder& emit, const Arguments& args) {
  if (!language::isSequence(args[0]))
    return emit.error(Id::BadArgument, args.node(0), "expected a list of memory descriptors");
  language::Items smems = language::itemsOf(args[0]);
  auto multicast = boolArgument(emit, args, 1, "multicast");
  auto twoCtas = multicast ? boolArgument(emit, args, 2, "two_ctas") : std::nullopt;
  if (!twoCtas) return Value::unknown();
  if (smems.size() > 4)
    return emit.error(Id::BadArgument, args.node(0), "at most four descriptors are supported");
  if (smems.empty() || !*multicast) return Value::integer(1);
  // The bits of a CTA's number along which a descriptor differs.
  llvm::SmallVector<unsigned, 4> varying;
  size_t bits = 0;
  for (Value smem : smems) {
    auto* ir = smem.as<language::IrObject>();
    if (!ir || !ir->type->layout()) return emit.error(Id::NotATensor, args.node(0), "item", smem);
    auto cga = language::cgaLayoutOf(*ir->type->layout());
    if (!varying.empty() && cga.size() != bits)
      return emit.error(Id::BadArgument, args.node(0),
                        "the descriptors' layouts have different numbers of CTAs");
    bits = cga.size();
    constexpr size_t mostBits = 4; // 16 CTAs
    if (bits > mostBits)
      return emit.error(Id::BadArgument, args.node(0), "a cluster has at most 16 CTAs");
    unsigned mask = 0;
    for (size_t i = 0; i < cga.size(); ++i)
      if (!llvm::all_of(cga[i], [](int64_t step) { return step == 0; })) mask |= 1u << i;
    varying.push_back(mask);
  }
  // Those that have the same part of some operand as CTA 0 signal its barrier.
  int64_t commits = 0;
  for (unsigned cta = 0; cta < 1u << bits; ++cta) {
    if (*twoCtas && (cta & 1)) continue;
    commits += llvm::any_of(varying, [&](unsigned mask) { return (cta & mask) == 0; });
  }
  return Value::integer(commits);
}

Value tcgen05Commit(IrBuilder& emit, const Arguments& args) {
  Memory barrier = sharedArgument(emit, args, 0, "barrier");
  Tensor pred = barrier ? toTensorArgument(emit, args, 1) : Tensor();
  llvm::SmallVector<mlir::Value, 4> descs;
  if (!pred || !handlesArgument(emit, args, 2, descs)) return Value::unknown();
  emit.create<ttng::TCGen5CommitOp>(barrier.handle, pred.handle, descs);
  return Value::none();
}

} // namespace rules

} // namespace gluond::codegen
