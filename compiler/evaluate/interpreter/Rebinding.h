// A finished evaluation for an edited file whose edits it does not depend on: the same values, with
// definitions and places of the new tree.
//
// Objects are frozen and shared by threads, so what refers to a definition is copied, once, into
// the heap of the new evaluation; strings, numbers, layouts, tensors are shared with the old one,
// which must live on. What cannot be copied (a dict whose keys hash by their address) makes it
// fail: then the file is evaluated again.
#pragma once

#include "evaluate/interpreter/HostObjects.h"
#include "evaluate/interpreter/PythonError.h"
#include "syntax/Correspondence.h"

#include <llvm/ADT/StringMap.h>

namespace gluond::evaluate {

// By path: the files that changed. The others stay what they are.
using Correspondences = llvm::StringMap<syntax::Correspondence>;

class Rebinder {
public:
  Rebinder(Heap& heap, Correspondences& files) : heap_(heap), files_(files) {}

  // Replaces what is there by its counterpart, which is complete after finish().
  void fix(Value& value);
  void fix(Values& values);
  void fix(Scope*& scope);
  void fix(language::ModuleObject*& module) {
    if (module && module->globals) module = copy(module);
  }
  void fix(language::ClassObject*& cls);
  void fix(llvm::ArrayRef<KeywordArgument>& keywords);
  template <typename T> void fix(const T*& object) {
    T* mutableObject = const_cast<T*>(object);
    fix(mutableObject);
    object = mutableObject;
  }
  void fix(language::FunctionObject*& function) { function = copy(function); }
  void fix(Place& place);
  void fix(text::Range& range, const language::ModuleObject& module);

  // False: it cannot be done.
  bool finish();
  bool failed() const { return failed_; }

private:
  // The copy of an object; its parts are fixed later.
  template <typename T> T* copy(const T* object);
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
  // What is left to do; a queue, because what users link may be deep.
  std::vector<std::pair<void (*)(Rebinder&, void*), void*>> queue_;
  bool failed_ = false;
};

// How objects of a host class are taken along: a row of HostClass.
struct HostRebinding {
  HostObject* (*copy)(Heap&, const HostObject&) = nullptr; // null: shared, it refers to nothing
  void (*parts)(Rebinder&, HostObject&) = nullptr;
};
inline constexpr HostRebinding sharedHost{};

// Of a T that refers to values by those members.
template <typename T, auto... members>
inline constexpr HostRebinding copiedHost = {
    [](Heap& heap, const HostObject& object) -> HostObject* {
      return heap.make<T>(static_cast<const T&>(object));
    },
    [](Rebinder& rebinder, HostObject& object) {
      (rebinder.fix(static_cast<T&>(object).*members), ...);
    }};

} // namespace gluond::evaluate
