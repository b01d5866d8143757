// Transfers a finished evaluation to an edited file if it does not depend on the edits: the same
// values, with definitions and places of the new tree.
//
// Objects are frozen and shared by threads, so objects that refer to a definition are copied, once,
// into the heap of the new evaluation; strings, numbers, layouts, tensors are shared with the old
// one, which must live on. If something cannot be copied (a dict whose keys hash by address),
// rebinding fails and the file is evaluated again.
#pragma once

#include "evaluate/interpreter/HostObjects.h"
#include "evaluate/interpreter/PythonError.h"
#include "syntax/Correspondence.h"

#include <llvm/ADT/StringMap.h>

namespace gluond::evaluate {

// The changed files, by path. All others stay unchanged.
using Correspondences = llvm::StringMap<syntax::Correspondence>;

class Rebinder {
public:
  Rebinder(Heap& heap, Correspondences& files) : heap_(heap), files_(files) {}

  // Replaces a value by its counterpart, which is complete after finish().
  void fix(Value& value);
  void fix(Values& values);
  void fix(const Scope*& scope);
  void fix(const language::ModuleObject*& module) {
    if (module && module->globals) module = copy(module);
  }
  void fix(const language::ClassObject*& cls);
  void fix(llvm::ArrayRef<KeywordArgument>& keywords);
  void fix(const language::FunctionObject*& function) { function = copy(function); }
  void fix(Place& place);
  void fix(text::Range& range, const language::ModuleObject& module);

  // Returns false if rebinding is impossible.
  bool finish();
  bool failed() const { return failed_; }

private:
  // Copies an object; its parts are fixed later.
  template <typename T> const T* copy(const T* object);
  template <typename T> void later(T* copy);
  Value copied(Value value);
  Value fixed(Value value);
  void parts(language::FunctionObject& function);
  void parts(language::ClassObject& cls);
  void parts(language::ModuleObject& module);
  void parts(Scope& scope);
  void dict(language::DictObject& dict);
  bool isStableKey(Value key, unsigned depth = 0) const;
  syntax::Correspondence* changes(const language::ModuleObject* module);
  template <typename T> void definition(const T*& node, const language::ModuleObject* module);

  Heap& heap_;
  Correspondences& files_;
  llvm::DenseMap<const void*, void*> copies_;
  // Remaining work; a queue, because users' data structures may be deep.
  std::vector<std::pair<void (*)(Rebinder&, void*), void*>> queue_;
  bool failed_ = false;
};

// How objects of a host class are copied: a row of HostClass.
struct HostRebinding {
  HostObject* (*copy)(Heap&, const HostObject&) = nullptr; // null if it is shared
  void (*parts)(Rebinder&, HostObject&) = nullptr;
};
inline constexpr HostRebinding sharedHost{};

// The row for a T whose given members refer to values.
template <typename T, auto... members>
inline constexpr HostRebinding copiedHost = {
    [](Heap& heap, const HostObject& object) -> HostObject* {
      return heap.make<T>(static_cast<const T&>(object));
    },
    [](Rebinder& rebinder, HostObject& object) {
      (rebinder.fix(static_cast<T&>(object).*members), ...);
    }};

} // namespace gluond::evaluate
