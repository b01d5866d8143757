// Objects of numpy and torch of which only the class matters to a launch: arrays, which no kernel
// takes, and the classes from which programs derive their layers.
#pragma once

#include "evaluate/interpreter/HostObjects.h"
#include "evaluate/interpreter/NativeTables.h"

namespace gluond::evaluate {

// numpy.ndarray: everything about it is unknown, but a launch refuses it.
extern const HostClass arrayClass;
Value makeArray(Interpreter& in);
// Whether a value is such an array, or a tensor of torch's.
bool isArray(Value value);
llvm::ArrayRef<NativeRow> numpyFunctions();
llvm::ArrayRef<NativeRow> numpyRandomFunctions();

// A class without members, and one of which not all members are known.
Value closedClass(Interpreter& in, llvm::StringLiteral name);
Value openClass(Interpreter& in, llvm::StringLiteral name);

// For a member of such a class: a property whose value is a native function of its object.
template <Native function> Value nativeMethod(Interpreter& in, llvm::StringLiteral name) {
  auto* property = in.heap().make<DescriptorObject>();
  property->cls = &descriptorClass;
  property->flavour = DescriptorObject::Flavour::Property;
  property->function = in.function(name, [](Interpreter& inner, const CallArguments& arguments) {
    if (arguments.positional.empty()) return Value::unknown(); // fget() without an object
    return inner.function("method", function, arguments.positional[0]);
  });
  return Value::object(ValueKind::Host, property);
}

// Members of torch.nn: Module, whose call is its `forward`.
Value layerModule(Interpreter& in, llvm::StringRef name);

// Whether it is a function of torch, which no kernel may refer to.
bool isFunctionOfTorch(const NativeFunctionObject& native);

} // namespace gluond::evaluate
