#include "language/values/Storage.h"

#include <llvm/ADT/STLExtras.h>
#include <llvm/Support/MathExtras.h>
#include <llvm/Support/xxhash.h>

#include <algorithm>

namespace gluond::language {

// ---------------------------------------------------------------- lists

void ListItems::reverse() {
  std::reverse(items_.begin(), items_.end());
}

void ListItems::replace(size_t begin, size_t end, Values values) {
  begin = std::min(begin, items_.size());
  end = std::clamp(end, begin, items_.size());
  size_t common = std::min(end - begin, values.size());
  std::copy_n(values.begin(), common, items_.begin() + static_cast<ptrdiff_t>(begin));
  auto* at = items_.begin() + static_cast<ptrdiff_t>(begin + common);
  if (begin + common < end)
    items_.erase(at, items_.begin() + static_cast<ptrdiff_t>(end));
  else
    items_.insert(at, values.begin() + common, values.end());
}

bool ListItems::erase(size_t index) {
  if (index >= items_.size()) return false;
  items_.erase(items_.begin() + static_cast<ptrdiff_t>(index));
  return true;
}

llvm::SmallVector<Value, 8> ListItems::take() {
  llvm::SmallVector<Value, 8> taken(std::move(items_));
  items_.clear();
  return taken;
}

// ---------------------------------------------------------------- dicts and sets

uint64_t textHash(llvm::StringRef text) {
  return llvm::xxh3_64bits(text);
}

std::optional<DictItems::Slot> DictItems::Candidates::next() {
  if (isStale()) return std::nullopt;
  auto fits = [&](size_t slot) {
    return items_.slots_[slot].hash == hash_ && !items_.slots_[slot].key.isAbsent();
  };
  if (items_.buckets_.empty()) {
    while (at_ < items_.slots_.size())
      if (size_t slot = at_++; fits(slot)) return static_cast<Slot>(slot);
    return std::nullopt;
  }
  size_t mask = items_.buckets_.size() - 1;
  while (uint32_t link = items_.buckets_[at_ & mask]) { // some bucket is always free
    ++at_;
    if (link != gone && fits(link - 1)) return link - 1;
  }
  return std::nullopt;
}

void DictItems::link(Slot slot) {
  size_t mask = buckets_.size() - 1, at = slots_[slot].hash & mask;
  while (buckets_[at])
    at = (at + 1) & mask;
  buckets_[at] = slot + 1;
  ++links_;
}

// Closes the gaps, and makes room for as many items again.
void DictItems::rebuild() {
  llvm::erase_if(slots_, [](const SlotData& slot) { return slot.key.isAbsent(); });
  first_ = links_ = 0;
  buckets_.clear();
  if (live_ < few) return;
  buckets_.resize(llvm::PowerOf2Ceil((size_t{live_} + 1) * 3), 0);
  for (Slot slot = 0; slot < slots_.size(); ++slot)
    link(slot);
}

void DictItems::insert(Value key, Value value, uint64_t hash) {
  ++version_;
  if (buckets_.empty() ? slots_.size() >= few : (size_t{links_} + 1) * 2 > buckets_.size())
    rebuild();
  slots_.push_back({{key, value}, hash});
  ++live_;
  if (!buckets_.empty()) link(static_cast<Slot>(slots_.size() - 1));
}

bool DictItems::setValue(Slot slot, Value value) {
  if (keyAt(slot).isAbsent()) return false;
  slots_[slot].value = value;
  return true;
}

bool DictItems::erase(Slot slot) {
  if (keyAt(slot).isAbsent()) return false;
  ++version_;
  if (--live_ == 0) {
    clear();
    return true;
  }
  if (!buckets_.empty()) {
    size_t mask = buckets_.size() - 1, at = slots_[slot].hash & mask;
    while (buckets_[at] != slot + 1)
      at = (at + 1) & mask;
    buckets_[at] = gone;
  }
  slots_[slot].key = slots_[slot].value = Value::absent();
  while (slots_[first_].key.isAbsent())
    ++first_;
  while (slots_.back().key.isAbsent())
    slots_.pop_back();
  return true;
}

void DictItems::clear() {
  slots_.clear();
  buckets_.clear();
  live_ = first_ = links_ = 0;
  ++version_;
}

void DictItems::assign(const DictItems& other) {
  slots_ = other.slots_;
  buckets_ = other.buckets_;
  live_ = other.live_;
  first_ = other.first_;
  links_ = other.links_;
  ++version_;
}

// ---------------------------------------------------------------- scopes

void Scope::set(Name name, Value value) {
  auto next = static_cast<unsigned>(elements_.size());
  size_t place = nowhere; // of a name that is there
  if (next <= few) {
    place = find(name);
  } else {
    auto [known, isNew] = index_.try_emplace(name, next);
    if (!isNew) place = known->second;
  }
  if (place != nowhere) {
    elements_[place].value = value;
    return;
  }
  elements_.push_back({name, value});
  if (next == few)
    for (unsigned i = 0; i <= few; ++i)
      index_[elements_[i].name] = i;
}

Scope::State Scope::save() const {
  State state;
  state.elements_ = elements_;
  state.index_ = index_;
  return state;
}

void Scope::restore(const State& state) {
  elements_ = state.elements_;
  index_ = state.index_;
}

} // namespace gluond::language
