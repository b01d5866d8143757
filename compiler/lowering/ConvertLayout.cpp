// From one distributed layout to another: by renaming registers, or through shared memory.
#include "layout/ConvertLayout.h"

#include "ir/ttg/Ops.h"
#include "layout/SharedExchange.h"
#include "lowering/Exchange.h"
#include "lowering/SharedAccess.h"

namespace gluond::lowering {

namespace {

struct Conversion {
  LinearLayout from, to;
  layout::ConversionCost cost;
  std::optional<layout::SharedExchange> exchange;
};

std::optional<Conversion> conversionOf(mlir::RankedTensorType source,
                                       mlir::RankedTensorType target) {
  Conversion conversion{ir::toLinearLayout(source).removeZeroBases(Dim::Register),
                        ir::toLinearLayout(target).removeZeroBases(Dim::Register),
                        {},
                        {}};
  mlir::Type element = source.getElementType();
  unsigned bits =
      mlir::isa<tt::PointerType>(element) ? 64 : std::max(8u, element.getIntOrFloatBitWidth());
  auto cost = layout::conversionCost(conversion.from, conversion.to, bits);
  if (!cost) return std::nullopt;
  conversion.cost = *cost;
  if (cost->kind == layout::ConversionKind::Lanes || cost->kind == layout::ConversionKind::Warps)
    conversion.exchange =
        layout::sharedExchange(conversion.from, conversion.to, bits, layout::mostExchangeBytes);
  return conversion;
}

bool convert(Emitter& e, mlir::Operation* op) {
  auto convert = mlir::cast<ttg::ConvertLayoutOp>(op);
  auto source = mlir::cast<mlir::RankedTensorType>(convert.getSrc().getType());
  auto target = mlir::cast<mlir::RankedTensorType>(convert.getType());
  RegisterList results;
  if (!convertRegisters(e, op, source, target, e.get(convert.getSrc()), results)) return false;
  e.set(convert, results);
  return true;
}

} // namespace

int64_t exchangeBytes(mlir::RankedTensorType source, mlir::RankedTensorType target) {
  auto conversion = conversionOf(source, target);
  if (!conversion || !conversion->exchange) return 0;
  mlir::Type element = source.getElementType();
  unsigned bits =
      mlir::isa<tt::PointerType>(element) ? 64 : std::max(8u, element.getIntOrFloatBitWidth());
  return std::max<int64_t>(16, conversion->exchange->elements() * bits / 8);
}

bool exchangesWithinWarp(mlir::RankedTensorType source, mlir::RankedTensorType target) {
  auto conversion = conversionOf(source, target);
  return conversion && conversion->cost.kind == layout::ConversionKind::Lanes;
}

bool convertRegisters(Emitter& e, mlir::Operation* op, mlir::RankedTensorType source,
                      mlir::RankedTensorType target, Registers registers, RegisterList& results) {
  std::optional<Conversion> conversion = conversionOf(source, target);
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
  if (!conversion->exchange)
    return e.fail(op, "gluond cannot compile a conversion between the CTAs of a cluster yet");
  const layout::SharedExchange& exchange = *conversion->exchange;
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

void addConvertLayout(HandlerTable& table) {
  table["ttg.convert_layout"] = convert;
}

} // namespace gluond::lowering
