// The common part of all simulated launches, wherever their arguments come from.
#pragma once

#include "runner/protocol/Messages.h"
#include "simulate/Simulate.h"

#include <llvm/ADT/STLFunctionalExtras.h>

namespace gluond::driver {

// Converts a number to a kernel's argument: integers wrap around, floats are rounded.
simulate::Value simulatedNumber(const runner::Json& value, simulate::Element element);

// Returns the tensor at the address, with this shape and these strides (in elements), as a
// descriptor of the parameter's type, or nullopt if the parameter is no descriptor.
std::optional<simulate::Value> simulatedDescriptor(const runner::Descriptor& given,
                                                   llvm::ArrayRef<int64_t> shape,
                                                   llvm::ArrayRef<int64_t> strides,
                                                   uint64_t address, mlir::Type parameter);

// Memory of a launch, and its contents before the launch.
struct RestorableMemory {
  std::span<std::byte> bytes;
  std::string_view before;
};

struct SimulatedRun {
  simulate::Outcome outcome; // of the first schedule, including findings of the others
  unsigned schedules = 1;    // number tried
  double microseconds = 0;   // time of the first one
};

// Runs the launch under one schedule, or under several within the time of `options`: each from the
// same inputs, and the results are those of the first. If that one finished and `hasNewNumbers`
// returns true (a result became NaN or infinite), runs it again, checking every result, to find the
// origin of the first such number. The observer of `options` sees the first run.
// there is something to find. The observer of `options` sees the first run.
SimulatedRun runAndExplain(const simulate::KernelCode& code, const simulate::Setting& setting,
                           const simulate::GlobalMemory& memory, simulate::Options options,
                           const simulate::ScheduleChoice& choice,
                           llvm::ArrayRef<RestorableMemory> restorable,
                           llvm::function_ref<bool()> hasNewNumbers);

} // namespace gluond::driver
