#include "simulate/memory/TensorPlaces.h"

#include "ir/layouts/Layouts.h"

#include <algorithm>
#include <cstring>

namespace gluond::simulate {

using layout::Dim;

tl::expected<TensorPlacesRef, std::string> makeTensorPlaces(ttg::MemDescType type) {
  using Error = tl::unexpected<std::string>;
  auto element = elementOf(type.getElementType());
  if (!element) return Error("the simulator does not know buffers of this element type");
  auto inverse = ir::toLinearLayout(type).pseudoInvert();
  if (type.getRank() != 2 || !inverse || !inverse->hasOut(Dim::Row) || !inverse->hasOut(Dim::Col))
    return Error("the layout of the buffer does not hold all of its elements");
  auto places = std::make_shared<TensorPlaces>();
  places->element_ = *element;
  places->shape_.assign(type.getShape().begin(), type.getShape().end());
  layout::LinearLayout to = inverse->sublayout(inverse->inDims(), {Dim::Row, Dim::Col});
  // The place of each coordinate of one dimension; xor combines them.
  auto along = [&](unsigned d) {
    std::vector<std::pair<uint32_t, uint32_t>> all;
    Dim dim = layout::tensorDim(d);
    for (int64_t i = 0; i < places->shape_[d]; ++i) {
      uint32_t row = 0, column = 0;
      for (unsigned bit = 0; bit < to.inBits(dim); ++bit)
        if (i >> bit & 1) {
          row ^= static_cast<uint32_t>(to.basis(dim, bit, Dim::Row));
          column ^= static_cast<uint32_t>(to.basis(dim, bit, Dim::Col));
        }
      all.push_back({row, column});
    }
    return all;
  };
  auto rows = along(0), columns = along(1);
  for (auto [row, column] : rows)
    for (auto [otherRow, otherColumn] : columns)
      places->places_.push_back(
          {static_cast<uint16_t>(row ^ otherRow),
           static_cast<uint16_t>((column ^ otherColumn) * bytesOf(*element))});
  return places;
}

View TensorPlaces::beginningAt(const View& view, size_t index) const {
  View result = view;
  result.base = static_cast<uint32_t>(at(view, places_[index]));
  return result;
}

bool TensorPlaces::fits(const View& view, const SharedMemory& memory) const {
  size_t most = 0;
  for (Place place : places_)
    most = std::max(most, at(view, place));
  return most + bytesOf(element_) <= memory.size();
}

bool TensorPlaces::isWritten(const SharedMemory& memory, const View& view) const {
  for (Place place : places_)
    if (!memory.isWritten(at(view, place), bytesOf(element_))) return false;
  return true;
}

void TensorPlaces::load(const SharedMemory& memory, const View& view, std::byte* elements) const {
  unsigned bytes = bytesOf(element_);
  for (size_t i = 0; i < places_.size(); ++i)
    std::memcpy(elements + i * bytes, memory.data() + at(view, places_[i]), bytes);
}

void TensorPlaces::store(SharedMemory& memory, const View& view, const std::byte* elements) const {
  unsigned bytes = bytesOf(element_);
  for (size_t i = 0; i < places_.size(); ++i) {
    std::memcpy(memory.data() + at(view, places_[i]), elements + i * bytes, bytes);
    memory.noteWritten(at(view, places_[i]), bytes);
  }
}

} // namespace gluond::simulate
