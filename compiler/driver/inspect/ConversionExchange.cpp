#include "driver/inspect/ConversionExchange.h"

#include "layout/exchange/ConversionPlan.h"

namespace gluond::driver {

std::optional<layout::ExchangeInstructions> exchangeOf(const KernelOperation& conversion,
                                                       llvm::StringRef target) {
  auto from = layout::toLinearLayout(conversion.registers, conversion.shape),
       to = layout::toLinearLayout(conversion.other, conversion.shape);
  if (!from || !to) return std::nullopt;
  layout::ConversionSetting setting;
  setting.model = layout::banksOf(target);
  setting.isInLoop = conversion.isInLoop;
  auto plan = layout::planConversion(*from, *to, conversion.elementBits, setting);
  return plan ? plan->instructions() : std::nullopt;
}

} // namespace gluond::driver
