// Functions of the modelled world that run at compile time: how the evaluator calls them, and what
// they may ask of it.
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
// Errors: a raised exception is the Value Absent, with the details kept in the context. Whoever
// gets Absent from the context's call(), getAttribute(), ... returns it at once. Unknown in,
// Unknown out.
#pragma once

#include "language/values/Value.h"

#include <llvm/ADT/SmallVector.h>
#include <llvm/ADT/Twine.h>

#include <optional>
#include <string>

namespace gluond::language {

class TypeContext;

struct KeywordArgument {
  Name name;
  Value value;
};

struct CallArguments {
  Values positional;
  llvm::ArrayRef<KeywordArgument> keywords;
};

// The evaluator as a native function sees it. One thread.
class EvaluateContext {
public:
  Heap& heap() { return heap_; }
  Interner& interner() { return interner_; }
  TypeContext& types() { return types_; }
  // "cuda:90", "hip:gfx942": what the program is assumed to run on.
  llvm::StringRef target() const { return target_; }

  // Raises a builtin exception ("ValueError", ...); returns Absent.
  virtual Value raise(llvm::StringRef exceptionClass, const llvm::Twine& message) = 0;
  // The parameter of the native function whose argument the exception just raised is about.
  virtual void blame(int) {}
  virtual Value call(Value callee, const CallArguments& arguments) = 0;
  virtual Value getAttribute(Value object, Name name) = 0;
  // The members of any iterable appended to `out`. False when it raised, or when they are not known
  // (failed() tells which).
  virtual bool unpack(Value iterable, llvm::SmallVectorImpl<Value>& out) = 0;
  virtual bool failed() const = 0;
  // Python's bool(value); nullopt when unknown or raised.
  virtual std::optional<bool> truth(Value value) = 0;
  // Python's a == b; nullopt when unknown.
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
