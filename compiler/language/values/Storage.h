// Containers that change while a program runs: the storage of lists, dicts, sets and scopes.
//
// Between any two steps of native code over values the program may run (a key's __eq__, a sort key,
// a property, an iterator) and change any container that it can reach. Therefore nothing here hands
// out a reference, a pointer or an array into its storage:
//
//   - an element is read by value, with the index checked at each access. What is not there (any
//     more) reads as Absent, which is no value of a program;
//   - a walk (`for (Value item : list)`) keeps an index and not a pointer, and looks at the size
//     before each step. So it sees what is appended meanwhile and ends early when elements vanish,
//     as Python's own iterators do. `for (auto& item : list)` does not compile;
//   - code that needs an array takes a copy, snapshot();
//   - whatever changes an element checks its index again, and says whether it was there.
//
// There is no borrowed view, because a view that forbids changes would make correct programs fail,
// and would have to be counted in objects of finished modules that many threads read. Values of
// tuples and of layouts never change and are plain arrays.
#pragma once

#include "language/values/BasicValue.h"
#include "support/Interner.h"

#include <llvm/ADT/ArrayRef.h>
#include <llvm/ADT/DenseMap.h>
#include <llvm/ADT/SmallVector.h>
#include <llvm/ADT/StringRef.h>

#include <algorithm>
#include <cstddef>
#include <iterator>
#include <optional>

namespace gluond::language {

// The iterator over a container: an input iterator that gives elements by value. The end is
// wherever the container ends at the time of the comparison.
inline constexpr size_t nowhere = ~size_t(0);
template <typename Container> class Walk {
public:
  using iterator_category = std::input_iterator_tag;
  using value_type = typename Container::Element;
  using difference_type = std::ptrdiff_t;
  using pointer = const value_type*;
  using reference = value_type;

  Walk() = default; // the end
  explicit Walk(const Container& container) : container_(&container) {}

  value_type operator*() const { return container_->elementAt(at_); }
  Walk& operator++() {
    ++at_;
    return *this;
  }
  Walk operator++(int) {
    Walk before = *this;
    ++at_;
    return before;
  }
  friend bool operator==(const Walk& a, const Walk& b) {
    bool isOver = a.isOver();
    return isOver == b.isOver() && (isOver || a.at_ == b.at_);
  }

private:
  // Advances to the next place that holds an element.
  bool isOver() const { return !container_ || (at_ = container_->occupied(at_)) == nowhere; }
  const Container* container_ = nullptr;
  mutable size_t at_ = 0;
};

// The elements of a list.
class ListItems {
public:
  using Element = Value;
  size_t size() const { return items_.size(); }
  bool empty() const { return items_.empty(); }
  Value operator[](size_t index) const {
    return index < items_.size() ? items_[index] : Value::absent();
  }
  Walk<ListItems> begin() const { return Walk<ListItems>(*this); }
  Walk<ListItems> end() const { return {}; }
  llvm::SmallVector<Value, 8> snapshot() const { return {items_.begin(), items_.end()}; }

  void push_back(Value value) { items_.push_back(value); }
  void append(Values values) { items_.append(values.begin(), values.end()); }
  void assign(Values values) { items_.assign(values.begin(), values.end()); }
  void clear() { items_.clear(); }
  // Returns false if there is no such element.
  bool set(size_t index, Value value) {
    if (index >= items_.size()) return false;
    items_[index] = value;
    return true;
  }
  void fill(Value value) { items_.assign(items_.size(), value); }
  void reverse();
  // Replaces [begin, end), limited to the existing elements, by values.
  void replace(size_t begin, size_t end, Values values);
  void insert(size_t index, Value value) { replace(index, index, value); }
  bool erase(size_t index);
  // Leaves the list empty.
  llvm::SmallVector<Value, 8> take();

private:
  friend class Walk<ListItems>;
  size_t occupied(size_t at) const { return at < size() ? at : nowhere; }
  Value elementAt(size_t at) const { return (*this)[at]; }
  llvm::SmallVector<Value, 4> items_;
};

// The items of a tuple or a list.
class Items {
public:
  using Element = Value;
  Items() = default;
  Items(Values values) : values_(values) {}      // NOLINT: an array that never changes
  Items(const ListItems& list) : list_(&list) {} // NOLINT

  size_t size() const { return list_ ? list_->size() : values_.size(); }
  bool empty() const { return size() == 0; }
  Value operator[](size_t index) const {
    if (list_) return (*list_)[index];
    return index < values_.size() ? values_[index] : Value::absent();
  }
  Value front() const { return (*this)[0]; }
  Value back() const { return (*this)[size() - 1]; }
  Walk<Items> begin() const { return Walk<Items>(*this); }
  Walk<Items> end() const { return {}; }
  llvm::SmallVector<Value, 8> snapshot() const {
    return list_ ? list_->snapshot() : llvm::SmallVector<Value, 8>(values_);
  }

private:
  friend class Walk<Items>;
  size_t occupied(size_t at) const { return at < size() ? at : nowhere; }
  Value elementAt(size_t at) const { return (*this)[at]; }
  Values values_;
  const ListItems* list_ = nullptr;
};

// The hash of a str or bytes as a dict key.
uint64_t textHash(llvm::StringRef text);

// The items of a dict or a set in insertion order, and a hash table over them. Only the program can
// decide whether two keys are equal, so a look-up is a sequence of candidates (see Candidates).
class DictItems {
public:
  struct Element {
    Value key = Value::absent(), value = Value::absent();
  };
  size_t size() const { return live_; }
  bool empty() const { return live_ == 0; }
  Walk<DictItems> begin() const { return Walk<DictItems>(*this); }
  Walk<DictItems> end() const { return {}; }
  llvm::SmallVector<Element, 8> snapshot() const { return {begin(), end()}; }
  // A number that changes with each insertion and removal.
  uint32_t version() const { return version_; }

  // The place of an item, which is valid until the version changes.
  using Slot = uint32_t;
  std::optional<Slot> first() const { return live_ ? std::optional(first_) : std::nullopt; }
  std::optional<Slot> last() const {
    return live_ ? std::optional(static_cast<Slot>(slots_.size() - 1)) : std::nullopt;
  }
  Value keyAt(Slot slot) const { return slot < slots_.size() ? slots_[slot].key : Value::absent(); }
  Value valueAt(Slot slot) const {
    return slot < slots_.size() ? slots_[slot].value : Value::absent();
  }

  // The items with a given hash, one after another. Comparing a key with a candidate may run code
  // that changes the dict: then isStale() is true, there are no more candidates, and the look-up
  // must start again.
  class Candidates {
  public:
    Candidates(const DictItems& items, uint64_t hash)
        : items_(items), hash_(hash), at_(items.buckets_.empty() ? items.first_ : hash),
          version_(items.version_) {}
    std::optional<Slot> next();
    bool isStale() const { return items_.version_ != version_; }

  private:
    const DictItems& items_;
    uint64_t hash_, at_;
    uint32_t version_;
  };
  Candidates candidates(uint64_t hash) const { return {*this, hash}; }

  // Inserts a key that must not be present; textHash() is the hash of a str.
  void insert(Value key, Value value, uint64_t hash);
  bool setValue(Slot slot, Value value);
  bool erase(Slot slot);
  void clear();
  void assign(const DictItems& other);
  // Replaces every item by change(item); keys must keep their hashes.
  template <typename Change> void rewrite(Change change) {
    for (size_t i = 0; i < slots_.size(); ++i) {
      if (slots_[i].key.isAbsent()) continue;
      Element changed = change(Element{slots_[i].key, slots_[i].value});
      if (i >= slots_.size()) return;
      slots_[i].key = changed.key;
      slots_[i].value = changed.value;
    }
  }

  DictItems() = default;
  DictItems(const DictItems&) = default;
  DictItems& operator=(const DictItems&) = delete; // assign() invalidates look-ups

private:
  friend class Walk<DictItems>;
  static constexpr size_t few = 8; // up to this many are searched linearly
  static constexpr uint32_t gone = ~0u;
  struct SlotData : Element { // an erased item leaves an Absent key
    uint64_t hash = 0;
    Element element() const { return *this; }
  };
  size_t occupied(size_t at) const {
    at = std::max<size_t>(at, first_);
    while (at < slots_.size() && slots_[at].key.isAbsent())
      ++at;
    return at < slots_.size() ? at : nowhere;
  }
  Element elementAt(size_t at) const {
    return at < slots_.size() ? slots_[at].element() : Element();
  }
  void link(Slot slot);
  void rebuild();

  llvm::SmallVector<SlotData, 4> slots_;
  llvm::SmallVector<uint32_t, 0> buckets_; // open addressing, slot + 1; empty if few
  uint32_t live_ = 0, first_ = 0, links_ = 0, version_ = 0;
};

// Module globals, a class's members, an instance's attributes or the locals of a function: name ->
// value in insertion order. A few names are searched linearly, many are indexed. A deleted name
// stays with the value Absent.
class Scope {
public:
  struct Element {
    Name name;
    Value value = Value::absent();
  };
  const Scope* parent = nullptr; // the enclosing function's scope, then the module's
  const Heap* owner = nullptr;
  uint64_t serial = 0; // Heap::made()

  // Returns Absent if there is no such name.
  Value get(Name name) const {
    size_t place = find(name);
    return place == nowhere ? Value::absent() : elements_[place].value;
  }
  bool contains(Name name) const { return !get(name).isAbsent(); }
  void set(Name name, Value value);
  void clear() {
    elements_.clear();
    index_.clear();
  }

  // Includes names that were deleted.
  size_t size() const { return elements_.size(); }
  Element operator[](size_t place) const {
    return place < elements_.size() ? elements_[place] : Element();
  }
  Walk<Scope> begin() const { return Walk<Scope>(*this); }
  Walk<Scope> end() const { return {}; }
  llvm::SmallVector<Element, 8> snapshot() const { return elements_; }

  // A snapshot of all names, to undo a branch that may not run.
  class State {
  public:
    llvm::ArrayRef<Element> elements() const { return elements_; } // an immutable copy

  private:
    friend class Scope;
    llvm::SmallVector<Element, 8> elements_;
    llvm::DenseMap<Name, unsigned> index_;
  };
  State save() const;
  void restore(const State& state);

private:
  friend class Walk<Scope>;
  static constexpr size_t few = 12;
  size_t occupied(size_t at) const { return at < size() ? at : nowhere; }
  Element elementAt(size_t at) const { return (*this)[at]; }
  size_t find(Name name) const {
    if (elements_.size() <= few) {
      for (size_t i = 0; i < elements_.size(); ++i)
        if (elements_[i].name == name) return i;
      return nowhere;
    }
    auto it = index_.find(name);
    return it == index_.end() ? nowhere : it->second;
  }

  llvm::SmallVector<Element, 8> elements_;
  llvm::DenseMap<Name, unsigned> index_; // once there are more than `few`
};

} // namespace gluond::language
