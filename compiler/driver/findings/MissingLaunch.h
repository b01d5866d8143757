// Why a kernel is checked with default types: nothing launches it, or gluond cannot use the launch.
#pragma once

#include "driver/launches/Kernels.h"
#include "driver/program/EvaluatedFile.h"

#include <llvm/ADT/StringMap.h>
#include <llvm/ADT/StringSet.h>

#include <optional>
#include <string>

namespace gluond::driver {

struct MissingLaunch {
  std::string reason;                            // "no launch of 'k' was found"
  std::optional<diagnostics::Location> launchAt; // of the launch that cannot be used
};

// The launches that the text of a file shows.
class WrittenLaunches {
public:
  // Refers to the program.
  WrittenLaunches(const EvaluatedFile& program, const Interner& names);

  // For a kernel whose only variant has default types.
  MissingLaunch explain(const Kernel& kernel) const;

private:
  const EvaluatedFile& program_;
  llvm::StringMap<text::Range> calls_; // the first `name[...](...)` of each name
  llvm::StringSet<> refused_;          // kernels whose launches fail
};

} // namespace gluond::driver
