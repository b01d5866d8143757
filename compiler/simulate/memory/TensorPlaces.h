// Finds the places of the elements of a view of tensor memory, which has rows of 32-bit columns. An
// allocation has as many columns as it needs. In a cluster each CTA has its own.
#pragma once

#include "ir/ttg/Types.h"
#include "simulate/memory/Bytes.h"
#include "simulate/memory/SharedMemory.h"
#include "simulate/values/Value.h"

#include <tl/expected.hpp>

#include <map>
#include <memory>
#include <mutex>

namespace gluond::simulate {

class TensorPlaces {
public:
  Element element() const { return element_; }
  llvm::ArrayRef<int64_t> shape() const { return shape_; }
  // The view that begins with element `index` in row-major order, of the same allocation.
  View beginningAt(const View& view, size_t index) const;
  // The bytes that it takes. `alloc`: the number of its allocation.
  Bytes touched(const SharedMemory& memory, const View& view, uint32_t alloc) const;
  bool fits(const View& view, const SharedMemory& memory) const;
  bool isWritten(const SharedMemory& memory, const View& view) const;
  size_t count() const { return places_.size(); }
  // The first byte of element `index` in row-major order.
  size_t at(const SharedMemory& memory, const View& view, size_t index) const {
    return at(memory, view, places_[index]);
  }
  void load(const SharedMemory& memory, const View& view, std::byte* elements) const;
  void store(SharedMemory& memory, const View& view, const std::byte* elements) const;

private:
  friend tl::expected<std::shared_ptr<const TensorPlaces>, std::string>
  makeTensorPlaces(ttg::MemDescType type);
  struct Place {
    uint16_t row;
    uint16_t column; // byte in the row
    uint8_t cta = 0;
  };
  static Place copied(Place place, Place copy) {
    return {static_cast<uint16_t>(place.row ^ copy.row),
            static_cast<uint16_t>(place.column ^ copy.column),
            static_cast<uint8_t>(place.cta ^ copy.cta)};
  }
  size_t inCta(const View& view, Place place) const {
    return view.base + size_t(place.row) * view.pitch + place.column;
  }
  size_t at(const SharedMemory& memory, const View& view, Place place) const {
    return (place.cta ^ view.cta) * memory.bytesPerCta() + inCta(view, place);
  }
  template <class Visit>
  void forEachCopy(const SharedMemory& memory, const View& view, Place place, Visit visit) const {
    for (Place copy : copies_)
      visit(at(memory, view, copied(place, copy)));
  }

  Element element_ = Element::F32;
  Shape shape_;
  std::vector<Place> places_; // by element in row-major order
  std::vector<Place>
      copies_; // how the places of an element's copies differ from its own: none first
  mutable std::mutex mutex_;
  // Runs of bytes that were asked for, by the view's pitch and CTA.
  mutable std::map<std::pair<uint32_t, uint32_t>, std::shared_ptr<const Bytes::Runs>> runs_;
};
using TensorPlacesRef = std::shared_ptr<const TensorPlaces>;

// The error says why the places are not known.
tl::expected<TensorPlacesRef, std::string> makeTensorPlaces(ttg::MemDescType type);

} // namespace gluond::simulate
