// An EvaluateContext without an evaluator: for calling native functions in tests.
#pragma once

#include "language/types/Builtin.h"
#include "language/types/LayoutClass.h"
#include "language/types/Structure.h"
#include "language/types/Text.h"
#include "language/types/TypeContext.h"

#include <string>

namespace gluond::language {

struct TestWorld {
  Interner names;
  Heap worldHeap;
  TypeContext worldTypes{names};
};

class TestContext final : TestWorld, public EvaluateContext {
public:
  TestContext() : EvaluateContext(worldHeap, names, worldTypes, "cuda:90") {}

  Name name(llvm::StringRef text) override { return names.intern(text); }
  Value raise(llvm::StringRef exceptionClass, const llvm::Twine& message) override {
    error = (exceptionClass + ": " + message).str();
    return Value::absent();
  }
  Value call(Value callee, const CallArguments& arguments) override {
    return callNative(*callee.asBuiltin(), *this, arguments);
  }
  Value getAttribute(Value, Name) override { return Value::unknown(); }
  bool unpack(Value iterable, llvm::SmallVectorImpl<Value>& out) override {
    llvm::append_range(out, itemsOf(iterable));
    return true;
  }
  bool failed() const override { return !error.empty(); }
  std::optional<bool> truth(Value value) override { return value.isIntegral() && value.asInt(); }
  std::optional<bool> equal(Value a, Value b) override { return language::equal(a, b); }
  std::string repr(Value value) override { return language::repr(value, interner()); }

  // A list of ints, or of lists of ints.
  Value list(std::initializer_list<int64_t> items) {
    return listOf(llvm::ArrayRef<int64_t>(items), heap());
  }
  Value lists(std::initializer_list<Basis> items) {
    return listOf(llvm::ArrayRef<Basis>(items), heap());
  }
  Value call(BuiltinId id, std::initializer_list<Value> arguments) {
    return callNative(builtin(id), *this, {Values(arguments), {}});
  }
  std::string error;
};

} // namespace gluond::language
