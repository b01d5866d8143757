// Iterators: taking members one by one.
#include "evaluate/interpreter/Iterators.h"

#include "evaluate/interpreter/NativeTables.h"
#include "evaluate/values/Containers.h"

namespace gluond::evaluate {

Value Interpreter::iteratorFrom(std::unique_ptr<MemberSource> source) {
  constexpr size_t bytesOfSource = 512;
  if (!charge(bytesOfSource)) return Value::absent();
  Value made = iterator({});
  auto* object = writable(hostAs<IteratorObject>(made, iteratorClass));
  if (!object) return Value::absent();
  object->isOnDemand = true;
  source->serial = ++sourcesMade_;
  sources_[object] = std::move(source);
  return made;
}

MemberSource* Interpreter::sourceOf(Value iterator) {
  auto* object = hostAs<IteratorObject>(iterator, iteratorClass);
  if (!object || !object->isOnDemand) return nullptr;
  auto it = sources_.find(object);
  return it == sources_.end() ? nullptr : it->second.get();
}

void Interpreter::forgetSource(Value iterator) {
  auto* object = hostAs<IteratorObject>(iterator, iteratorClass);
  if (!object || !object->isOnDemand || !heap().owns(object)) return;
  if (IteratorObject* changed = writable(object)) changed->isOnDemand = false;
  sources_.erase(object);
}

Value Interpreter::iterate(Value iterable) {
  iterable = iterable.unwrapped();
  if (iterable.isUnknown()) return iterable;
  if (hostAs<IteratorObject>(iterable, iteratorClass)) return iterable;
  if (iterable.as<ListObject>())
    return iteratorOver(*this, [iterable, at = size_t(0)](Interpreter&, bool&) mutable {
      return iterable.as<ListObject>()->items[at++]; // it may grow or shrink meanwhile
    });
  if (auto* range = iterable.as<RangeObject>())
    return iteratorOver(*this, [iterable, at = int64_t(0),
                                count = rangeLength(*range)](Interpreter&, bool&) mutable {
      if (at == count) return Value::absent();
      return Value::integer(rangeMember(*iterable.as<RangeObject>(), at++));
    });
  if (auto* object = iterable.as<InstanceObject>()) {
    Nesting nesting(*this);
    if (!nesting) return Value::absent();
    Value own = callSpecial(iterable, known_.iter, {});
    if (failed()) return Value::absent();
    bool isItself = own.identical(iterable);
    if (!own.isAbsent() && !isItself) return iterate(own);
    if (isItself && !findInClass(object->cls, known_.next).isAbsent()) return iterable;
  }
  llvm::SmallVector<Value, 8> items;
  bool uncertain = false;
  if (!unpack(iterable, items, uncertain)) return failed() ? Value::absent() : Value::unknown();
  return charge(items.size(), sizeof(Value)) ? iterator(items, uncertain) : Value::absent();
}

Value Interpreter::advance(Value iterator, bool& uncertain) {
  if (iterator.is(ValueKind::Instance)) {
    Value member = callSpecial(iterator, known_.next, {});
    if (failed() && !isExhausted()) catchError("StopIteration");
    return member;
  }
  auto* given = hostAs<IteratorObject>(iterator, iteratorClass);
  if (!given) {
    uncertain = true;
    return Value::absent();
  }
  IteratorObject* object = writable(given);
  if (!object) return Value::absent();
  if (object->next < object->items.size()) return object->items[object->next++];
  MemberSource* source = sourceOf(iterator);
  if (!source) {
    uncertain |= object->uncertain || object->isOnDemand;
    return Value::absent();
  }
  if (source->isBusy) return raise("ValueError", "generator already executing");
  if (deep()) return Value::absent(); // one iterator may go over another, and that over the next
  bool isOpen = false;
  source->isBusy = true;
  Value member = source->next(*this, isOpen);
  source->isBusy = false;
  // After an exception, map() and the like go on with the next member; generators have ended.
  if (!member.isAbsent() || (failed() && !source->generator())) return member;
  object->returned = source->returned();
  object->uncertain |= isOpen;
  uncertain |= isOpen;
  forgetSource(iterator);
  return member;
}

} // namespace gluond::evaluate
