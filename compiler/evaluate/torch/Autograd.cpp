#include "evaluate/torch/Autograd.h"

#include "evaluate/interpreter/NativeArguments.h"
#include "evaluate/interpreter/Rebinding.h"
#include "evaluate/torch/LibraryClasses.h"
#include "evaluate/torch/TensorArguments.h"
#include "evaluate/values/PythonCoverage.h"

#include <llvm/ADT/DenseMap.h>
#include <llvm/ADT/STLExtras.h>

namespace gluond::evaluate {

namespace {

// What a tensor was computed with.
struct OriginObject : HostObject {
  Value function; // a class derived from torch.autograd.Function; Absent for a plain operation
  Value context;
  Value output;  // what `forward` returned
  Values inputs; // origins of the tensors that it got
  Value summed;  // the tensor whose sum it is; or Absent
  bool isDone;   // its `backward` ran
};
extern const HostClass originClass;
const HostClass originClass = {.name = "Node", .rebinding = &sharedHost};

const OriginObject* originOf(Value value) {
  auto* tensor = hostAs<TensorObject>(value.unwrapped(), tensorClass);
  return tensor ? hostAs<OriginObject>(tensor->origin, originClass) : nullptr;
}

OriginObject* makeOrigin(Interpreter& in, Values operands) {
  llvm::SmallVector<Value, 4> inputs;
  for (Value operand : operands)
    if (originOf(operand))
      inputs.push_back(hostAs<TensorObject>(operand.unwrapped(), tensorClass)->origin);
  auto* origin = in.heap().make<OriginObject>();
  origin->cls = &originClass;
  origin->function = origin->context = origin->output = origin->summed = Value::absent();
  origin->inputs = in.heap().copy(inputs);
  origin->isDone = false;
  return origin;
}

void setOrigin(Interpreter& in, Value tensor, const OriginObject* origin) {
  if (TensorObject* object = in.writable(hostAs<TensorObject>(tensor, tensorClass)))
    object->origin = Value::object(ValueKind::Host, origin);
}

// The tensors of what `forward` returned: one, or a tuple with some.
Values partsOf(const Value& output) {
  if (auto* tuple = output.as<TupleObject>()) return tuple->items;
  return output;
}

// ---------------------------------------------------------------- the context

Value saveForBackward(Interpreter& in, const CallArguments& arguments) {
  if (arguments.positional.empty()) return Value::none();
  return in.setAttribute(arguments.positional[0], in.name("saved_tensors"),
                         in.tupleOf(arguments.positional.drop_front()))
             ? Value::none()
             : Value::absent();
}

Value contextClass(Interpreter& in) {
  Value cls = closedClass(in, "torch.autograd.function.FunctionCtx");
  Scope* members = in.writable(cls.as<ClassObject>()->members);
  if (!members) return Value::absent();
  members->set(in.name("save_for_backward"),
               nativeMethod<saveForBackward>(in, "save_for_backward"));
  members->set(in.name("saved_tensors"), in.tupleOf({}));
  for (llvm::StringRef method : {"mark_dirty", "mark_non_differentiable", "mark_shared_storage",
                                 "save_for_forward", "set_materialize_grads"})
    members->set(in.name(method), nativeMethod<none>(in, "mark"));
  for (llvm::StringRef member : {"apply", "dirty_tensors", "materialize_grads", "metadata", "name",
                                 "needs_input_grad", "next_functions", "non_differentiable",
                                 "register_hook", "register_prehook", "saved_variables", "to_save"})
    members->set(in.name(member), Value::unknown());
  return cls;
}

Value makeContext(Interpreter& in, Values inputs) {
  Value cls = in.moduleMember("torch.autograd", in.name("FunctionCtx"));
  if (!cls.is(ValueKind::Class)) return Value::unknown();
  Value context = in.instance(cls.as<ClassObject>());
  llvm::SmallVector<Value> needed;
  for (Value input : inputs) {
    auto* tensor = hostAs<TensorObject>(input.unwrapped(), tensorClass);
    bool isFloat = tensor && tensor->dtype && tensor->dtype->isFloat;
    needed.push_back(input.isUnknown() ? Value::unknown() : Value::boolean(isFloat));
  }
  return in.setAttribute(context, in.name("needs_input_grad"), in.tupleOf(needed))
             ? context
             : Value::absent();
}

// ---------------------------------------------------------------- forward and backward

// Class.apply(x) is Class.forward(context, x); of a class with `setup_context`, Class.forward(x)
// and then Class.setup_context(context, (x, ), output).
Value apply(Interpreter& in, const CallArguments& arguments) {
  if (arguments.positional.empty()) return Value::unknown();
  Value function = arguments.positional[0];
  Values inputs = arguments.positional.drop_front();
  Value context = makeContext(in, inputs);
  if (context.isAbsent()) return Value::absent();
  auto* cls = function.as<ClassObject>();
  Value setup = cls ? in.findInClass(cls, in.name("setup_context")) : Value::absent();
  Value output;
  if (!setup.isAbsent() && !setup.isUnknown()) {
    output = in.callMethod(function, in.name("forward"), {inputs, arguments.keywords});
    if (output.isAbsent()) return Value::absent();
    Value given[] = {context, in.tupleOf(inputs), output};
    if (in.callMethod(function, in.name("setup_context"), {given, {}}).isAbsent())
      return Value::absent();
  } else {
    llvm::SmallVector<Value> given{context};
    given.append(inputs.begin(), inputs.end());
    output = in.callMethod(function, in.name("forward"), {given, arguments.keywords});
    if (output.isAbsent()) return Value::absent();
  }
  OriginObject* origin = makeOrigin(in, inputs);
  origin->function = function;
  origin->context = context;
  origin->output = output;
  for (Value part : partsOf(output))
    setOrigin(in, part, origin);
  return output;
}

Value gradientOf(Interpreter& in, Value output, Value from, Value given) {
  auto* tensor = hostAs<TensorObject>(output, tensorClass);
  if (!tensor) return output.isUnknown() ? Value::unknown() : Value::none();
  auto* last = hostAs<TensorObject>(from, tensorClass);
  if (tensor == last && !given.isAbsent() && !given.isNone()) return given;
  if (!tensor->hasShape) return tensors::fresh(in, *tensor);
  const OriginObject* origin = originOf(from);
  if (origin && hostAs<TensorObject>(origin->summed, tensorClass) == tensor) {
    // The gradient of each element is the same number.
    Value one = tensors::resultOf(in, *tensor, tensor->dtype, {});
    return alias(in, *hostAs<TensorObject>(one, tensorClass), tensor->shape,
                 Extents(tensor->shape.size(), Extent(0)), 0);
  }
  return tensors::fresh(in, *tensor);
}

// All that a tensor was computed with, inputs before what was made of them.
llvm::SmallVector<const OriginObject*> allBefore(Interpreter& in, const OriginObject* last) {
  llvm::SmallVector<const OriginObject*> sorted;
  llvm::SmallVector<std::pair<const OriginObject*, size_t>> path{{last, 0}};
  llvm::SmallPtrSet<const OriginObject*, 16> seen{last};
  while (!path.empty() && in.spend(1)) {
    auto& [origin, next] = path.back();
    if (next == origin->inputs.size()) {
      sorted.push_back(origin);
      path.pop_back();
    } else if (auto* input = hostAs<OriginObject>(origin->inputs[next++], originClass);
               input && seen.insert(input).second) {
      path.emplace_back(input, 0);
    }
  }
  return sorted;
}

bool runBackward(Interpreter& in, Value tensor, Value gradient) {
  const OriginObject* last = originOf(tensor);
  if (!last) return true;
  llvm::SmallVector<const OriginObject*> all = allBefore(in, last);
  for (const OriginObject* origin : llvm::reverse(all)) {
    if (origin->isDone || origin->function.isAbsent()) continue;
    OriginObject* done = in.writable(origin);
    if (!done) return false; // of a finished module
    done->isDone = true;
    auto* cls = origin->function.as<ClassObject>();
    Value method = cls ? in.findInClass(cls, in.name("backward")) : Value::absent();
    if (method.isAbsent() || method.isUnknown()) continue;
    llvm::SmallVector<Value> given{origin->context};
    for (Value output : partsOf(origin->output))
      given.push_back(gradientOf(in, output, tensor, gradient));
    if (in.callMethod(origin->function, in.name("backward"), {given, {}}).isAbsent()) return false;
  }
  return !in.failed();
}

// torch.autograd.grad(outputs, inputs, grad_outputs) and torch.autograd.backward(tensors, grads)
template <size_t place> Value gradients(Interpreter& in, const CallArguments& arguments) {
  Value outputs = place == 2 ? given(in, arguments, 0, "outputs") : at(arguments, 0);
  Value all = place == 2 ? given(in, arguments, 2, "grad_outputs") : at(arguments, 1);
  auto listed = [&](Value value) {
    llvm::SmallVector<Value> items;
    if (value.is(ValueKind::Tuple) || value.is(ValueKind::List))
      in.unpack(value, items);
    else if (!value.isAbsent())
      items.push_back(value);
    return items;
  };
  llvm::SmallVector<Value> tensors = listed(outputs), given = listed(all);
  for (const auto& [i, tensor] : llvm::enumerate(tensors))
    if (!runBackward(in, tensor.unwrapped(), i < given.size() ? given[i] : Value::absent()))
      return Value::absent();
  return place == 2 ? Value::unknown() : Value::none();
}

Value callWithOrigin(Interpreter& in, const CallArguments& arguments) {
  auto* pair = arguments.positional[0].as<TupleObject>();
  Value tensor = pair->items[0], method = pair->items[1];
  Values given = arguments.positional.drop_front();
  Value result = in.call(method, {given, arguments.keywords});
  if (result.isAbsent() || !hostAs<TensorObject>(result, tensorClass)) return result;
  llvm::SmallVector<Value, 4> operands{tensor};
  operands.append(given.begin(), given.end());
  result = withOrigins(in, operands, result);
  auto* function = hostAs<NativeFunctionObject>(method, nativeFunctionClass);
  if (function && function->name == "sum" && given.empty() && arguments.keywords.empty()) {
    OriginObject* origin = makeOrigin(in, tensor);
    origin->summed = tensor;
    setOrigin(in, result, origin);
  }
  return result;
}

} // namespace

Value withOrigin(Interpreter& in, Value tensor, Value method) {
  return originOf(tensor) ? in.function("method", callWithOrigin, in.tupleOf({tensor, method}))
                          : method;
}

Value withOrigins(Interpreter& in, Values operands, Value result) {
  const OriginObject* found = nullptr;
  bool isOne = true;
  for (Value operand : operands)
    if (const OriginObject* origin = originOf(operand)) {
      isOne &= !found || found == origin;
      found = origin;
    }
  if (!found || !hostAs<TensorObject>(result, tensorClass) || originOf(result)) return result;
  setOrigin(in, result, isOne ? found : makeOrigin(in, operands));
  return result;
}

Value tensorBackward(Interpreter& in, const CallArguments& arguments) {
  Value tensor = at(arguments, 0);
  return runBackward(in, tensor, given(in, arguments, 1, "gradient")) ? Value::none()
                                                                      : Value::absent();
}

Value autogradModule(Interpreter& in, llvm::StringRef name) {
  if (name == "FunctionCtx") return contextClass(in);
  if (name == "grad") return in.function("grad", gradients<2>);
  if (name == "backward") return in.function("backward", gradients<1>);
  if (name != "Function") return Value::absent();
  Value cls = openClass(in, "torch.autograd.Function");
  auto* descriptor = in.heap().make<DescriptorObject>();
  descriptor->cls = &descriptorClass;
  descriptor->flavour = DescriptorObject::Flavour::Class;
  descriptor->function = in.function("apply", apply);
  if (Scope* members = in.writable(cls.as<ClassObject>()->members))
    members->set(in.name("apply"), Value::object(ValueKind::Host, descriptor));
  return cls;
}

} // namespace gluond::evaluate
