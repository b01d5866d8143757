// Runs launches of IR made by other programs, such as Triton, with a method for each request. The
// arguments of a launch are not trusted; errors are Problems.
#pragma once

#include "cli/simulator/Messages.h"
#include "simulate/translate/Translate.h"
#include "support/Cancellation.h"

#include <mlir/IR/MLIRContext.h>
#include <mlir/IR/OwningOpRef.h>
#include <mlir/Interfaces/FunctionInterfaces.h>

#include <map>
#include <memory>

namespace gluond::cli {

template <typename T> using Answer = tl::expected<T, runner::Problem>;

class Simulator {
public:
  SimulatorInfo initialize() const;
  // Slices of a request refer to `binary`.
  Answer<SimulatorLoadResult> load(const SimulatorLoadParams& params, std::string_view binary);
  Answer<bool> unload(const runner::UnloadParams& params);
  // Changed memory is appended to `out`.
  Answer<SimulatorRunResult> run(const SimulatorRunParams& params, std::string_view binary,
                                 CancellationToken token, std::string& out);

private:
  struct Module {
    std::unique_ptr<mlir::MLIRContext> context;
    mlir::OwningOpRef<mlir::ModuleOp> ir;
    mlir::FunctionOpInterface kernel;
    std::shared_ptr<const simulate::KernelCode> code;
  };
  std::map<uint64_t, Module> modules_;
  uint64_t next_ = 1;
};

} // namespace gluond::cli
