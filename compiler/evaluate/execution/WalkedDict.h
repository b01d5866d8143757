// A dict or set whose members a loop or a comprehension takes one by one.
#pragma once

#include "evaluate/interpreter/Interpreter.h"

namespace gluond::evaluate {

class WalkedDict {
public:
  // `iterable` may be anything: only dicts and sets are watched.
  explicit WalkedDict(Value iterable) : dict_(iterable.unwrapped().as<DictObject>()) {
    if (dict_) size_ = dict_->items.size();
    isSet_ = iterable.unwrapped().is(ValueKind::Set);
  }

  // To be asked before the next member is taken, and at the end: as Python does. Returns false
  // after raising RuntimeError if members came or went.
  bool hasItsSize(Interpreter& in) const {
    if (!dict_ || dict_->uncertain || dict_->items.size() == size_) return true;
    in.raise("RuntimeError", isSet_ ? "Set changed size during iteration"
                                    : "dictionary changed size during iteration");
    return false;
  }

private:
  const DictObject* dict_;
  size_t size_ = 0;
  bool isSet_;
};

} // namespace gluond::evaluate
