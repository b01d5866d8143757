// kernel[grid](...): launchers, and the recorder that turns a call into a Launch.
#pragma once

#include "evaluate/interpreter/Interpreter.h"
#include "evaluate/launches/Launch.h"

#include <llvm/ADT/DenseSet.h>

namespace gluond::evaluate {

// kernel[grid]
struct LauncherObject : HostObject {
  Value kernel; // the jit function or the object that decorates it
  Value grid;
};
extern const HostClass launcherClass;

// kernel[grid](...): the compiled kernel
extern const HostClass compiledKernelClass;
Value makeCompiledKernel(Interpreter& in);

// kernel.run or kernel.warmup, with the kernel or its tuner as `self`.
Value runnerOf(Interpreter& in, Value self, llvm::StringRef name);

// Whether a kernel has decorators that are not Triton's: it may take arguments other than its own.
bool hasOtherDecorators(Value kernel);

// Whether what runs now is certain to run in the program.
inline bool isCertain(const Interpreter& in) {
  return !in.isUncertain() && !in.mayBeSkipped();
}

// Collects the launches of one module evaluation.
class LaunchRecorder final : public LaunchSink {
public:
  LaunchRecorder(std::vector<Launch>& out, size_t mostPerKernel)
      : out_(out), mostPerKernel_(mostPerKernel) {}
  Value launch(Interpreter& interpreter, Value kernel, Value grid, const CallArguments& arguments,
               bool certain) override;
  void compile(Interpreter& interpreter, Launch launch, bool certain) override;
  void divided(int64_t number, int64_t divisor, int64_t quotient) override;
  // From now on, functions are called with unknown arguments (Launch::isBlind), and kernels that
  // were launched before are skipped.
  void onlyKernelsWithoutLaunches();
  // From now on, launches are only checked.
  void recordNothing() { isOver_ = true; }

private:
  void record(Interpreter& in, const FunctionObject* kernel, Value grid,
              const CallArguments& arguments, bool certain);
  // Keeps the launch unless its specialization is known; then `grid` is not looked at.
  void keep(Interpreter& in, Launch launch, Value grid, const CallArguments& arguments);
  bool expand(Interpreter& in, Value kernel, Value grid, const CallArguments& arguments,
              bool certain);

  // Takes the grid of a launch, and how its numbers were computed.
  void takeGrid(Interpreter& in, Launch& launch, Value grid, const CallArguments& arguments);
  void describe(Interpreter& in, const LaunchArgument& argument, llvm::SmallVectorImpl<char>& out);

  std::vector<Launch>& out_;
  size_t mostPerKernel_;
  llvm::DenseMap<const syntax::FunctionDef*, size_t> perKernel_;
  llvm::DenseSet<const syntax::FunctionDef*> done_; // skipped kernels
  llvm::DenseSet<const syntax::Node*> calls_;       // that launched something
  bool isBlind_ = false, isOver_ = false;
  const language::FunctionObject* tuned_ = nullptr; // whose configurations are being launched
  struct Division {
    GridQuotient of;
    int64_t result = 0;
  };
  std::array<Division, 64> divisions_{}; // the latest ones
  size_t divisionCount_ = 0;
  llvm::StringMap<size_t> seen_; // index of each specialization, by a unique text
  llvm::DenseMap<const language::Type*, std::string> types_; // texts of descriptor types
};

// Turns arguments into specialized ones. Returns false, after raising, if they do not fit.
bool specialize(Interpreter& in, const FunctionObject* kernel, const CallArguments& arguments,
                Launch& out);
// Adds the value that a program gives for an option, unless it is the target's default. Returns
// false if Triton has no such option.
bool addOption(Interpreter& in, llvm::StringRef name, Value value, Launch& out);
// What a program compiles without launching it (WrittenLaunches.cpp): ASTSource(fn, signature,
// constexprs=None, attrs=None), triton.compile(source, target=None, options=None), GPUTarget(...),
// and run_parser(kernel, args=(), kwargs={}, target=...) of Triton's own tests.
Value makeSource(Interpreter& in, const CallArguments& arguments);
Value compileSource(Interpreter& in, const CallArguments& arguments);
Value makeTarget(Interpreter& in, const CallArguments& arguments);
Value runParser(Interpreter& in, const CallArguments& arguments);
// Makes a launch with typed defaults for every parameter, for a kernel that is never launched.
Launch defaultLaunch(Interpreter& in, const FunctionObject* kernel);

} // namespace gluond::evaluate
