// The instructions of a conversion in a kernel, as gluond compiles it.
#pragma once

#include "driver/inspect/KernelOperations.h"
#include "layout/exchange/SharedExchange.h"

namespace gluond::driver {

// Of one warp, for an operation of kind Conversion; nullopt if its threads exchange nothing.
std::optional<layout::ExchangeInstructions> exchangeOf(const KernelOperation& conversion,
                                                       llvm::StringRef target);

} // namespace gluond::driver
