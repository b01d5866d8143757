// From one distributed layout to another: by renaming registers, by shuffles, through shared
// memory, or through that of all CTAs of a cluster.
#include "ir/ttg/ModuleTarget.h"
#include "ir/ttg/Ops.h"
#include "layout/exchange/ConversionPlan.h"
#include "lowering/Combine.h"
#include "lowering/Elementwise.h"
#include "lowering/Exchange.h"
#include "lowering/Handlers.h"
#include "lowering/memory/SharedAccess.h"
#include "passes/analysis/Conversions.h"

namespace gluond::lowering {

namespace {

// Swaps of lanes have a handler of their own (amd/LaneSwaps.cpp).
layout::ConversionSetting settingOf(mlir::Operation* op) {
  layout::ConversionSetting setting;
  setting.model = layout::banksOf(ttg::targetOf(op));
  setting.maySwap = false;
  auto asked = mlir::dyn_cast<ttg::ConvertLayoutOp>(op);
  setting.mustShuffle = asked && asked.getForceWarpShuffle();
  return setting;
}

// The words of registers that travel together. A float that is a word of its own stays one until it
// travels: choosing between words folds with what chose between the same floats before.
using Words = RegisterList;

void shuffleRegisters(FunctionEmitter& e, const layout::WarpExchange& exchange, Registers registers,
                      llvm::Type* element, RegisterList& results) {
  uint64_t perWord = uint64_t(1) << exchange.packed.size();
  constexpr unsigned wordBits = 32;
  bool isWord =
      perWord == 1 && element->isFloatingPointTy() && element->getPrimitiveSizeInBits() <= wordBits;
  llvm::DenseMap<uint64_t, Words> current; // by the number of a word's first element
  for (uint64_t x = 0; x < registers.size(); ++x) {
    if (exchange.elementOf(x)) continue;
    RegisterList together;
    for (uint64_t i = 0; i < perWord; ++i)
      together.push_back(registers[x ^ layout::f2::multiply(exchange.packedFrom, i)]);
    current[x] = isWord ? together : pack(e, together);
  }
  auto select = [&](llvm::ArrayRef<layout::WarpExchange::Selection> selections) {
    for (const auto& selection : selections) {
      llvm::Value* here = e.b.CreateAnd(e.lane(), e.i32(static_cast<int64_t>(selection.lanes)));
      if (llvm::popcount(selection.lanes) > 1)
        here = e.b.CreateAnd(e.b.CreateUnaryIntrinsic(llvm::Intrinsic::ctpop, here), e.i32(1));
      llvm::Value* exchanges = e.b.CreateICmpNE(here, e.i32(0));
      llvm::DenseMap<uint64_t, Words> next;
      for (const auto& [number, words] : current) {
        Words& chosen = next[number];
        for (auto [other, own] :
             llvm::zip(current.find(number ^ selection.registers)->second, words))
          chosen.push_back(e.b.CreateSelect(exchanges, other, own));
      }
      current = std::move(next);
    }
  };
  select(exchange.before);

  llvm::Value* readFrom = nullptr;
  if (!exchange.isOwnLane) {
    LinearLayout lanes =
        LinearLayout::zeros1D(1, Dim::Lane, Dim::Lane, int64_t(1) << exchange.lanes.size())
            .sublayout({}, {Dim::Lane})
            .appendIn(Dim::Lane, exchange.lanes);
    readFrom = e.apply(lanes, {{Dim::Lane, e.lane()}}).front();
  }
  llvm::DenseMap<std::pair<uint64_t, uint64_t>, Words> moved; // by register and lanes
  llvm::DenseMap<uint64_t, Words> arrived;
  for (uint64_t r = 0; r < uint64_t(1) << exchange.resultRegisterBits; ++r) {
    if (exchange.resultWord(r) != r) continue;
    uint64_t taken = layout::f2::multiply(exchange.takes, r);
    uint64_t lanes = layout::f2::multiply(exchange.fromLanes, r);
    auto [at, isNew] = moved.try_emplace({taken, lanes});
    if (isNew) {
      for (llvm::Value* word : current.find(taken)->second) {
        if (readFrom)
          word = shuffle(e, word, e.b.CreateXor(readFrom, e.i32(static_cast<int64_t>(lanes))));
        else if (lanes)
          word = shuffleXor(e, word, static_cast<unsigned>(lanes));
        at->second.push_back(word);
      }
    }
    arrived[r] = at->second;
  }
  current = std::move(arrived);
  select(exchange.after);

  llvm::DenseMap<uint64_t, RegisterList> elements;
  for (const auto& [number, words] : current)
    elements[number] = isWord ? words : unpack(e, words, element, static_cast<unsigned>(perWord));
  for (uint64_t r = 0; r < uint64_t(1) << exchange.resultRegisterBits; ++r)
    results.push_back(elements.find(exchange.resultWord(r))
                          ->second[exchange.elementOf(layout::f2::multiply(exchange.takes, r))]);
}

bool convert(FunctionEmitter& e, mlir::Operation* op) {
  auto convert = mlir::cast<ttg::ConvertLayoutOp>(op);
  auto source = mlir::cast<mlir::RankedTensorType>(convert.getSrc().getType());
  auto target = mlir::cast<mlir::RankedTensorType>(convert.getType());
  RegisterList results;
  if (!convertRegisters(e, op, source, target, e.get(convert.getSrc()), results)) return false;
  e.set(convert, results);
  return true;
}

} // namespace

bool exchangesWithinWarp(mlir::RankedTensorType source, mlir::RankedTensorType target) {
  auto cost = layout::conversionCost(ir::toLinearLayout(source).removeZeroBases(Dim::Register),
                                     ir::toLinearLayout(target).removeZeroBases(Dim::Register),
                                     std::max(8u, tt::bitWidth(source.getElementType())));
  return cost && cost->kind == layout::ConversionKind::Lanes;
}

bool convertRegisters(FunctionEmitter& e, mlir::Operation* op, mlir::RankedTensorType source,
                      mlir::RankedTensorType target, Registers registers, RegisterList& results) {
  const TargetTraits& traits = e.target().traits();
  layout::ConversionSetting setting = settingOf(op);
  setting.model.hasLoadMatrix = traits.loadsMatrices;
  setting.model.hasStoreMatrix = traits.storesMatrices;
  auto conversion = passes::planAt(op, source, target, setting);
  if (!conversion) return e.fail(op, "the two layouts are not of the same tensor");
  const LinearLayout &from = conversion->from, &to = conversion->to;
  if (conversion->cost.kind <= layout::ConversionKind::Registers) {
    LinearLayout map = *to.invertAndCompose(from);
    for (uint64_t r = 0; r < static_cast<uint64_t>(to.inSize(Dim::Register)); ++r) {
      uint64_t place =
          map.hasIn(Dim::Register) ? layout::f2::multiply(map.columns(Dim::Register), r) : 0;
      uint64_t number = map.hasOut(Dim::Register) ? place >> map.outShift(Dim::Register) &
                                                        (uint64_t(map.outSize(Dim::Register)) - 1)
                                                  : 0;
      results.push_back(registers[number]);
    }
    return true;
  }
  if (conversion->shuffles) {
    shuffleRegisters(e, *conversion->shuffles, registers, e.elementType(target), results);
    return true;
  }
  if (conversion->cluster) {
    const layout::ClusterExchange& cluster = *conversion->cluster;
    if (!e.needs(op, Feature::ClusterMemory, "a conversion between the CTAs of a cluster needs"))
      return false;
    SharedPlace out, in;
    out.offsets = cluster.stores;
    in.offsets = cluster.loads;
    in.blocks = cluster.blocks;
    if (cluster.ownBlocks)
      in.otherBlock = e.b.CreateAnd(e.block(), e.i32(static_cast<int64_t>(cluster.ownBlocks)));
    out.base = in.base = e.scratch(op);
    out.elementBits = in.elementBits = e.memoryBits(source.getElementType());
    storeShared(e, out, registers);
    e.clusterBarrier();
    results.resize(static_cast<size_t>(to.inSize(Dim::Register)));
    loadShared(e, in, e.elementType(target), results);
    e.clusterBarrier(); // all have read: the memory may be written again
    return true;
  }
  if (!conversion->exchange)
    return e.fail(op, "gluond cannot compile a conversion between these layouts");
  const layout::SharedExchange exchange = conversion->bestExchange();
  bool withinWarp = conversion->cost.kind == layout::ConversionKind::Lanes;
  auto meet = [&] { withinWarp ? e.warpBarrier() : e.barrier(); };
  auto place = [&](const LinearLayout& layout) {
    SharedPlace made;
    made.offsets = layout.invertAndCompose(exchange.shared)
                       ->sublayout({Dim::Register, Dim::Lane, Dim::Warp}, {Dim::Offset});
    made.base = e.scratch(op);
    made.elementBits = e.memoryBits(source.getElementType());
    return made;
  };
  SharedPlace out = place(from), in = place(to);
  results.resize(static_cast<size_t>(to.inSize(Dim::Register)));
  uint64_t repetitions = uint64_t(1) << exchange.repetitionBits;
  uint64_t size = static_cast<uint64_t>(exchange.elements());
  for (uint64_t repetition = 0; repetition < repetitions; ++repetition) {
    std::optional<std::pair<uint64_t, uint64_t>> only;
    if (repetitions > 1) only = {(repetitions - 1) * size, repetition * size};
    if (repetition) meet();
    storeShared(e, out, registers, only);
    meet();
    loadShared(e, in, e.elementType(target), results, only);
  }
  return true;
}

static int64_t conversionScratchBytes(mlir::Operation* op) {
  auto convert = mlir::cast<ttg::ConvertLayoutOp>(op);
  auto source = mlir::cast<mlir::RankedTensorType>(convert.getSrc().getType());
  auto conversion = passes::planAt(op, source, convert.getType(), settingOf(op));
  return conversion ? conversion->sharedBytes() : 0;
}

llvm::ArrayRef<OpRow> convertLayoutOps() {
  static constexpr OpRow rows[] = {
      {"ttg.convert_layout", convert, conversionScratchBytes},
  };
  return rows;
}

} // namespace gluond::lowering
