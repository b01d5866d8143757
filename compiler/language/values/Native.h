// Functions of the modelled world that run at compile time: how the evaluator calls them, and the
// services it offers them.
//
// A row of the builtin table (layout constructors, dtypes, cdiv, NVMMASharedLayout.get_default_for,
// ...) that can be evaluated without a kernel has a NativeFunction; so have Python's own builtins
// and the modelled torch.
//
//   Value cdiv(EvaluateContext& context, const CallArguments& arguments) {
//     ... arguments.positional[0] ...            a method's self is positional[0]
//     return context.raise("TypeError", "...");  a Python exception: return what raise() returns
//   }
//
// Errors: a raised exception is the Value Absent, with the details stored in the context. If the
// context's call(), getAttribute(), ... returns Absent, the native returns it at once. Unknown
// arguments give Unknown results.
#pragma once

#include "language/values/Value.h"

#include <llvm/ADT/SmallVector.h>
#include <llvm/ADT/Twine.h>

#include <algorithm>
#include <optional>
#include <string>

namespace gluond::language {

class TypeContext;

struct KeywordArgument {
  Name name;
  Value value;
};

// The arguments that a call gives by position. Those that it does not give are Absent: natives may
// ask for any number.
class Positional : public Values {
public:
  using Values::Values;
  Positional(Values given) : Values(given) {}

  Value operator[](size_t index) const {
    return index < size() ? Values::operator[](index) : Value::absent();
  }
  Value front() const { return (*this)[0]; }
  Value back() const { return empty() ? Value::absent() : Values::back(); }
  Positional drop_front(size_t count = 1) const {
    return Values::drop_front(std::min(count, size()));
  }
};

struct CallArguments {
  Positional positional;
  llvm::ArrayRef<KeywordArgument> keywords;
};

// The evaluator's interface for native functions. For one thread only.
class EvaluateContext {
public:
  Heap& heap() { return heap_; }
  const Interner& interner() const { return interner_; }
  TypeContext& types() { return types_; }
  // The target that the program is assumed to run on: "cuda:90", "hip:gfx942".
  llvm::StringRef target() const { return target_; }

  // Returns the name with this text if there is one already.
  std::optional<Name> knownName(llvm::StringRef text) { return interner_.find(text); }
  // Interns a name that the program made. Names are never freed, so that they have a budget: when
  // it is exhausted, the result is the empty name, and failed() is true.
  virtual Name name(llvm::StringRef text) = 0;
  // Raises a builtin exception ("ValueError", ...); returns Absent.
  virtual Value raise(llvm::StringRef exceptionClass, const llvm::Twine& message) = 0;
  // Sets which parameter of the native function the exception just raised is about.
  virtual void blame(int) {}
  virtual Value call(Value callee, const CallArguments& arguments) = 0;
  virtual Value getAttribute(Value object, Name name) = 0;
  // Appends the members of any iterable to `out`. Returns false if it raised, or if they are not
  // known (failed() distinguishes the two).
  virtual bool unpack(Value iterable, llvm::SmallVectorImpl<Value>& out) = 0;
  virtual bool failed() const = 0;
  // Python's bool(value); nullopt if unknown or raised.
  virtual std::optional<bool> truth(Value value) = 0;
  // Python's a == b; nullopt if unknown.
  virtual std::optional<bool> equal(Value a, Value b) = 0;
  virtual std::string repr(Value value) = 0;

protected:
  EvaluateContext(Heap& heap, Interner& interner, TypeContext& types, llvm::StringRef target)
      : heap_(heap), interner_(interner), types_(types), target_(target) {}
  ~EvaluateContext() = default;

private:
  Heap& heap_;
  Interner& interner_;
  TypeContext& types_;
  std::string target_;
};

using NativeFunction = Value (*)(EvaluateContext&, const CallArguments&);

} // namespace gluond::language
