#include "evaluate/launches/Launches.h"

#include "evaluate/interpreter/Gluon.h"
#include "evaluate/interpreter/HostObjects.h"
#include "evaluate/interpreter/Rebinding.h"
#include "evaluate/launches/Autotune.h"
#include "evaluate/torch/Torch.h"
#include "evaluate/values/Classes.h"
#include "evaluate/values/PythonCoverage.h"
#include "syntax/tree/Unparse.h"

#include <llvm/ADT/StringExtras.h>

namespace gluond::evaluate {

// ---------------------------------------------------------------- kernel[grid]

static Value callLauncher(Interpreter& in, Value self, const CallArguments& arguments) {
  auto* launcher = hostAs<LauncherObject>(self, launcherClass);
  if (!in.launches()) return Value::unknown();
  return in.launches()->launch(in, launcher->kernel, launcher->grid, arguments, isCertain(in));
}

// It is a function, which has none of the kernel's methods.
static Value launcherAttribute(Interpreter& in, Value self, Name name) {
  llvm::StringRef text = in.text(name);
  Value kernel = hostAs<LauncherObject>(self, launcherClass)->kernel;
  auto* function = kernelOf(kernel);
  if (!function || isOpen(function) || hasOtherDecorators(kernel) || pythonHas("function", text) ||
      pythonHas("object", text))
    return Value::unknown();
  in.raise("AttributeError", "'function' object has no attribute '" + llvm::Twine(text) + "'");
  in.refused(function->qualname);
  return Value::absent();
}

const HostClass launcherClass = {
    .name = "launcher",
    .attribute = launcherAttribute,
    .call = callLauncher,
    .rebinding = &copiedHost<LauncherObject, &LauncherObject::kernel, &LauncherObject::grid>};

// ---------------------------------------------------------------- the result of a launch

// What Triton returns is the compiled kernel, not what the kernel computes.
static constexpr llvm::StringLiteral membersOfCompiled[] = {"metadata",
                                                            "packed_metadata",
                                                            "src",
                                                            "hash",
                                                            "name",
                                                            "asm",
                                                            "kernel",
                                                            "metadata_group",
                                                            "module",
                                                            "_module_pid",
                                                            "function",
                                                            "_run",
                                                            "n_regs",
                                                            "n_spills",
                                                            "run",
                                                            "n_max_threads",
                                                            "launch_metadata",
                                                            "_init_handles",
                                                            "result",
                                                            "__del__",
                                                            "__dict__",
                                                            "__module__",
                                                            "__weakref__"};

static Value compiledAttribute(Interpreter& in, Value, Name name) {
  llvm::StringRef text = in.text(name);
  bool mayHave = in.options().release != releases::newest || pythonHas("object", text) ||
                 llvm::is_contained(membersOfCompiled, text);
  return mayHave ? Value::unknown()
                 : in.raise("AttributeError",
                            "'CompiledKernel' object has no attribute '" + llvm::Twine(text) +
                                "': a launch returns the compiled kernel, and no results");
}

static Value compiledOperator(Interpreter& in, int op, bool isCompare, Value left, Value right) {
  // The other operand may know what to do.
  auto isOther = [&](Value value) { return !hostAs<HostObject>(value, compiledKernelClass); };
  for (Value side : {left, right})
    if (isOther(side) && (isKnownInPart(in, side) || side.is(ValueKind::Instance)))
      return Value::unknown();
  if (isCompare) return Value::unknown();
  auto className = [&](Value value) -> std::string {
    return isOther(value) ? llvm::StringRef(in.className(in.typeOf(value))).str()
                          : llvm::StringRef(compiledKernelClass.name).str();
  };
  return in.raise("TypeError",
                  "unsupported operand type(s) for " +
                      llvm::Twine(syntax::symbolOf(static_cast<syntax::BinaryOp>(op))) + ": '" +
                      className(left) + "' and '" + className(right) +
                      "': a launch returns the compiled kernel, and no results");
}

const HostClass compiledKernelClass = {
    .name = "CompiledKernel",
    .attribute = compiledAttribute,
    .item = [](Interpreter&, Value, Value) { return Value::unknown(); },
    .binary = compiledOperator,
    .rebinding = &copiedHost<HostObject>};

Value makeCompiledKernel(Interpreter& in) {
  auto* object = in.heap().make<HostObject>();
  object->cls = &compiledKernelClass;
  return Value::object(ValueKind::Host, object);
}

Value makeLauncher(Interpreter& in, Value kernel, Value grid) {
  auto* object = in.heap().make<LauncherObject>();
  object->cls = &launcherClass;
  object->kernel = kernel;
  object->grid = grid;
  return Value::object(ValueKind::Host, object);
}

bool isLauncher(Value callee) {
  return hostAs<LauncherObject>(callee, launcherClass) != nullptr;
}

Value launchUncertain(Interpreter& in, Value launcher, const CallArguments& arguments) {
  in.enterUncertain();
  Value result = in.call(launcher, arguments);
  in.leaveUncertain();
  if (result.isAbsent() && !in.isExhausted()) in.dropError();
  return in.failed() ? Value::absent() : Value::unknown();
}

bool hasOtherDecorators(Value kernel) {
  size_t known = 1;
  for (auto* tuner = hostAs<TunerObject>(kernel, tunerClass); tuner;
       tuner = hostAs<TunerObject>(tuner->inner, tunerClass))
    ++known;
  auto* function = kernelOf(kernel);
  return function && function->def && function->def->decorators.size() > known;
}

// kernel.run(*args, grid, warmup, **kwargs) or kernel.warmup(*args, grid, **kwargs), where self is
// the kernel.
static Value runWith(Interpreter& in, const CallArguments& arguments, llvm::StringRef method,
                     llvm::ArrayRef<llvm::StringRef> required) {
  llvm::SmallVector<KeywordArgument> keywords;
  llvm::SmallVector<llvm::StringRef, 2> missing(required);
  Value grid = Value::unknown(), isWarmup = Value::boolean(!llvm::is_contained(required, "warmup"));
  for (auto& keyword : arguments.keywords) {
    llvm::StringRef name = in.text(keyword.name);
    if (name == "grid") grid = keyword.value;
    if (name == "warmup") isWarmup = keyword.value.unwrapped();
    if (name != "grid" && name != "warmup") keywords.push_back(keyword);
    llvm::erase(missing, name);
  }
  if (!in.launches()) return Value::unknown();
  Value kernel = arguments.positional[0];
  auto* function = kernelOf(kernel);
  if (!missing.empty() && function && !isOpen(function) && !hasOtherDecorators(kernel)) {
    in.raise("TypeError", method + "() missing " + llvm::Twine(missing.size()) +
                              " required keyword-only argument" + (missing.size() == 1 ? "" : "s") +
                              ": '" + llvm::join(missing, "' and '") + "'");
    in.refused(function->qualname);
    return Value::absent();
  }
  // What is only compiled runs no programs, whatever grid it is given.
  if (!isWarmup.is(ValueKind::Bool) || isWarmup.asInt()) grid = Value::unknown();
  return in.launches()->launch(in, kernel, grid, {arguments.positional.drop_front(), keywords},
                               isCertain(in));
}

static Value run(Interpreter& in, const CallArguments& arguments) {
  return runWith(in, arguments, "JITFunction.run", {"grid", "warmup"});
}

// kernel.warmup(torch.float32, ...) stands for a tensor of that dtype.
static Value warmup(Interpreter& in, const CallArguments& arguments) {
  auto tensorFor = [&](Value value) {
    if (auto* dtype = hostAs<DtypeObject>(value, dtypeClass))
      return makeTensor(in, dtype->dtype, {Extent()});
    auto* tensor = hostAs<TensorObject>(value, tensorClass);
    if (!tensor || tensor->place != TensorPlace::Cpu) return value;
    auto* other = in.heap().make<TensorObject>(*tensor); // the GPU does not access it
    other->place = TensorPlace::Unknown;
    return Value::object(ValueKind::Host, other);
  };
  llvm::SmallVector<Value, 8> positional(llvm::map_range(arguments.positional, tensorFor));
  llvm::SmallVector<KeywordArgument> keywords(arguments.keywords);
  for (KeywordArgument& keyword : keywords)
    keyword.value = tensorFor(keyword.value);
  return runWith(in, {positional, keywords}, "KernelInterface.warmup", {"grid"});
}

Value runnerOf(Interpreter& in, Value self, llvm::StringRef name) {
  return in.function(name, name == "run" ? run : warmup, self);
}

Value jitAttribute(Interpreter& in, Value self, Name name) {
  llvm::StringRef text = in.text(name);
  auto* function = self.as<FunctionObject>();
  if (text == "warmup" || text == "run") return runnerOf(in, self, text);
  if (text == "fn") {
    auto* plain = in.heap().make<FunctionObject>(*function);
    plain->function = FunctionKind::Python;
    return Value::object(ValueKind::Function, plain);
  }
  if (text == "arg_names") {
    llvm::SmallVector<Value> names;
    for (auto& parameter : function->def->parameters)
      names.push_back(in.string(in.text(parameter.name.name)));
    return in.heap().list(names);
  }
  if (text == "__triton_builtin__") return Value::absent();
  // src, cache_key, device_caches, ...
  bool mayHave = in.options().release != releases::newest || isOpen(function) ||
                 pythonHas(in.className(in.typeOf(self)), text) || pythonHas("object", text);
  return mayHave ? Value::unknown() : Value::absent();
}

} // namespace gluond::evaluate
