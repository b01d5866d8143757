#include "simulate/memory/TensorPlaces.h"

#include "ir/layouts/Layouts.h"
#include "ir/ttng/Attributes.h"

#include <algorithm>
#include <cstring>

namespace gluond::simulate {

using layout::Dim;

tl::expected<TensorPlacesRef, std::string> makeTensorPlaces(ttg::MemDescType type) {
  using Error = tl::unexpected<std::string>;
  auto element = elementOf(type.getElementType());
  if (!element) return Error("the simulator does not know buffers of this element type");
  layout::LinearLayout linear = ir::toLinearLayout(type);
  auto inverse = linear.pseudoInvert();
  if (type.getRank() != 2 || !inverse || !inverse->hasOut(Dim::Row) || !inverse->hasOut(Dim::Col))
    return Error("the layout of the buffer does not hold all of its elements");
  auto places = std::make_shared<TensorPlaces>();
  places->element_ = *element;
  places->shape_.assign(type.getShape().begin(), type.getShape().end());
  bool isSpread = inverse->hasOut(Dim::Block);
  places->copies_.push_back({});
  auto copyAlong = [&](Dim dim, unsigned unit, auto member) {
    for (uint64_t free = linear.freeMask(dim); free; free &= free - 1)
      for (size_t i = 0, count = places->copies_.size(); i < count; ++i) {
        auto copy = places->copies_[i];
        copy.*member ^= (free & -free) * unit;
        places->copies_.push_back(copy);
      }
  };
  if (isSpread) copyAlong(Dim::Block, 1, &TensorPlaces::Place::cta);
  // Each warp has the scales in its own rows. Other layouts do not write the rows that they leave
  // out.
  if (isa<ttng::TensorMemoryScalesEncodingAttr>(type.getEncoding())) {
    copyAlong(Dim::Row, 1, &TensorPlaces::Place::row);
    copyAlong(Dim::Col, bytesOf(*element), &TensorPlaces::Place::column);
  }
  // The place of each coordinate of one dimension; xor combines them.
  auto along = [&](unsigned d) {
    std::vector<std::array<uint32_t, 3>> all; // row, column, CTA
    Dim dim = layout::tensorDim(d);
    for (int64_t i = 0; i < places->shape_[d]; ++i) {
      std::array<uint32_t, 3> place = {};
      for (unsigned bit = 0; bit < inverse->inBits(dim); ++bit)
        if (i >> bit & 1) {
          place[0] ^= static_cast<uint32_t>(inverse->basis(dim, bit, Dim::Row));
          place[1] ^= static_cast<uint32_t>(inverse->basis(dim, bit, Dim::Col));
          if (isSpread) place[2] ^= static_cast<uint32_t>(inverse->basis(dim, bit, Dim::Block));
        }
      all.push_back(place);
    }
    return all;
  };
  auto rows = along(0), columns = along(1);
  for (const auto& a : rows)
    for (const auto& b : columns)
      places->places_.push_back({static_cast<uint16_t>(a[0] ^ b[0]),
                                 static_cast<uint16_t>((a[1] ^ b[1]) * bytesOf(*element)),
                                 static_cast<uint8_t>(a[2] ^ b[2])});
  return places;
}

View TensorPlaces::beginningAt(const View& view, size_t index) const {
  View result = view;
  result.base = static_cast<uint32_t>(inCta(view, places_[index]));
  result.cta = view.cta ^ places_[index].cta;
  return result;
}

Bytes TensorPlaces::touched(const SharedMemory& memory, const View& view, uint32_t alloc) const {
  std::lock_guard lock(mutex_);
  auto [found, isNew] = runs_.try_emplace({view.pitch, view.cta});
  if (isNew) {
    Bytes::Runs all;
    for (Place place : places_)
      forEachCopy(memory, view, place, [&](size_t from) {
        all.push_back({from - view.base, from - view.base + bytesOf(element_)});
      });
    found->second = Bytes::runsOf(std::move(all));
  }
  Bytes bytes = Bytes::range(alloc, found->second->front().from + view.base,
                             found->second->back().to + view.base);
  if (found->second->size() > 1) {
    bytes.runs = found->second;
    bytes.origin = view.base;
  }
  return bytes;
}

bool TensorPlaces::fits(const View& view, const SharedMemory& memory) const {
  size_t most = 0;
  for (Place place : places_)
    for (Place copy : copies_)
      most = std::max(most, inCta(view, copied(place, copy)));
  return most + bytesOf(element_) <= memory.bytesPerCta();
}

bool TensorPlaces::isWritten(const SharedMemory& memory, const View& view) const {
  for (Place place : places_)
    if (!memory.isWritten(at(memory, view, place), bytesOf(element_))) return false;
  return true;
}

void TensorPlaces::load(const SharedMemory& memory, const View& view, std::byte* elements) const {
  unsigned bytes = bytesOf(element_);
  for (size_t i = 0; i < places_.size(); ++i)
    std::memcpy(elements + i * bytes, memory.data() + at(memory, view, places_[i]), bytes);
}

void TensorPlaces::store(SharedMemory& memory, const View& view, const std::byte* elements) const {
  unsigned bytes = bytesOf(element_);
  for (size_t i = 0; i < places_.size(); ++i)
    forEachCopy(memory, view, places_[i], [&](size_t to) {
      std::memcpy(memory.data() + to, elements + i * bytes, bytes);
      memory.noteWritten(to, bytes);
    });
}

} // namespace gluond::simulate
