#include "evaluate/launches/RefusedArguments.h"

#include "evaluate/interpreter/Costs.h"
#include "evaluate/interpreter/HostObjects.h"
#include "evaluate/interpreter/Interpreter.h"
#include "evaluate/torch/LibraryClasses.h"
#include "evaluate/torch/Torch.h"
#include "language/parameters/CalledFunctions.h"
#include "syntax/tree/Ast.h"

#include <llvm/ADT/DenseSet.h>

namespace gluond::evaluate {

namespace {

// What may run a kernel on the CPU: another decorator, or Triton's interpreter, which has no Gluon;
// "" if nothing does.
std::string cpuRunnerOf(Interpreter& in, const FunctionObject& kernel) {
  for (const syntax::Expr* decorator : kernel.def ? kernel.def->decorators : syntax::Exprs()) {
    auto* call = llvm::dyn_cast<syntax::Call>(decorator);
    const syntax::Expr* callee = call ? call->func : decorator;
    llvm::StringRef text = language::calledName(callee, in.interner());
    if (!llvm::is_contained({"jit", "autotune", "heuristics"}, text)) return text.str();
  }
  return kernel.isTritonJit ? tritonInterpreter.str() : "";
}

// Reports a tensor that the GPU cannot access, for which Triton compiles the kernel all the same,
// or an array of numpy, which only gluond's simulator takes.
void refuseHostTensors(Interpreter& in, const FunctionObject* kernel,
                       llvm::ArrayRef<LaunchArgument> arguments) {
  for (auto [i, argument] : llvm::enumerate(arguments)) {
    Value host = argument.host;
    if (auto* descriptor = hostAs<HostDescriptorObject>(host, tensorDescriptorClass))
      if (Value base = descriptor->attributes->get(in.name("base")); !base.isAbsent())
        host = base.unwrapped();
    auto* tensor = hostAs<TensorObject>(host, tensorClass);
    bool isArray = hostAs<HostObject>(host, arrayClass);
    bool isOnHost = tensor && tensor->place == TensorPlace::Cpu;
    if (argument.isConstexpr || (!isArray && !isOnHost)) continue;
    if (isArray)
      in.raise({ErrorKind::HostArray, "", ""}, "TypeError",
               "failed to specialize argument of type: ndarray");
    else
      in.raise({ErrorKind::HostTensor, "", cpuRunnerOf(in, *kernel)}, "ValueError",
               "Pointer argument (at " + llvm::Twine(i) +
                   ") cannot be accessed from Triton (cpu tensor?)");
    in.blame(static_cast<int>(i));
    if (!in.isExhausted()) in.refused(kernel->qualname);
    in.dropError();
    return;
  }
}

// The value in a constant that Python cannot hash, which is the constant itself or an item of a
// tuple; Absent if there is none. Tuples may share their items, which are looked at once.
Value unhashableIn(Interpreter& in, Value constant) {
  llvm::SmallVector<Value, 16> left{constant};
  llvm::SmallDenseSet<const language::Object*, 8> seen;
  while (!left.empty()) {
    Value value = left.pop_back_val().unwrapped();
    bool isSet = value.is(ValueKind::Set) && in.className(in.typeOf(value)) == "set";
    if (isSet || value.is(ValueKind::List) || value.is(ValueKind::Dict)) return value;
    auto* tuple = value.as<TupleObject>();
    if (!tuple || !seen.insert(tuple).second) continue;
    if (!in.spend(1 + tuple->items.size() / valuesPerStep)) return Value::absent();
    left.append(tuple->items.begin(), tuple->items.end());
  }
  return Value::absent();
}

// Reports a constant that is not hashable: a launch looks its kernel up by all constants.
void refuseConstants(Interpreter& in, const FunctionObject* kernel,
                     llvm::ArrayRef<LaunchArgument> arguments) {
  for (auto [i, argument] : llvm::enumerate(arguments)) {
    if (!argument.isConstexpr || argument.isAssumed) continue;
    Value found = unhashableIn(in, argument.constant);
    if (found.isAbsent() || in.isExhausted()) continue;
    std::string type = in.className(in.typeOf(found)).str();
    in.raise({ErrorKind::NoSpecialization, type, unhashableConstant.str()}, "TypeError",
             "unhashable type: '" + type + "'");
    in.blame(static_cast<int>(i));
    if (!in.isExhausted()) in.refused(kernel->qualname);
    in.dropError();
    return;
  }
}

} // namespace

void refuseArguments(Interpreter& in, const FunctionObject* kernel, Value grid,
                     llvm::ArrayRef<LaunchArgument> arguments) {
  refuseHostTensors(in, kernel, arguments);
  if (!grid.isAbsent()) refuseConstants(in, kernel, arguments);
}

} // namespace gluond::evaluate
