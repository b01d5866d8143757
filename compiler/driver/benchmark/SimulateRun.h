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

struct SimulatedRun {
  simulate::Outcome outcome; // of the first schedule, with what the others found
  unsigned schedules = 1;    // that were tried
  double microseconds = 0;   // that the first one took
};

// Runs the launch under one schedule, or under several until the time of `options` is over: each
// from the same inputs, and the results are those of the first. If that one finished, and
// `hasNewNumbers` finds that a result has become NaN or infinite, runs it once more to find where the
// first such number comes from: looking at every result costs time, so it is done only where there
// is something to find. The observer of `options` sees the first run.
SimulatedRun runAndExplain(const simulate::Program& program, const simulate::Setting& setting,
                           const simulate::GlobalMemory& memory, simulate::Options options,
                           const simulate::ScheduleChoice& choice,
                           llvm::ArrayRef<RestorableMemory> restorable,
                           llvm::function_ref<bool()> hasNewNumbers);

} // namespace gluond::driver
