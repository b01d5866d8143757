// How gluond compiles a conversion between two distributed layouts. Lowering emits this plan, and
// panels, hovers and lints describe it.
#pragma once

#include "layout/exchange/ConvertLayout.h"
#include "layout/exchange/LaneSwaps.h"
#include "layout/exchange/SharedExchange.h"
#include "layout/exchange/WarpExchange.h"

namespace gluond::layout {

struct ConversionSetting {
  BankModel model;          // of the target
  bool isInLoop = false;    // further rounds of barriers cost more than memory there
  bool mustShuffle = false; // the program asks for it
  bool maySwap = true;      // instructions that swap lanes are of use, where the chip has them
};

// Bits of a lane's number that instructions of the chip swap between two registers.
uint64_t swappableLanes(const chips::Chip* chip);

// Bits of a lane's number that an instruction of the chip exchanges in a register, without the LDS.
uint64_t exchangedLanes(const chips::Chip* chip);

struct ConversionPlan {
  LinearLayout from, to; // without zero register bases
  unsigned elementBits = 0;
  ConversionCost cost;
  BankModel model;
  // One of them moves the elements that change threads; if there is none, gluond cannot convert.
  std::optional<LaneSwaps> swaps;
  std::optional<WarpExchange> shuffles;
  std::optional<SharedExchange> exchange; // as to its memory; bestExchange() is what is compiled
  std::optional<ClusterExchange> cluster;
  int64_t exchangeLimit = 0;

  // Of each CTA, for what is moved in one round.
  int64_t sharedBytes() const;
  SharedExchange bestExchange() const;
  // Nullopt without an exchange between threads of a CTA.
  std::optional<ExchangeInstructions> instructions() const;
};

// Returns nullopt if the layouts are not for the same tensor.
std::optional<ConversionPlan> planConversion(const LinearLayout& from, const LinearLayout& to,
                                             unsigned elementBits,
                                             const ConversionSetting& setting);

} // namespace gluond::layout
