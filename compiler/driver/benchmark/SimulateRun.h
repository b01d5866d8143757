// What all simulated launches share, wherever their arguments come from.
#pragma once

#include "runner/protocol/Messages.h"
#include "simulate/Simulate.h"

#include <llvm/ADT/STLFunctionalExtras.h>

namespace gluond::driver {

// A number as a kernel takes it: integers wrap around, floats are rounded.
simulate::Value simulatedNumber(const runner::Json& value, simulate::Element element);

// The tensor at the address, with this shape and these strides (in elements), as the kernel's
// parameter describes it. None: the parameter is no descriptor.
std::optional<simulate::Value> simulatedDescriptor(const runner::Descriptor& given,
                                                   llvm::ArrayRef<int64_t> shape,
                                                   llvm::ArrayRef<int64_t> strides,
                                                   uint64_t address, mlir::Type parameter);

// Memory of a launch, and what it held before.
struct RestorableMemory {
  std::span<std::byte> bytes;
  std::string_view before;
};

// Runs the launch. If it finished, and `hasNewNan` finds that a result has become NaN, runs it once
// more from the same inputs, to find where the first one comes from: looking at every result costs
// time, so it is done only where there is something to find.
simulate::Outcome runAndExplain(const simulate::Program& program, const simulate::Setting& setting,
                                const simulate::GlobalMemory& memory,
                                const simulate::Options& options,
                                llvm::ArrayRef<RestorableMemory> restorable,
                                llvm::function_ref<bool()> hasNewNan);

} // namespace gluond::driver
