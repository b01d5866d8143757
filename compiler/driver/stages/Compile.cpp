#include "driver/stages/Compile.h"

#include "driver/stages/CompiledText.h"
#include "driver/stages/Stages.h"
#include "passes/controlflow/AllocateWarpGroups.h"
#include "passes/refusals/Refusals.h"
#include "support/Allowance.h"
#include "support/BuildId.h"

#include <chrono>

namespace gluond::driver {

tl::unexpected<passes::PassFailure> Compilation::unsupported(std::string message) const {
  return tl::unexpected(passes::PassFailure{
      passes::FailureKind::Unsupported, ttgir->getLoc(), std::move(message), {}, {}, {}, stage});
}

passes::Result Compilation::lower(const lowering::TargetEmitter& target) {
  if (auto accepted = passes::checkRefusals(ttgir, passes::BackEndOf::Gluond); !accepted)
    return accepted;
  passes::allocateWarpGroups(ttgir);
  context = std::make_unique<llvm::LLVMContext>();
  auto lowered = lowering::lowerToLLVM(ttgir, target, *context, options.cancellation);
  if (!lowered) return tl::unexpected(std::move(lowered.error()));
  result.facts = lowered->facts;
  llir = std::move(lowered->module);
  return {};
}

namespace {

using Clock = std::chrono::steady_clock;
using Result = tl::expected<Compiled, passes::PassFailure>;

// Makes the stages of one kernel by their rows, each out of its input.
class StageMaker {
public:
  StageMaker(mlir::ModuleOp module, const chips::Target& target, const CompileOptions& options)
      : toolchain_(toolchainOf(target)), kernel_{module, target, options} {
    if (!options.cache.isOn()) return;
    std::string text;
    llvm::raw_string_ostream out(text);
    module.print(out, mlir::OpPrintingFlags().assumeVerified().enableDebugInfo());
    key_.add(buildId()).add(target.name()).add(chips::textOf(options.code)).add(text);
  }

  Result make(const Stage& stage) {
    if (passes::Result made = findOrMake(stage); !made)
      return tl::unexpected(std::move(made.error()));
    return std::move(kernel_.result);
  }

private:
  // Takes the result from the cache, or makes and stores it.
  passes::Result findOrMake(const Stage& stage) {
    start_ = Clock::now();
    if (mustStop(kernel_.options.cancellation)) return cancelled(stage);
    std::optional<CacheKey> key;
    const DiskCache& cache = kernel_.options.cache;
    if (cache.isOn()) {
      key = keyOf(stage);
      if (auto bytes = cache.find(*key))
        if (auto known = fromBytes(*bytes)) {
          kernel_.result = std::move(*known);
          lap(stage);
          return {};
        }
    }
    passes::Result made = makeAnew(stage);
    if (mustStop(kernel_.options.cancellation)) return cancelled(stage); // its result is not valid
    if (!made) return made;
    if (stage.form == Stage::Form::Module) print(kernel_.result.text);
    kernel_.result.lines =
        stage.lines ? stage.lines(kernel_.result.text) : std::vector<CompiledLine>();
    if (key) cache.keep(*key, toBytes(kernel_.result));
    return {};
  }

  passes::Result makeAnew(const Stage& stage) {
    const Stage* input = toolchain_.find(stage.input);
    if (input && input->isCompiled()) {
      bool isModule = input->form == Stage::Form::Module;
      kernel_.optimizesLater = isModule && !kernel_.options.alsoLlir;
      passes::Result before = isModule ? makeAnew(*input) : findOrMake(*input);
      if (!before) return before;
      if (mustStop(kernel_.options.cancellation)) return cancelled(stage);
      if (isModule && kernel_.options.alsoLlir) print(kernel_.result.llir);
    }
    kernel_.stage = stage.id;
    if (passes::Result made = stage.compile(kernel_); !made) return made;
    lap(stage);
    return {};
  }

  void print(std::string& text) const { llvm::raw_string_ostream(text) << *kernel_.llir; }

  // The inputs of the stage besides the module: the tools for it and for all earlier stages.
  CacheKey keyOf(const Stage& stage) const {
    CacheKey key = key_;
    key.add(stage.id);
    key.add(kernel_.options.alsoLlir && stage.form != Stage::Form::Module ? "with llir" : "");
    for (const Stage* each = &stage; each; each = toolchain_.find(each->input))
      for (const StageTool& tool : each->tools)
        key.add(tool.name).add(tool.identity(kernel_.options.workspace));
    return key;
  }

  void lap(const Stage& stage) {
    Clock::time_point now = Clock::now();
    kernel_.result.milliseconds.push_back(
        {stage.id, std::chrono::duration<double, std::milli>(now - start_).count()});
    start_ = now;
  }

  passes::Result cancelled(const Stage& stage) const {
    return tl::unexpected(passes::PassFailure{passes::FailureKind::Cancelled,
                                              kernel_.ttgir->getLoc(),
                                              "cancelled",
                                              {},
                                              {},
                                              {},
                                              stage.id});
  }

  const Toolchain& toolchain_;
  Compilation kernel_;
  CacheKey key_; // of the module
  Clock::time_point start_;
};

} // namespace

bool isRunnable(llvm::StringRef targetName) {
  auto target = chips::Target::parse(targetName);
  if (!target) return false;
  const Toolchain& toolchain = toolchainOf(*target);
  return toolchain.isRunnable && toolchain.isRunnable(*target);
}

Result compile(mlir::ModuleOp module, llvm::StringRef targetName, llvm::StringRef stage,
               const CompileOptions& options) {
  auto target = chips::Target::parse(targetName);
  const Stage* row = target ? findStage(*target, stage) : nullptr;
  if (!row || !row->isCompiled()) {
    bool compiles = target && llvm::any_of(stagesOf(*target),
                                           [](const Stage& each) { return each.isCompiled(); });
    return Compilation{.ttgir = module, .target = {}, .options = options, .stage = stage}
        .unsupported(compiles ? ("stage '" + stage + "' does not come after ttgir").str()
                              : ("gluond cannot compile for " + targetName + " yet").str());
  }
  return StageMaker(module, *target, options).make(*row);
}

} // namespace gluond::driver
