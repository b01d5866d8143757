#include "driver/stages/Compile.h"

#include "codegen/targets/Target.h"
#include "driver/stages/CompiledText.h"
#include "lowering/nvidia/NvidiaTarget.h"
#include "passes/controlflow/AllocateWarpGroups.h"
#include "support/Allowance.h"
#include "support/BuildId.h"
#include "target/nvidia/Ptx.h"
#include "target/nvidia/Toolkit.h"

#include <chrono>

namespace gluond::driver {

namespace {

using Clock = std::chrono::steady_clock;
using Result = tl::expected<Compiled, passes::Failure>;

// Makes the stages of one kernel, each out of the one before.
class Compilation {
public:
  Compilation(mlir::ModuleOp module, llvm::StringRef targetName, const target::nvidia::Chip& chip,
              const CompileOptions& options)
      : module_(module), targetName_(targetName), chip_(chip), options_(options) {
    if (!options.cache.isOn()) return;
    std::string text;
    llvm::raw_string_ostream out(text);
    module.print(out, mlir::OpPrintingFlags().assumeVerified().enableDebugInfo());
    key_.add(buildId()).add(targetName).add(text);
  }

  // From the cache, or made and put there.
  Result stage(llvm::StringRef name) {
    start_ = Clock::now();
    if (mustStop(options_.cancellation)) return cancelled(name);
    std::optional<CacheKey> key;
    if (options_.cache.isOn()) {
      key = keyOf(name);
      if (auto bytes = options_.cache.find(*key))
        if (auto known = fromBytes(*bytes)) {
          lap(*known, name);
          return std::move(*known);
        }
    }
    Result made = name == "sass" ? sass() : name == "cubin" ? cubin() : code(name);
    if (mustStop(options_.cancellation)) return cancelled(name);
    if (made && key) options_.cache.keep(*key, toBytes(*made));
    return made;
  }

private:
  // What the stage depends on besides the module: the tools that make it.
  CacheKey keyOf(llvm::StringRef name) const {
    using namespace target::nvidia;
    CacheKey key = key_;
    key.add(name).add(options_.alsoLlir && name != "llir" ? "with llir" : "");
    auto tool = [&](const char* each) {
      return identityOf(findTool(each, options_.workspace).path);
    };
    key.add(identityOf(findDeviceLibrary(options_.workspace).path));
    if (name == "cubin" || name == "sass") key.add(tool("ptxas"));
    if (name == "sass") key.add(tool("nvdisasm"));
    return key;
  }

  void lap(Compiled& compiled, llvm::StringRef name) {
    Clock::time_point now = Clock::now();
    compiled.milliseconds.push_back(
        {name, std::chrono::duration<double, std::milli>(now - start_).count()});
    start_ = now;
  }

  tl::unexpected<passes::Failure> failed(passes::FailureKind kind, std::string message,
                                         llvm::StringRef stage) {
    return tl::unexpected(
        passes::Failure{kind, module_.getLoc(), std::move(message), {}, {}, {}, stage});
  }
  tl::unexpected<passes::Failure> unsupported(std::string message, llvm::StringRef stage) {
    return failed(passes::FailureKind::Unsupported, std::move(message), stage);
  }
  tl::unexpected<passes::Failure> cancelled(llvm::StringRef stage) {
    return failed(passes::FailureKind::Cancelled, "cancelled", stage);
  }

  // LLVM IR or PTX.
  Result code(llvm::StringRef stage) {
    Compiled result;
    passes::allocateWarpGroups(module_);
    llvm::LLVMContext context;
    auto target = lowering::nvidia::makeTarget(chip_.capability);
    auto lowered = lowering::lowerToLLVM(module_, *target, context, options_.cancellation);
    if (!lowered) return tl::unexpected(std::move(lowered.error()));
    result.facts = lowered->facts;
    auto compiler =
        target::nvidia::PtxCompiler::create(chip_, {.deviceLibrary = {},
                                                    .untrusted = options_.workspace,
                                                    .cancellation = options_.cancellation});
    if (!compiler) return unsupported(compiler.error(), stage);
    if (auto done = compiler->optimize(*lowered->module); !done)
      return unsupported(done.error(), stage);
    lap(result, "llir");
    if (mustStop(options_.cancellation)) return cancelled(stage);
    if (stage == "llir" || options_.alsoLlir)
      llvm::raw_string_ostream(stage == "llir" ? result.text : result.llir) << *lowered->module;
    if (stage == "llir") {
      result.lines = linesOfLlvm(result.text);
      return result;
    }
    auto ptx = compiler->toPtx(*lowered->module);
    if (!ptx) return unsupported(ptx.error(), stage);
    lap(result, "ptx");
    result.text = std::move(*ptx);
    result.lines = linesOfPtx(result.text);
    return result;
  }

  Result cubin() {
    Result result = stage("ptx");
    if (!result) return result;
    auto cubin = target::nvidia::assemble(result->text, chip_.name, options_.workspace, true,
                                          options_.cancellation);
    if (!cubin) return unsupported(cubin.error(), "cubin");
    result->assembled = Assembled{cubin->registers, cubin->spillBytes, cubin->stackBytes};
    lap(*result, "cubin");
    result->text.assign(cubin->bytes.begin(), cubin->bytes.end());
    result->lines.clear();
    return result;
  }

  Result sass() {
    Result result = stage("cubin");
    if (!result) return result;
    auto sass =
        target::nvidia::disassemble(result->text, options_.workspace, options_.cancellation);
    if (!sass) return unsupported(sass.error(), "sass");
    lap(*result, "sass");
    result->text = std::move(*sass);
    result->lines = linesOfSass(result->text);
    return result;
  }

  mlir::ModuleOp module_;
  llvm::StringRef targetName_;
  const target::nvidia::Chip& chip_;
  const CompileOptions& options_;
  CacheKey key_; // of the module
  Clock::time_point start_;
};

} // namespace

static const target::nvidia::Chip* chipOf(llvm::StringRef targetName) {
  auto target = codegen::Target::parse(targetName);
  return target && target->isCuda() ? target::nvidia::findChip(target->capability) : nullptr;
}

bool isRunnable(llvm::StringRef target) {
  const target::nvidia::Chip* chip = chipOf(target);
  return chip && chip->isComplete;
}

Result compile(mlir::ModuleOp module, llvm::StringRef targetName, llvm::StringRef stage,
               const CompileOptions& options) {
  const target::nvidia::Chip* chip = chipOf(targetName);
  if (!chip)
    return tl::unexpected(
        passes::Failure{passes::FailureKind::Unsupported,
                        module.getLoc(),
                        ("gluond cannot compile for " + targetName + " yet").str(),
                        {},
                        {},
                        {},
                        stage});
  return Compilation(module, targetName, *chip, options).stage(stage);
}

} // namespace gluond::driver
