// kernel[grid](...): launchers, autotuners, heuristics, and the recorder that turns a call into a
// Launch.
#pragma once

#include "evaluate/interpreter/Interpreter.h"
#include "evaluate/launches/Launch.h"

#include <llvm/ADT/DenseSet.h>

namespace gluond::evaluate {

// kernel[grid]
struct LauncherObject : HostObject {
  Value kernel; // the jit function or what decorates it
  Value grid;
};
extern const HostClass launcherClass;

// @triton.autotune, @triton.heuristics
struct TunerObject : HostObject {
  Value inner;   // the jit function, or another tuner
  Value configs; // autotune: a list of triton.Config
  Value rules;   // heuristics: a dict name -> function of the arguments
  Value prune;   // autotune: early_config_prune
};
extern const HostClass tunerClass;

Value autotune(Interpreter& in, const CallArguments& arguments);
Value heuristics(Interpreter& in, const CallArguments& arguments);
Value makeConfig(Interpreter& in, const CallArguments& arguments); // triton.Config(...)

// The jit function under autotuners and heuristics; null when there is none.
FunctionObject* kernelOf(Value kernel);

// Collects launches. One for a module evaluation.
class LaunchRecorder final : public LaunchSink {
public:
  LaunchRecorder(std::vector<Launch>& out, size_t mostPerKernel)
      : out_(out), mostPerKernel_(mostPerKernel) {}
  Value launch(Interpreter& interpreter, Value kernel, Value grid, const CallArguments& arguments,
               bool certain) override;
  // From now on, functions are called blindly (Launch::isBlind), and launches of kernels that were
  // launched before are passed over.
  void onlyKernelsWithoutLaunches();

private:
  void record(Interpreter& in, FunctionObject* kernel, Value grid, const CallArguments& arguments,
              bool certain);
  bool expand(Interpreter& in, Value kernel, Value grid, const CallArguments& arguments,
              bool certain);

  void describe(Interpreter& in, const LaunchArgument& argument, llvm::SmallVectorImpl<char>& out);

  std::vector<Launch>& out_;
  size_t mostPerKernel_;
  llvm::DenseMap<const syntax::FunctionDef*, size_t> perKernel_;
  llvm::DenseSet<const syntax::FunctionDef*> done_; // passed over
  bool isBlind_ = false;
  llvm::StringMap<size_t> seen_; // specializations, by a text that tells them apart
  llvm::DenseMap<const language::Type*, std::string> types_; // texts of descriptor types
};

// Turns arguments into specialized ones. False: the call does not fit the kernel (raised).
bool specialize(Interpreter& in, FunctionObject* kernel, const CallArguments& arguments,
                Launch& out);
// One launch with typed defaults for every parameter, as for a kernel that nobody launches.
Launch defaultLaunch(Interpreter& in, FunctionObject* kernel);

} // namespace gluond::evaluate
