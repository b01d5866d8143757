#include "layout/exchange/ConversionPlan.h"

#include "chips/Vendor.h"

namespace gluond::layout {

uint64_t swappableLanes(const chips::Chip* chip) {
  constexpr uint64_t row = 16, half = 32;
  return chip && chips::amdGenerationOf(*chip) == chips::AmdGeneration::Cdna4 ? row | half : 0;
}

uint64_t exchangedLanes(const chips::Chip* chip) {
  auto generation = chip ? chips::amdGenerationOf(*chip) : std::nullopt;
  constexpr uint64_t row = 16;
  return generation && *generation >= chips::AmdGeneration::Rdna3 ? row : 0;
}

int64_t ConversionPlan::sharedBytes() const {
  if (!exchange && !cluster) return 0;
  constexpr int64_t least = 16;
  int64_t elements = cluster ? cluster->elements : exchange->elements();
  return std::max(least, elements * elementBits / 8);
}

SharedExchange ConversionPlan::bestExchange() const {
  return *sharedExchange(from, to, elementBits, exchangeLimit, model);
}

std::optional<ExchangeInstructions> ConversionPlan::instructions() const {
  ExchangeInstructions counted;
  if (swaps) {
    // Two words change lanes at once.
    size_t wordBits = from.inBits(Dim::Register) - swaps->sourceWordBits.size();
    counted.swaps = static_cast<int64_t>(swaps->swaps.size() << wordBits) / 2;
  } else if (shuffles) {
    counted.shuffles = shuffles->shuffles(elementBits);
    counted.selects = shuffles->selects(elementBits);
  } else if (exchange) {
    counted = exchangeInstructions(bestExchange(), from, to, elementBits, model);
  } else {
    return std::nullopt;
  }
  return counted;
}

std::optional<ConversionPlan> planConversion(const LinearLayout& from, const LinearLayout& to,
                                             unsigned elementBits,
                                             const ConversionSetting& setting) {
  ConversionPlan plan;
  plan.from = from.removeZeroBases(Dim::Register);
  plan.to = to.removeZeroBases(Dim::Register);
  plan.elementBits = std::max(8u, elementBits);
  plan.model = setting.model;
  auto cost = conversionCost(plan.from, plan.to, plan.elementBits);
  if (!cost) return std::nullopt;
  plan.cost = *cost;
  if (cost->kind == ConversionKind::Lanes) {
    if (uint64_t lanes = setting.maySwap ? swappableLanes(setting.model.chip) : 0)
      plan.swaps = laneSwaps(plan.from, plan.to, plan.elementBits, lanes);
    if (plan.swaps && plan.swaps->swaps.empty()) plan.swaps.reset();
    if (plan.swaps) return plan;
    // Shuffles are planned register by register; no kernel has that many.
    constexpr unsigned mostRegisterBits = 16;
    const uint64_t exchanged = exchangedLanes(setting.model.chip);
    if (std::max(plan.from.inBits(Dim::Register), plan.to.inBits(Dim::Register)) <=
        mostRegisterBits)
      plan.shuffles = warpExchange(plan.from, plan.to, plan.elementBits, exchanged);
    if (plan.shuffles && !setting.mustShuffle &&
        !isFasterThanSharedMemory(*plan.shuffles, plan.from, plan.to, plan.elementBits, exchanged))
      plan.shuffles.reset();
    if (plan.shuffles) return plan;
  }
  if (cost->kind == ConversionKind::Lanes || cost->kind == ConversionKind::Warps) {
    plan.exchangeLimit =
        setting.isInLoop ? mostExchangeBytes : exchangeLimit(plan.from, setting.model);
    plan.exchange = sharedExchange(plan.from, plan.to, plan.elementBits, plan.exchangeLimit);
  }
  if (cost->kind == ConversionKind::Blocks)
    plan.cluster = clusterExchange(plan.from, plan.to, plan.elementBits);
  return plan;
}

} // namespace gluond::layout
